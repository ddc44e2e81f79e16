import { compactCode, isBic } from '../../iban.js'
import type { EpochMs } from '../../instant.js'
import type { Amount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import { readDay } from '../day-text.js'
import { decimalMarkOf, readDecimal } from '../decimal-text.js'
import { presentOnly } from '../present.js'
import type {
  ReadOptions,
  StatementAccount,
  StatementCounterpart,
  StatementEvent,
  StatementFault,
  StatementTransaction,
} from '../statement.js'
import { FIELD_CODE_POINTS_MAX, StatementError } from '../statement.js'
import type { OfxElement } from './ofx-elements.js'

/** The event of one STMTTRN, and its FITID, which the file as a whole may prove not unique. */
export interface OfxEntry {
  readonly event: StatementEvent
  readonly fitId: string | undefined
  /** A sentence about a type that contradicts the sign of the amount; absent = no contradiction. */
  readonly warning?: string
}

/** Whether the element is a statement of a bank account or a credit card. */
export function isStatement(element: OfxElement): boolean {
  return element.name === 'STMTRS' || element.name === 'CCSTMTRS'
}

/**
 * The own account: BANKACCTFROM or CCACCTFROM, else the caller's. An ACCTID with the shape of an
 * IBAN is one; a BANKID may be a BIC or a German bank code by its shape. The name is the kind of
 * account.
 * @throws StatementError when neither names it
 */
export function accountOfStatement(
  statement: OfxElement,
  options: ReadOptions,
  bankName: string | undefined,
): StatementAccount {
  const from = child(statement, 'BANKACCTFROM') ?? child(statement, 'CCACCTFROM')
  const id = textIn(from, 'ACCTID') ?? options.account
  if (id === undefined) {
    const example = '--account DE89370400440532013000'
    const message = `the statement does not name its account; specify it, for example ${example}`
    throw new StatementError({ position: `line ${statement.line}`, field: 'ACCTID', message })
  }
  const iban = compactCode(id)
  const bankId = compactCode(textIn(from, 'BANKID') ?? '')
  return presentOnly<StatementAccount>({
    ...(isMeantAsIban(iban) ? { iban } : { accountNumber: id }),
    name: statement.name === 'CCSTMTRS' ? 'CREDITCARD' : textIn(from, 'ACCTTYPE'),
    bankName,
    bic: isBic(bankId) ? bankId : undefined,
    blz: /^\d{8}$/u.test(bankId) ? bankId : undefined,
    currency: currencyOf(statement, options),
  })
}

/** The entries of the statement in file order. @param countBefore transactions before them */
export function readStatement(
  statement: OfxElement,
  options: ReadOptions,
  countBefore: number,
): OfxEntry[] {
  const currency = currencyOf(statement, options)
  return statement.children
    .filter(({ name }) => name === 'BANKTRANLIST')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'STMTTRN'))
    .map((element, i) => {
      const position = `transaction ${countBefore + i + 1} (line ${element.line})`
      const fields = new EntryFields(element, position)
      const event = readTransaction(fields, currency)
      const warning =
        event.kind === 'transaction' ? warningOfSign(fields, event.transaction) : undefined
      return { event, fitId: fields.text('FITID'), ...presentOnly({ warning }) }
    })
}

/** LEDGERBAL, the closing balance; OFX has no opening balance. A `warning` if unreadable. */
export function balanceOf(statement: OfxElement, options: ReadOptions): StatementEvent | undefined {
  const element = child(statement, 'LEDGERBAL')
  if (element === undefined) return undefined
  const fields = new EntryFields(element, `LEDGERBAL (line ${element.line})`)
  const amount = fields.amount('BALAMT')
  const at = fields.day('DTASOF')
  const currency = currencyOf(statement, options)
  if (fields.fault === undefined) {
    return {
      kind: 'balance',
      balance: { kind: 'closing', amount, currency, ...presentOnly({ at }) },
    }
  }
  const { field, message, position } = fields.fault
  return { kind: 'warning', message: `${field}: ${message}`, position }
}

/** The fields of one aggregate; keeps the first fault. */
class EntryFields {
  fault: StatementFault | undefined

  constructor(
    readonly element: OfxElement,
    readonly position: string,
  ) {}

  text(name: string): string | undefined {
    const text = textIn(this.element, name)
    if (text === undefined) return undefined
    if (text.length > FIELD_CODE_POINTS_MAX && [...text].length > FIELD_CODE_POINTS_MAX) {
      this.refuse(name, `longer than ${FIELD_CODE_POINTS_MAX} characters`)
      return undefined
    }
    return text.replace(/\s+/gu, (run) => (/[\r\n]/u.test(run) ? ' ' : run))
  }

