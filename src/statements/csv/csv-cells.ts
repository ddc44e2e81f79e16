import type { EpochMs } from '../../instant.js'
import type { Amount } from '../../money.js'
import { DAY_EXAMPLE, readDay } from '../day-text.js'
import {
  DECIMAL_EXAMPLE,
  readProvedDecimal,
  splitCurrency,
  UNDECIDED_MARK,
} from '../decimal-text.js'
import { joinParts } from '../sepa-keywords.js'
import type { StatementFault } from '../statement.js'
import { FIELD_CODE_POINTS_MAX, StatementError } from '../statement.js'
import { columnNameAt } from './csv-columns.js'
import type { CsvNotation } from './csv-notation.js'
import type { CsvPlan } from './csv-plan.js'
import { columnsTextOf } from './csv-plan.js'
import type { JoinedField, ProfileField } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

/** The text of a cell without the profile's quotes; empty for a text that means a blank cell. */
function withoutMarks(text: string, { blanks, profile: { quote } }: CsvPlan): string {
  if (text === '' || (blanks.size > 0 && blanks.has(columnKey(text)))) return ''
  const isQuoted = quote !== undefined && text.length > 1 && text.startsWith(quote)
  return isQuoted && text.endsWith(quote) ? text.slice(1, -1).trim() : text
}

/** Joins the pieces of one text, which the bank cut at 27 or 35 characters. */
function joinedParts(pieces: readonly string[]): string | undefined {
  const parts = pieces.filter((piece) => piece !== '')
  const fullLength = parts.some((part) => part.length > 27) ? 35 : 27
  const { text } = joinParts(parts, fullLength)
  return text === '' ? undefined : text
}

/** The cells of one record by field; keeps the first fault. */
export class EntryCells {
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
    const text = at === undefined ? '' : withoutMarks(this.record.cells[at] ?? '', this.plan)
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

  /** The texts of all columns of the field, without those that an earlier one contains. */
  joined(field: JoinedField): string | undefined {
    const first = this.text(field) ?? ''
    const others = this.plan.moreAt[field]
    if (others.length === 0) return first === '' ? undefined : first
    const texts = [first, ...others.map((at) => this.textAt(at) ?? '')]
    if (field === 'purpose' && this.plan.profile.purposeParts === true) return joinedParts(texts)
    let joined = ''
    for (const text of texts) {
      if (!joined.includes(text)) joined = joined === '' ? text : `${joined} ${text}`
    }
    return joined === '' ? undefined : joined
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
      // Where no column has the currency, the caller named it, or the layout assumes it.
      const remedy = this.plan.at.currency === undefined ? `; specify --currency ${currency}` : ''
      this.refuse(this.plan.at[field], `${quoted} is not in ${this.currency}${remedy}`)
    }
    const amount = readProvedDecimal(number, this.notation)
    if (typeof amount !== 'string') return amount
    const expected =
      amount === UNDECIDED_MARK
        ? `specify it with --columns '${columnsTextOf(this.plan)},decimalMark=comma'`
        : `expected for example ${DECIMAL_EXAMPLE[this.notation.decimalMark]}`
    this.refuse(this.plan.at[field], `${quoted} ${amount}; ${expected}`)
    return undefined
  }

  refuse(at: number | undefined, message: string): void {
    const field = at === undefined ? {} : { field: columnNameAt(this.plan.header, at) }
    this.fault ??= { position: `line ${this.record.line}`, ...field, message }
  }

  #readCurrency(): string {
    const { at } = this.plan
    const written = this.text('currency')
    const money = (['amount', 'charge', 'debit', 'credit'] as const).find((field) =>
      this.text(field),
    )
    const amount = money === undefined ? '' : (this.text(money) ?? '')
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
