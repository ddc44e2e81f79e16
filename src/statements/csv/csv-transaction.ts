import { compactCode, isBic, looksLikeIban } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import type { Amount } from '../../money.js'
import { compareAmounts, negateAmount } from '../../money.js'
import { DAY_EXAMPLE, readDay } from '../day-text.js'
import { DECIMAL_EXAMPLE, readDecimal, splitCurrency } from '../decimal-text.js'
import { presentOnly } from '../present.js'
import { fillFromKeywords, readSepaKeywords, type SepaFields } from '../sepa-keywords.js'
import type {
  StatementAccount,
  StatementCounterpart,
  StatementFault,
  StatementTransaction,
} from '../statement.js'
import { FIELD_CODE_POINTS_MAX, StatementError } from '../statement.js'
import type { CsvNotation } from './csv-notation.js'
import type { CsvPlan } from './csv-plan.js'
import { accountOfText } from './csv-plan.js'
import type { ProfileField } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

/** The kind of one record. `beside` is a line around the bookings (a balance, say). */
export type CsvEntry =
  | {
      readonly kind: 'booking'
      readonly account: StatementAccount
      readonly transaction: StatementTransaction
    }
  | { readonly kind: 'unbooked'; readonly message: string }
  | { readonly kind: 'beside' }
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
  if (footers.some((footer) => first.startsWith(footer))) return { kind: 'beside' }
  if (sectionPrefix !== undefined && first.startsWith(sectionPrefix)) {
    const begins = `another account begins here (${JSON.stringify(first)})`
    const message = `${begins}; export each account to a separate file`
    throw new StatementError({ position, message })
  }
  const columnCount = record.cells.findLastIndex((cell) => cell !== '') + 1
  if (record.cells.length < plan.width || columnCount > plan.width) {
    if (movesNothing(record, notation)) {
      const message = `has no day and no amount (${JSON.stringify(first.slice(0, 80))}), skipped`
      return { kind: 'unbooked', message }
    }
    const count = record.cells.length < plan.width ? record.cells.length : columnCount
    const found = record.cells.join(' | ').slice(0, 80)
    const message = `has ${count} columns, expected ${plan.width}; found ${JSON.stringify(found)}`
    return { kind: 'refused', fault: { position, message } }
  }
  for (const { at, keys } of plan.unbooked) {
    const text = record.cells[at] ?? ''
    if (!keys.has(columnKey(text))) continue
    return { kind: 'unbooked', message: `not booked (${plan.header[at]}: ${text}), skipped` }
  }
  const cells = new EntryCells(record, plan, notation)
  const account = accountOf(cells, plan)
  const transaction = transactionOf(cells, plan, position)
  if (cells.fault !== undefined) return { kind: 'refused', fault: cells.fault }
  return { kind: 'booking', account, transaction }
}

/** Inserts an empty cell into a record one cell short, where its profile allows it. */
function withLackingCell(record: CsvRecord, plan: CsvPlan): CsvRecord {
  const { mayLackAt } = plan
  if (mayLackAt === undefined || record.cells.length !== plan.width - 1) return record
  return { ...record, cells: record.cells.toSpliced(mayLackAt, 0, '') }
}

/** Whether no cell is a day or an amount: a remark between the entries, and no damaged entry. */
function movesNothing({ cells }: CsvRecord, { days, decimalMark }: CsvNotation): boolean {
  return cells.every(
    (cell) =>
      cell === '' ||
      (readDay(cell, days) === undefined && typeof readDecimal(cell, decimalMark) === 'string'),
  )
}

/** The cells of one record by field; keeps the first fault. */
class EntryCells {
  fault: StatementFault | undefined
  /** ISO 4217; a currency sign in an amount has to match it. */
  readonly currency: string

  constructor(
    private readonly record: CsvRecord,
    readonly plan: CsvPlan,
    readonly notation: CsvNotation,
  ) {
    this.currency = this.#readCurrency()
  }

