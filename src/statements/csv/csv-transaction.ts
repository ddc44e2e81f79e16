import { compactCode, isBic, looksLikeIban } from '../../iban.js'
import type { Amount } from '../../money.js'
import { addAmounts, compareAmounts, negateAmount } from '../../money.js'
import { readDay } from '../day-text.js'
import { readDecimal, splitCurrency } from '../decimal-text.js'
import { presentOnly } from '../present.js'
import type { SepaFields } from '../sepa-keywords.js'
import { fillFromKeywords } from '../sepa-keywords.js'
import type {
  StatementAccount,
  StatementCounterpart,
  StatementFault,
  StatementTransaction,
} from '../statement.js'
import { StatementError } from '../statement.js'
import { joinTexts } from '../text-field.js'
import { amountOf } from './csv-amount.js'
import type { WrittenBalance } from './csv-balance.js'
import { kindAmong } from './csv-balance.js'
import { EntryCells } from './csv-cells.js'
import { columnNameAt } from './csv-columns.js'
import { fillFromPurpose } from './csv-labels.js'
import { filledCount } from './csv-layout.js'
import type { CsvNotation } from './csv-notation.js'
import type { CsvPlan } from './csv-plan.js'
import { accountOfText } from './csv-plan.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { isLineOfSums, kindNamed, usualKind } from './csv-sums.js'

/**
 * The kind of one record. `around` is a line around the bookings, such as a balance; `continuation`
 * is the rest of the purpose of the booking before it.
 */
export type CsvEntry =
  | {
      readonly kind: 'booking'
      readonly account: StatementAccount
      readonly transaction: StatementTransaction
    }
  | { readonly kind: 'unbooked'; readonly message: string }
  | { readonly kind: 'around'; readonly balance?: WrittenBalance }
  | { readonly kind: 'continuation'; readonly purpose: string }
  | { readonly kind: 'refused'; readonly fault: StatementFault }

/**
 * Reads one record. A record with a fault is refused whole, with the first fault found.
 * @throws StatementError when the table of another account begins here, or when the currency is
 *   unknown
 */
export function readCsvEntry(written: CsvRecord, plan: CsvPlan, notation: CsvNotation): CsvEntry {
  const record = withLackingCell(written, plan)
  const position = `line ${record.line}`
  const first = record.cells.find((cell) => cell !== '') ?? ''
  const { footers = [], sectionPrefix } = plan.profile
  const isBalance = kindAmong(record, plan.profile.balanceLines) !== undefined
  if (isBalance || footers.some((footer) => first.startsWith(footer))) return { kind: 'around' }
  if (sectionPrefix !== undefined && first.startsWith(sectionPrefix)) {
    const begins = `another account begins here (${JSON.stringify(first)})`
    const message = `${begins}; export each account to a separate file`
    throw new StatementError({ position, message })
  }
  const rest = continuationIn(record, plan)
  if (rest !== undefined) return { kind: 'continuation', purpose: rest }
  const columnCount = filledCount(record.cells)
  if (record.cells.length < plan.width || columnCount > plan.widthMax) {
    if (movesNothing(record, notation)) {
      const message = `has no day and no amount (${JSON.stringify(first.slice(0, 80))}), skipped`
      return { kind: 'unbooked', message }
    }
    const sums = sumsIn(record, plan, notation)
    if (sums !== undefined) return sums
    const count = record.cells.length < plan.width ? record.cells.length : columnCount
    const found = record.cells.join(' | ').slice(0, 80)
    const message = `has ${count} columns, expected ${plan.width}; found ${JSON.stringify(found)}`
    return { kind: 'refused', fault: { position, message } }
  }
  const unbookedAt = unbookedColumn(record, plan)
  if (unbookedAt !== undefined) {
    const column = columnNameAt(plan.header, unbookedAt)
    const text = record.cells[unbookedAt] ?? ''
    return { kind: 'unbooked', message: `not booked (${column}: ${text}), skipped` }
  }
  const balance = balanceRowIn(record, plan, notation)
  if (balance !== undefined) return { kind: 'around', balance }
  const cells = new EntryCells(record, plan, notation)
  const account = accountOf(cells, plan)
  const transaction = transactionOf(cells, plan, position)
  if (cells.fault === undefined) return { kind: 'booking', account, transaction }
  return sumsIn(record, plan, notation) ?? { kind: 'refused', fault: cells.fault }
}

/** Fields that a row with a balance of the account has besides its name. */
const BALANCE_ROW_FIELDS = [
  ...(['bookingDate', 'valueDate', 'amount', 'charge', 'debit', 'credit', 'direction'] as const),
  ...(['balanceAfter', 'currency', 'accountIban', 'accountNumber'] as const),
] as const

/**
 * The balance in a row of the table whose only text is its name, such as `Anfangssaldo`, with the
 * sign of its direction; undefined = a booking.
 */
