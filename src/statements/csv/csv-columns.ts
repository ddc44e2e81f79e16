import { CommandError } from '../../errors.js'
import type { DayOrder } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'
import type {
  ColumnTexts,
  CsvProfile,
  DirectionWords,
  JoinedField,
  ProfileField,
} from './csv-profile.js'
import { CSV_FIELDS, columnKey, JOINED_FIELDS } from './csv-profile.js'

/** The settings of `--columns` without a column, with their values. */
const COLUMN_SETTINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['dateFormat', ['dmy', 'mdy', 'ymd']],
  ['decimalMark', ['comma', 'point']],
])

/** Filters of records: the column, and the texts that decide. */
const COLUMN_FILTERS = ['booked', 'unbooked'] as const

/** All left sides of `--columns`. */
export const COLUMNS_WORDS: readonly string[] = [
  ...CSV_FIELDS,
  ...COLUMN_FILTERS,
  ...COLUMN_SETTINGS.keys(),
]

/**
 * Reads the text of `--columns`: `bookingDate=Datum,amount=Betrag`.
 * - A column is a name, in double quotes if it contains one of `, = " + : |`; `#3` is the third
 *   column; the second column of one name is `name#2`.
 * - `purpose=A+B`: several columns, joined by a blank; also for `type` and `counterpartName`.
 * - `direction=Column` has the direction, debit or credit; `direction=Column:out|in` in the bank's
 *   own words, debit first.
 * - `charge=Column`, instead of `amount`: without a minus a debit, with a minus a credit.
 * - `booked=Column:text|text`: only records with these texts are booked; `unbooked`: records with
 *   these texts are not.
 * - `dateFormat=dmy|mdy|ymd` and `decimalMark=comma|point` resolve an ambiguous file.
 *
 * @returns left sides -> right sides, both as written, trimmed
 * @throws CommandError naming the fault and the allowed values
 */
export function parseColumns(text: string): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  for (const { text: part } of splitUnquoted(text, ',')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const field = part.slice(0, equals).trim()
    const value = part.slice(equals + 1).trim()
    const choice = readChoice(value)
    if (equals < 0 || !/^[A-Za-z]+$/u.test(field) || choice === undefined) {
      const example = '--columns "bookingDate=Datum,amount=Betrag"'
      throw usage(`--columns: cannot read ${JSON.stringify(part)}; write ${example}`)
    }
    checkColumn(field, choice, columns)
    columns.set(field, value)
  }
  if (!columns.has('bookingDate') && !columns.has('valueDate')) {
    throw usage('--columns: name the column of bookingDate or valueDate')
  }
  checkMoney(columns)
  return columns
}

/** Checks that the fields of money describe one amount. */
function checkMoney(columns: ReadonlyMap<string, string>): void {
  const sides = ['debit', 'credit'].filter((side) => columns.has(side))
  if (columns.has('charge')) {
    const other = ['amount', ...sides, 'direction'].find((field) => columns.has(field))
    if (other === undefined) return
    throw usage(`--columns: charge is an amount with its own sign, and excludes ${other}`)
  }
  if (!columns.has('amount') && sides.length < 2) {
    throw usage(
      '--columns: name the column of amount, or those of debit and credit; if one column has ' +
        'debits without a minus and credits with a minus, as on cards, name it charge',
    )
  }
  if (columns.has('direction') && sides.length > 0) {
    throw usage('--columns: direction goes with amount, not with debit and credit')
  }
}

function checkColumn(
  field: string,
  choice: ColumnChoice,
  columns: ReadonlyMap<string, string>,
): void {
  const settings = COLUMN_SETTINGS.get(field)
  if (!COLUMNS_WORDS.includes(field)) {
    throw usage(`--columns: unknown field ${field}; the fields are ${COLUMNS_WORDS.join(', ')}`)
  }
  if (columns.has(field)) throw usage(`--columns: ${field} is given twice`)
  if (choice.names.includes('')) throw usage(`--columns: ${field} names no column`)
  if (settings !== undefined && !settings.includes(choice.whole ?? '')) {
    throw usage(`--columns: ${field} must be one of ${settings.join(', ')}`)
  }
  if (COLUMN_FILTERS.some((filter) => filter === field) && choice.texts.length === 0) {
    throw usage(`--columns: ${field} needs a text after the column, such as ${field}=State:DONE`)
  }
  if (choice.whole === undefined && !isAllowed(field, choice)) {
    throw usage(`--columns: ${field} takes one column`)
  }
  if (field === 'direction' && ![0, 2].includes(choice.texts.length)) {
    throw usage('--columns: direction takes two words, debit first, such as direction=Type:out|in')
  }
}

/** A right side of `--columns`. */
interface ColumnChoice {
  /** The whole text, if it has no quotes: it may be the name of a column. */
  readonly whole: string | undefined
  readonly names: readonly string[]
  readonly texts: readonly string[]
}

/** @returns undefined when a quote is out of place */
function readChoice(value: string): ColumnChoice | undefined {
  const names: string[] = []
  const texts: string[] = []
  let after = ''
  for (const { text, separator } of splitUnquoted(value, '+:|')) {
    const isText = after === ':' || (after === '|' && texts.length > 0)
    if (after === '|' && !isText) return undefined
    if (after === ':' && texts.length > 0) texts.push(`${texts.pop() ?? ''}:${plain(text) ?? ''}`)
    else (isText ? texts : names).push(plain(text) ?? '')
    if (plain(text) === undefined) return undefined
    after = separator
  }
  return { whole: value.includes('"') ? undefined : value, names, texts }
}