  textAt(at: number | undefined): string | undefined {
    const text = at === undefined ? '' : (this.record.cells[at] ?? '')
    if (text === '') return undefined
    if (text.length > FIELD_CODE_POINTS_MAX && [...text].length > FIELD_CODE_POINTS_MAX) {
      this.refuse(at, `longer than ${FIELD_CODE_POINTS_MAX} characters`)
      return undefined
    }
    return text.replace(/\s+/gu, (run) => (run.includes('\n') ? ' ' : run))
  }

  text(field: ProfileField): string | undefined {
    return this.textAt(this.plan.at[field])
  }

  /** A SEPA reference; `NOTPROVIDED` means none. */
  reference(field: ProfileField): string | undefined {
    const text = this.text(field)
    return text?.toUpperCase() === 'NOTPROVIDED' ? undefined : text
  }

  day(field: ProfileField): EpochMs | undefined {
    const text = this.text(field)
    if (text === undefined) return undefined
    const day = readDay(text, this.notation.days)
    if (day !== undefined) return day
    const expected = DAY_EXAMPLE[this.notation.days]
    this.refuse(
      this.plan.at[field],
      `${JSON.stringify(text)} is not a calendar day; expected for example ${expected}`,
    )
    return undefined
  }

  decimal(field: ProfileField): Amount | undefined {
    const text = this.text(field)
    if (text === undefined) return undefined
    const { number, currency } = splitCurrency(text)
    const quoted = JSON.stringify(text)
    const other = currency !== undefined && currency !== '$' && currency !== this.currency
    if (other && field !== 'originalAmount') {
      this.refuse(this.plan.at[field], `${quoted} is not in ${this.currency}`)
    }
    const amount = readDecimal(number, this.notation.decimalMark)
    if (typeof amount !== 'string') return amount
    const expected = DECIMAL_EXAMPLE[this.notation.decimalMark]
    this.refuse(this.plan.at[field], `${quoted} ${amount}; expected for example ${expected}`)
    return undefined
  }

  refuse(at: number | undefined, message: string): void {
    const field = at === undefined ? {} : { field: this.plan.header[at] ?? '' }
    this.fault ??= { position: `line ${this.record.line}`, ...field, message }
  }

  #readCurrency(): string {
    const { at } = this.plan
    const written = this.text('currency')
    const amount = this.text('amount') ?? this.text('debit') ?? this.text('credit') ?? ''
    const named = written === '€' ? 'EUR' : written?.toUpperCase()
    const currency = named ?? this.plan.currency ?? splitCurrency(amount).currency
    if (currency === undefined) {
      const message = 'the file does not name its currency; specify it, for example --currency EUR'
      throw new StatementError({ position: `line ${this.record.line}`, message })
    }
    if (!/^[A-Z]{3}$/u.test(currency)) {
      this.refuse(at.currency, `${JSON.stringify(currency)} is not a currency code such as EUR`)
    }
    return currency
  }
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
  const amount = amountOf(cells, plan)
  const bookedAt = cells.day('bookingDate')
  const valuedAt = cells.day('valueDate')
  if (bookedAt === undefined && valuedAt === undefined) {
    cells.refuse(plan.at.bookingDate ?? plan.at.valueDate, 'has no date')
  }
  const original = originalOf(cells, amount)
  const paypal = presentOnly<NonNullable<StatementTransaction['paypal']>>({
    invoiceNumber: cells.text('paypalInvoiceNumber'),
    fee: cells.decimal('paypalFee'),
    net: cells.decimal('paypalNet'),
  })
  const { purpose, fields } = splitPurpose(purposeOf(cells, plan))
  const transaction: StatementTransaction = {
    amount,
    currency,
    counterpart: counterpartOf(cells, amount),
    position,
    ...original,
    ...presentOnly<Partial<StatementTransaction>>({
      purpose,
      bookedAt,
      valuedAt,
      type: cells.text('type'),
      endToEndReference: cells.reference('endToEndReference'),
      primanota: cells.text('primanota'),
      paypal: Object.keys(paypal).length === 0 ? undefined : paypal,
    }),
  }
  if (fields !== undefined) fillFromKeywords(transaction, fields)
  return transaction
}