  /** The calendar day as written, whatever time zone follows. */
  day(name: string): EpochMs | undefined {
    const text = this.#only(name)
    if (text === undefined) return undefined
    const digits = /^(\d{8})(?:\d{2}(?:\d{2}(?:\d{2}(?:\.\d*)?)?)?)?(?:\s*\[[^\]]*\])?$/u.exec(text)
    const day = readDay(digits?.[1] ?? '', 'ymd')
    if (day === undefined) {
      this.refuse(
        name,
        `${JSON.stringify(text)} is not a calendar day; expected for example ` +
          '20241231120000[-5:EST]',
      )
    }
    return day
  }

  /** Point or comma before the decimals; the specification allows no thousands marks. */
  amount(name: string): Amount {
    const text = this.#only(name)
    const number = text?.replace(/[.,]$/u, '') ?? ''
    const mark = decimalMarkOf(number)
    const isUnclear = mark === 'ambiguous' && number.includes(',')
    const amount = readDecimal(number, mark === 'comma' ? 'comma' : 'point')
    if (typeof amount !== 'string' && !isUnclear) return amount
    const why = isUnclear ? 'could have thousands separators or decimals' : String(amount)
    const found = text === undefined ? 'is missing' : `${JSON.stringify(text)} ${why}`
    this.refuse(name, `${found}; expected for example -1234.56`)
    return { unscaled: 0, scale: 0 }
  }

  /**
   * The text of a field; it is refused if it occurs twice, as the end tag of an entry is missing.
   */
  #only(name: string): string | undefined {
    const count = this.element.children.filter((field) => field.name === name).length
    if (count > 1) this.refuse(name, `occurs ${count} times in one entry`)
    return this.text(name)
  }

  refuse(field: string, message: string): void {
    this.fault ??= { position: this.position, field, message }
  }
}

function readTransaction(fields: EntryFields, accountCurrency: string): StatementEvent {
  const { position } = fields
  const type = fields.text('TRNTYPE')
  if (type === 'HOLD') {
    return { kind: 'warning', message: 'not booked (TRNTYPE: HOLD), skipped', position }
  }
  const corrects = fields.text('CORRECTFITID')
  if (corrects !== undefined) {
    const action = fields.text('CORRECTACTION') ?? 'REPLACE'
    fields.refuse('CORRECTFITID', `corrects ${JSON.stringify(corrects)} (${action}), unsupported`)
  }
  const amount = fields.amount('TRNAMT')
  const bookedAt = fields.day('DTPOSTED')
  if (bookedAt === undefined) fields.refuse('DTPOSTED', 'is missing')
  // CURRENCY: the amount is in that currency. ORIGCURRENCY: the amount was converted from that
  // currency; the file lacks the original amount, which division by CURRATE does not give exactly.
  const currency = currencySymbol(fields, 'CURRENCY') ?? accountCurrency
  const transaction: StatementTransaction = {
    amount,
    currency,
    counterpart: counterpartOf(fields),
    position,
    ...presentOnly<Partial<StatementTransaction>>({
      bookedAt,
      valuedAt: fields.day('DTAVAIL') ?? fields.day('DTUSER'),
      type,
      purpose: fields.text('MEMO'),
      originalCurrency: currencySymbol(fields, 'ORIGCURRENCY'),
    }),
  }
  if (fields.fault !== undefined) return { kind: 'refused', fault: fields.fault }
  return { kind: 'transaction', transaction }
}

/** Warning about a type `DEBIT` or `CREDIT` that contradicts the sign, which OFX amounts have. */
function warningOfSign(fields: EntryFields, transaction: StatementTransaction): string | undefined {
  const { type, amount } = transaction
  const isContradicted =
    (type === 'DEBIT' && amount.unscaled > 0) || (type === 'CREDIT' && amount.unscaled < 0)
  if (!isContradicted) return undefined
  const what = amount.unscaled > 0 ? 'incoming' : 'outgoing'
  return (
    `the type ${type} (TRNTYPE) contradicts the amount ${fields.text('TRNAMT')} (TRNAMT), which ` +
    `is signed in OFX: it is taken as ${what}; check it, and ask the bank if it is not`
  )
}

function counterpartOf(fields: EntryFields): StatementCounterpart {
  const { element } = fields
  const payee = child(element, 'PAYEE')
  const to = child(element, 'BANKACCTTO') ?? child(element, 'CCACCTTO')
  const id = textIn(to, 'ACCTID')
  const iban = compactCode(id ?? '')
  const bic = compactCode(textIn(to, 'BANKID') ?? '')
  // Banks write 0 for transactions other than checks.
  const check = fields.text('CHECKNUM')?.replace(/^0+$/u, '')
  return presentOnly<StatementCounterpart>({
    accountNumber: isMeantAsIban(iban) ? undefined : id,
    name: fields.text('EXTDNAME') ?? fields.text('NAME') ?? textIn(payee, 'NAME'),
    iban: isMeantAsIban(iban) ? iban : undefined,
    bic: isBic(bic) ? bic : undefined,
    customerReference: check === undefined || check === '' ? fields.text('REFNUM') : check,
  })
}

function currencySymbol(fields: EntryFields, aggregate: string): string | undefined {
  const element = child(fields.element, aggregate)
  if (element === undefined) return undefined
  const symbol = textIn(element, 'CURSYM')?.toUpperCase() ?? ''
  if (/^[A-Z]{3}$/u.test(symbol)) return symbol
  fields.refuse(aggregate, `${JSON.stringify(symbol)} is not a currency code such as USD`)
  return undefined
}

function currencyOf(statement: OfxElement, options: ReadOptions): string {
  const currency = textIn(statement, 'CURDEF')?.toUpperCase() ?? options.currency
  if (currency !== undefined && /^[A-Z]{3}$/u.test(currency)) return currency
  const found =
    currency === undefined ? 'is missing' : `${JSON.stringify(currency)} is not a currency`
  const message = `${found}; expected a code such as EUR, or specify it with --currency EUR`
  throw new StatementError({ position: `line ${statement.line}`, field: 'CURDEF', message })
}

function child(element: OfxElement | undefined, name: string): OfxElement | undefined {
  return element?.children.find((candidate) => candidate.name === name)
}

function textIn(element: OfxElement | undefined, name: string): string | undefined {
  const text = child(element, name)?.text
  return text === undefined || text === '' ? undefined : text
}
