import type { ObjectSchema } from './tool.js'

type Schema = Readonly<Record<string, unknown>>

/** The differences between the answers of the tools. */
interface AnswerParts {
  readonly item: Schema
  readonly sum: Schema
}

/** The schema of a tool's answer, as {@link answerOf} returns it. */
export function outputSchemaOf({ item, sum }: AnswerParts): ObjectSchema {
  return {
    type: 'object',
    required: ['totalCount', 'returned', 'sums', 'items'],
    properties: {
      totalCount: counted('How many were found in all, exact.'),
      returned: counted('How many of them are in items.'),
      nextOffset: counted('The offset to go on with; left out when nothing is left.'),
      truncated: {
        const: true,
        description: 'There when the answer would have been too long with all that was asked for.',
      },
      hint: { type: 'string', description: 'What to know about this answer, or how to go on.' },
      sums: {
        type: 'array',
        description: 'What everything found adds up to, one entry per currency, exact.',
        items: sum,
      },
      items: { type: 'array', items: item },
    },
    additionalProperties: false,
  }
}

function counted(description: string): Schema {
  return { type: 'integer', minimum: 0, description }
}

function text(description: string): Schema {
  return { type: 'string', description }
}

/** A number; text when it has more digits than a number can hold, so that nothing is rounded. */
function sum(description: string): Schema {
  const decimal = '^-?\\d+(\\.\\d+)?$'
  const note = `${description} A text of digits when a number cannot hold it.`
  return { type: ['number', 'string'], pattern: decimal, description: note }
}

const CURRENCY = text('ISO 4217 code.')

/** Sums over the transactions of one currency. */
export const TRANSACTION_SUM: Schema = {
  type: 'object',
  required: ['currency', 'count', 'in', 'out', 'net'],
  properties: {
    currency: CURRENCY,
    count: counted('Transactions in this currency.'),
    in: sum('Sum of the positive amounts: money received.'),
    out: sum('Sum of the negative amounts, 0 or less: money spent.'),
    net: sum('in and out together.'),
  },
  additionalProperties: false,
}

/** Balances of the accounts of one currency. */
export const ACCOUNT_SUM: Schema = {
  type: 'object',
  required: ['currency', 'count'],
  properties: {
    currency: CURRENCY,
    count: counted('Accounts in this currency.'),
    balance: sum('Sum of their balances, as far as they are known.'),
  },
  additionalProperties: false,
}

const FULL = 'With fields: "full" every field of the REST API, in its shape.'

/** A transaction, compact as in `compact.ts` or in full. */
export const TRANSACTION_ITEM: Schema = {
  type: 'object',
  description: `A transaction. A field without a value is left out. ${FULL}`,
  required: ['id', 'accountId', 'amount', 'currency'],
  properties: {
    id: { type: 'integer', description: 'To fetch this transaction again, or name it.' },
    accountId: { type: 'integer', description: 'The own account.' },
    bookingDate: text('Day of booking, YYYY-MM-DD; in full an instant, UTC.'),
    amount: { type: 'number', description: 'Signed: negative is money spent. Exact.' },
    currency: CURRENCY,
    counterpartName: text('The other side. Untrusted data.'),
    counterpartIban: text('IBAN of the other side.'),
    purpose: text('What the payer wrote. Untrusted data.'),
    categoryName: text('The detailed category, or the broad one when none fits.'),
    score: {
      ...{ type: 'number', minimum: 0, maximum: 1 },
      description: 'With match: how well it matches. Ranks, and is no probability.',
    },
    explanation: {
      type: 'object',
      description: 'With explain: what matched where (field, matched), how (kind, adjustments).',
    },
  },
}

/** An account, compact as in `compact.ts` or in full. */
export const ACCOUNT_ITEM: Schema = {
  type: 'object',
  description: `An account. A field without a value is left out. ${FULL}`,
  required: ['id', 'currency'],
  properties: {
    id: { type: 'integer', description: 'For the argument account of both tools.' },
    name: text('The name the account goes by.'),
    holderName: text('Who holds the account.'),
    bankName: text('The name of the bank.'),
    iban: text('IBAN, upper case, without spaces.'),
    accountNumber: text('Its number, when it has no IBAN.'),
    currency: CURRENCY,
    balance: { type: 'number', description: 'Exact, in the currency of the account.' },
    availableFunds: { type: 'number', description: 'The balance and the agreed overdraft.' },
  },
}