const BEGINS_WITH_KEYWORD = /^(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP)[+:]/

/** Characters of a full remittance part; the parts of a CSV file are joined already. */
const REMITTANCE_CHARS_MAX = 140

/**
 * Splits run-together SEPA keywords (`EREF+…MREF+…SVWZ+…`) off a purpose that begins with one; any
 * other purpose stays whole.
 */
function splitPurpose(text: string | undefined): { purpose?: string; fields?: SepaFields } {
  if (text === undefined) return {}
  if (!BEGINS_WITH_KEYWORD.test(text)) return { purpose: text }
  return { fields: readSepaKeywords([text], REMITTANCE_CHARS_MAX) }
}

function purposeOf(cells: EntryCells, plan: CsvPlan): string | undefined {
  let purpose = cells.text('purpose') ?? ''
  for (const at of plan.purposeMoreAt) {
    const more = cells.textAt(at) ?? ''
    if (!purpose.includes(more)) purpose = purpose === '' ? more : `${purpose} ${more}`
  }
  return purpose === '' ? undefined : purpose
}

const ZERO: Amount = { unscaled: 0, scale: 0 }

/** From the amount column, else from debit or credit, of which one is filled. */
function amountOf(cells: EntryCells, plan: CsvPlan): Amount {
  const amount = cells.decimal('amount')
  if (amount !== undefined) return amount
  const debit = cells.decimal('debit')
  const credit = cells.decimal('credit')
  const owed = debit !== undefined && debit.unscaled !== 0
  const due = credit !== undefined && credit.unscaled !== 0
  if (owed && due) {
    cells.refuse(plan.at.debit, 'has a value, and the credit column too')
  }
  if (owed && debit.unscaled < 0 !== cells.notation.debitsNegative) {
    const sign = cells.notation.debitsNegative ? 'has no minus' : 'has a minus'
    cells.refuse(plan.at.debit, `${JSON.stringify(cells.text('debit'))} ${sign}, unlike the others`)
  }
  if (owed) return cells.notation.debitsNegative ? debit : negateAmount(debit)
  if (due) return credit
  if (debit === undefined && credit === undefined) {
    cells.refuse(plan.at.amount ?? plan.at.debit ?? plan.at.credit, 'has no amount')
  }
  return ZERO
}

/** The original amount where it differs from the amount itself. */
function originalOf(
  cells: EntryCells,
  amount: Amount,
): Pick<StatementTransaction, 'originalAmount' | 'originalCurrency'> {
  const originalAmount = cells.decimal('originalAmount')
  const originalCurrency = cells.text('originalCurrency')?.toUpperCase() ?? cells.currency
  if (originalAmount === undefined) return {}
  if (!/^[A-Z]{3}$/u.test(originalCurrency)) {
    const message = `${JSON.stringify(originalCurrency)} is not a currency code such as USD`
    cells.refuse(cells.plan.at.originalCurrency, message)
  }
  const same = originalCurrency === cells.currency && compareAmounts(originalAmount, amount) === 0
  return same ? {} : { originalAmount, originalCurrency }
}

/** Banks write an IBAN or an old account number into the same column; its shape decides. */
function counterpartOf(cells: EntryCells, amount: Amount): StatementCounterpart {
  const written = cells.text('counterpartIban')
  const iban = compactCode(written ?? '')
  const isIban = looksLikeIban(iban)
  const bic = compactCode(cells.text('counterpartBic') ?? '')
  const byDirection = cells.text(amount.unscaled < 0 ? 'payeeName' : 'payerName')
  return presentOnly<StatementCounterpart>({
    accountNumber: cells.text('counterpartAccountNumber') ?? (isIban ? undefined : written),
    name: cells.text('counterpartName') ?? byDirection,
    iban: isIban ? iban : undefined,
    bic: isBic(bic) ? bic : undefined,
    mandateReference: cells.reference('mandateReference'),
    creditorId: cells.reference('creditorId'),
    customerReference: cells.reference('customerReference'),
  })
}