/** The text without its quotes; undefined when a quote is out of place. */
function plain(text: string): string | undefined {
  if (!text.includes('"')) return text
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  const inner = isQuoted ? text.slice(1, -1) : '"'
  return inner.replaceAll('""', '').includes('"') ? undefined : inner.replaceAll('""', '"')
}

/** Cuts a text at any of the separators outside double quotes; the parts are trimmed. */
function splitUnquoted(text: string, separators: string): { text: string; separator: string }[] {
  const parts: { text: string; separator: string }[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') isQuoted = !isQuoted
    const isEnd = at === text.length || (!isQuoted && separators.includes(character))
    if (!isEnd) continue
    parts.push({ text: text.slice(start, at).trim(), separator: character })
    start = at + 1
  }
  return parts
}

function usage(message: string): CommandError {
  return new CommandError('usage', message)
}

/**
 * The profile that `--columns` describes, for a table with these columns.
 * @param has whether the table has a column of this name
 * @returns the profile, whose signature has all named columns
 */
export function profileOfColumns(
  columns: ReadonlyMap<string, string>,
  has: (name: string) => boolean,
): CsvProfile {
  const single: Partial<Record<ProfileField, string>> = {}
  const more: Partial<Record<JoinedField, readonly string[]>> = {}
  const filters = new Map<string, readonly ColumnTexts[]>()
  const signature: string[] = []
  let directions: DirectionWords | undefined
  for (const [field, value] of columns) {
    if (COLUMN_SETTINGS.has(field)) continue
    const { names, texts } = choiceIn(field, value, has)
    const [name = '', ...others] = names
    signature.push(...names)
    if (COLUMN_FILTERS.some((filter) => filter === field)) {
      filters.set(field, [{ column: name, texts }])
      continue
    }
    single[field as ProfileField] = name
    if (others.length > 0) more[field as JoinedField] = others
    const [debit, credit] = texts
    if (debit !== undefined && credit !== undefined) {
      directions = { debit: [debit], credit: [credit] }
    }
  }
  const booked = filters.get('booked')
  const unbooked = filters.get('unbooked')
  return {
    name: '--columns',
    signature,
    days: (columns.get('dateFormat') as DayOrder | undefined) ?? 'inferred',
    decimalMark: (columns.get('decimalMark') as DecimalMark | undefined) ?? 'inferred',
    columns: single,
    more,
    ...(directions === undefined ? {} : { directions }),
    ...(booked === undefined ? {} : { booked }),
    ...(unbooked === undefined ? {} : { unbooked }),
  }
}

/** The choice of a field in one table: the whole text is a name if the table has such a column. */
function choiceIn(
  field: string,
  value: string,
  has: (name: string) => boolean,
): Pick<ColumnChoice, 'names' | 'texts'> {
  const choice = readChoice(value) ?? { whole: value, names: [value], texts: [] }
  const { whole } = choice
  if (whole !== undefined && has(whole)) return { names: [whole], texts: [] }
  return whole === undefined || isAllowed(field, choice) ? choice : { names: [whole], texts: [] }
}

/** Whether the field may have several columns, or texts. */
function isAllowed(
  field: string,
  { names, texts }: Pick<ColumnChoice, 'names' | 'texts'>,
): boolean {
  const isFilter = COLUMN_FILTERS.some((filter) => filter === field)
  if (isFilter || field === 'direction') return names.length === 1
  const isJoined = JOINED_FIELDS.some((joined) => joined === field)
  return texts.length === 0 && (names.length === 1 || isJoined)
}

/** The number of a column in the form `#3`, from 1; undefined for any other name. */
export function columnNumber(name: string): number | undefined {
  const digits = /^#([1-9]\d{0,3})$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * A column as `--columns` takes it, also within the single quotes of a shell: its name, or its
 * number if the name contains such a quote or a line break.
 */
export function writtenColumnAt(header: readonly string[], place: number): string {
  const name = columnNameAt(header, place)
  return /['\r\n]/u.test(name) ? `#${place + 1}` : writtenText(name)
}

/** A text on the right side of `--columns`, quoted if needed. */
export function writtenText(text: string): string {
  const isPlain = !/[,="+:|]/u.test(text) && text.trim() === text && text !== ''
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** The text for `--columns`. @param columns left sides -> right sides, quoted if needed */
export function columnsText(columns: Iterable<readonly [string, string]>): string {
  return [...columns].map(([field, value]) => `${field}=${value}`).join(',')
}

/** The normal form of the name of a column, or `#3` if the name cannot be used. */
export function columnNameAt(header: readonly string[], place: number): string {
  const name = header[place] ?? ''
  const key = columnKey(name)
  if (key === '') return `#${place + 1}`
  const earlierCount = earlierCountsOf(header)[place] ?? 0
  return earlierCount === 0 ? name : `${name.trim()}#${earlierCount + 1}`
}

const EARLIER_COUNTS = new WeakMap<readonly string[], readonly number[]>()

/** For each column, the number of columns of the same name before it; counted once a header. */
function earlierCountsOf(header: readonly string[]): readonly number[] {
  const known = EARLIER_COUNTS.get(header)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  const earlier = header.map((name) => {
    const key = columnKey(name)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count
  })
  EARLIER_COUNTS.set(header, earlier)
  return earlier
}