function balanceRowIn(
  record: CsvRecord,
  plan: CsvPlan,
  notation: CsvNotation,
): WrittenBalance | undefined {
  const known = new Set(BALANCE_ROW_FIELDS.map((field) => plan.at[field]))
  const [name, ...others] = record.cells.filter((cell, i) => cell !== '' && !known.has(i))
  const kind = name === undefined || others.length > 0 ? undefined : kindNamed(name)
  if (kind === undefined) return undefined
  const cells = new EntryCells(record, plan, notation)
  const amount = cells.decimal('balanceAfter') ?? amountOf(cells).amount
  const at = cells.day('bookingDate') ?? cells.day('valueDate')
  if (cells.fault !== undefined) return undefined
  return { kind, amount, currency: cells.currency, ...(at === undefined ? {} : { at }) }
}

/** A line of totals, which is not a booking; undefined = it has a day, or another name. */
function sumsIn(record: CsvRecord, plan: CsvPlan, notation: CsvNotation): CsvEntry | undefined {
  const days = [plan.at.bookingDate, plan.at.valueDate].map((at) => record.cells[at ?? -1] ?? '')
  if (days.some((day) => readDay(day, notation.days) !== undefined)) return undefined
  if (!isLineOfSums(record)) return undefined
  if (usualKind(record) !== undefined) return { kind: 'around' }
  const found = JSON.stringify(
    record.cells
      .filter((cell) => cell !== '')
      .join(' | ')
      .slice(0, 80),
  )
  return { kind: 'unbooked', message: `a line of totals, not a booking (${found}), skipped` }
}

/**
 * The texts of a record that continues the purpose of the record before it, in profiles with such
 * records; without days, which are those of that record.
 */
export function continuationIn({ cells }: CsvRecord, plan: CsvPlan): string | undefined {
  const { profile, at, continuedAt } = plan
  if (profile.continued !== true && continuedAt === undefined) return undefined
  const isFilled = (place: number | undefined): boolean => (cells[place ?? -1] ?? '') !== ''
  const days = [at.bookingDate, at.valueDate]
  if ([at.amount, at.charge, at.debit, at.credit].some(isFilled)) return undefined
  if (days.some(isFilled) && !isFilled(continuedAt)) return undefined
  return joinTexts(cells.filter((_, place) => !days.includes(place)))
}

/** The column that marks a record as not booked; undefined = it is booked. */
function unbookedColumn({ cells }: CsvRecord, plan: CsvPlan): number | undefined {
  const { moved, booked, unbooked } = plan
  if (moved.some(({ at, keys }) => keys.has(columnKey(cells[at] ?? '')))) return undefined
  const refused = unbooked.find(({ at, keys }) => keys.has(columnKey(cells[at] ?? '')))
  return (refused ?? booked.find(({ at, keys }) => !keys.has(columnKey(cells[at] ?? ''))))?.at
}

/** Inserts an empty cell into a record one cell short, where its profile allows it. */
function withLackingCell(record: CsvRecord, plan: CsvPlan): CsvRecord {
  const { mayLackAt } = plan
  if (mayLackAt === undefined || record.cells.length !== plan.width - 1) return record
  return { ...record, cells: record.cells.toSpliced(mayLackAt, 0, '') }
}

/** Whether no cell is a day or an amount: a remark between the entries, not a damaged entry. */
function movesNothing({ cells }: CsvRecord, { days, decimalMark }: CsvNotation): boolean {
  return cells.every(
    (cell) =>
      cell === '' ||
      (readDay(cell, days) === undefined && typeof readDecimal(cell, decimalMark) === 'string'),
  )
}

function accountOf(cells: EntryCells, plan: CsvPlan): StatementAccount {
  const iban = cells.text('accountIban')
  const accountNumber = cells.text('accountNumber')
  const named = iban === undefined ? {} : accountOfText(iban)
  if (iban === undefined && accountNumber === undefined && plan.account === undefined) {
    cells.refuse(plan.at.accountIban ?? plan.at.accountNumber, 'names no own account')
  }
  const bic = compactCode(cells.text('accountBic') ?? '')
  return {
    ...(iban === undefined && accountNumber === undefined ? plan.account : {}),
    ...presentOnly<StatementAccount>({
      accountNumber,
      name: cells.text('accountName'),
      holderName: cells.text('accountHolder'),
      bankName: cells.text('accountBank'),
      bic: isBic(bic) ? bic : undefined,
      blz: cells.text('accountBlz'),
    }),
    ...named,
  }
}

