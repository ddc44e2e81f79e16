import type { Account } from '../domain/account.js'
import type { Transaction } from '../domain/transaction.js'

/** The facts about a member that a customSchema needs without reading the row. */
export type MemberShape =
  | 'value'
  | {
      /** Whether every row has it, even as `{}`. */
      readonly always: boolean
      readonly members: ObjectShape
    }

/** The members an object of a resource can have. */
export type ObjectShape = ReadonlyMap<string, MemberShape>

/** One entry per member of T, so that a field added to the resource cannot be forgotten here. */
type ShapeOf<T> = {
  readonly [Name in keyof T]-?: NonNullable<T[Name]> extends string | number
    ? 'value'
    : {
        readonly always: undefined extends T[Name] ? false : true
        readonly members: ShapeOf<NonNullable<T[Name]>>
      }
}

interface LooseShape {
  readonly [name: string]: 'value' | { readonly always: boolean; readonly members: LooseShape }
}

// A Map, because a caller's path may be named like something every object inherits.
function shapeOf(members: LooseShape): ObjectShape {
  return new Map(
    Object.entries(members).map(([name, member]) => [
      name,
      member === 'value' ? member : { always: member.always, members: shapeOf(member.members) },
    ]),
  )
}

const account: ShapeOf<Account> = {
  id: 'value',
  currency: 'value',
  holderName: 'value',
  accountNumber: 'value',
  name: 'value',
  bankName: 'value',
  iban: 'value',
  bic: 'value',
  blz: 'value',
  balance: 'value',
  availableFunds: 'value',
  overdraft: 'value',
  createdAt: 'value',
  updatedAt: 'value',
}

const categoryName: ShapeOf<Transaction['category']> = { id: 'value', name: 'value' }

const transaction: ShapeOf<Transaction> = {
  id: 'value',
  accountId: 'value',
  account: {
    always: true,
    members: { accountNumber: 'value', name: 'value', iban: 'value', bankName: 'value' },
  },
  amount: 'value',
  currency: 'value',
  category: { always: true, members: categoryName },
  parentCategory: { always: true, members: categoryName },
  counterpart: {
    always: true,
    members: {
      accountNumber: 'value',
      name: 'value',
      iban: 'value',
      bic: 'value',
      bankName: 'value',
      mandateReference: 'value',
      creditorId: 'value',
      customerReference: 'value',
    },
  },
  createdAt: 'value',
  updatedAt: 'value',
  importDate: 'value',
  bookingDate: 'value',
  valueDate: 'value',
  type: 'value',
  purpose: 'value',
  endToEndReference: 'value',
  originalAmount: 'value',
  originalCurrency: 'value',
  sepaPurposeCode: 'value',
  primanota: 'value',
  paypal: { always: false, members: { invoiceNumber: 'value', fee: 'value', net: 'value' } },
}

/** Every member an {@link Account} can have. */
export const ACCOUNT_SHAPE: ObjectShape = shapeOf(account)

/** Every member a {@link Transaction} can have. */
export const TRANSACTION_SHAPE: ObjectShape = shapeOf(transaction)

/** The shape of the value at the path in a row. @returns undefined when no row has a value there */
export function shapeAt(shape: ObjectShape, path: readonly string[]): MemberShape | undefined {
  let member: MemberShape | undefined = { always: true, members: shape }
  let always = true
  for (const segment of path) {
    if (member === undefined || member === 'value') return undefined
    always &&= member.always
    member = member.members.get(segment)
  }
  return member === undefined || member === 'value'
    ? member
    : { always: always && member.always, members: member.members }
}