function transactionOf(cells: EntryCells, plan: CsvPlan, position: string): StatementTransaction {
  const { currency } = cells
  const { amount, feeText } = amountOf(cells)
  const bookedAt = cells.day('bookingDate')
  const valuedAt = cells.day('valueDate')
  if (bookedAt === undefined && valuedAt === undefined) {
    cells.refuse(plan.at.bookingDate ?? plan.at.valueDate, 'has no date')
  }
  const { unread, ...original } = originalOf(cells, amount)
  const paypal = presentOnly<NonNullable<StatementTransaction['paypal']>>({
    invoiceNumber: cells.text('paypalInvoiceNumber'),
    fee: cells.decimal('paypalFee'),
    net: cells.decimal('paypalNet'),
  })
  const transaction: StatementTransaction = {
    amount,
    currency,
    counterpart: counterpartOf(cells, amount),
    position,
    ...original,
    ...presentOnly<Partial<StatementTransaction>>({
      bookedAt,
      valuedAt,
      type: cells.joined('type'),
      endToEndReference: cells.reference('endToEndReference'),
      primanota: cells.text('primanota'),
      balanceAfter: balanceAfterOf(cells, amount),
      paypal: Object.keys(paypal).length === 0 ? undefined : paypal,
    }),
  }
  const purpose = cells.joined('purpose')
  if (purpose !== undefined) {
    fillFromPurpose(transaction, purpose, plan.profile.labels === true)
  }
  const ultimate = presentOnly<SepaFields>({
    ultimateDebtor: cells.text('ultimateDebtor'),
    ultimateCreditor: cells.text('ultimateCreditor'),
  })
  if (Object.keys(ultimate).length > 0) fillFromKeywords(transaction, ultimate)
  if (unread === undefined && feeText === undefined) return transaction
  const whole = joinTexts([transaction.purpose, unread, feeText])
  if (whole !== undefined) transaction.purpose = whole
  return transaction
}

function balanceAfterOf(cells: EntryCells, amount: Amount): Amount | undefined {
  const before = cells.decimal('balanceBefore')
  return cells.decimal('balanceAfter') ?? (before && addAmounts(before, amount))
}

/**
 * The original amount where it differs from the amount itself; in another currency it gets the sign
 * of the amount, which not every bank writes. Its currency is that of the column, else of its own
 * cell, else the account's.
 * @returns the whole cell as `unread` if its currency is not a code (`-189,91 MX$`)
 */
function originalOf(
  cells: EntryCells,
  amount: Amount,
): Pick<StatementTransaction, 'originalAmount' | 'originalCurrency'> & { unread?: string } {
  const text = cells.text('originalAmount')
  if (text === undefined) return {}
  const column = cells.text('originalCurrency')?.toUpperCase()
  const { currency = column ?? cells.currency } = splitCurrency(text)
  const originalCurrency = column ?? currency
  if (column === undefined && (currency === '$' || isOfUnknownUnit(text, cells))) {
    return { unread: text }
  }
  const written = cells.decimal('originalAmount')
  if (written === undefined) return {}
  if (!/^[A-Z]{3}$/u.test(originalCurrency)) {
    const message = `${JSON.stringify(originalCurrency)} is not a currency code such as USD`
    cells.refuse(cells.plan.at.originalCurrency, message)
  }
  const isUnsigned = amount.unscaled < 0 && written.unscaled > 0
  // A charge has no minus, and a credit has one, in the currency of the card as in the other.
  const isCharge = cells.plan.at.charge !== undefined
  const isRefund = isCharge && amount.unscaled > 0 && written.unscaled < 0
  const signed = isUnsigned || isRefund ? negateAmount(written) : written
  if (originalCurrency !== cells.currency) return { originalAmount: signed, originalCurrency }
  return compareAmounts(signed, amount) === 0
    ? {}
    : { originalAmount: isCharge ? signed : written, originalCurrency }
}

/** Whether the text is an amount once the characters after its last digit are removed. */
function isOfUnknownUnit(text: string, { notation: { decimalMark } }: EntryCells): boolean {
  const characters = [...text]
  const end = characters.findLastIndex((character) => /\d/u.test(character)) + 1
  const isAmount = (piece: string): boolean => typeof readDecimal(piece, decimalMark) !== 'string'
  const { number } = splitCurrency(text)
  return !isAmount(number) && isAmount(characters.slice(0, end).join(''))
}

/**
 * The counterpart. Banks write IBANs and old account numbers into one column; the shape decides.
 */
function counterpartOf(cells: EntryCells, amount: Amount): StatementCounterpart {
  const isOutgoing = amount.unscaled < 0
  const written =
    cells.text('counterpartIban') ?? cells.text(isOutgoing ? 'payeeIban' : 'payerIban')
  const iban = compactCode(written ?? '')
  const isIban = looksLikeIban(iban)
  const bicText = cells.text('counterpartBic') ?? cells.text(isOutgoing ? 'payeeBic' : 'payerBic')
  const bic = compactCode(bicText ?? '')
  const byDirection = cells.text(isOutgoing ? 'payeeName' : 'payerName')
  return presentOnly<StatementCounterpart>({
    accountNumber: cells.text('counterpartAccountNumber') ?? (isIban ? undefined : written),
    name: cells.joined('counterpartName') ?? byDirection,
    iban: isIban ? iban : undefined,
    bic: isBic(bic) ? bic : undefined,
    mandateReference: cells.reference('mandateReference'),
    creditorId: cells.reference('creditorId'),
    customerReference: cells.reference('customerReference'),
  })
}
