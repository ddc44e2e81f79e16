import { type EpochMs, formatInstant, parseDay } from '../../../instant.js'
import type { TransactionFilters } from '../../../query/transaction-query.js'
import { FILTERS, type FilterDateName } from '../../../wire/filter-rows.js'
import type { Form } from '../../../wire/form.js'

const DAY_MS = 86_400_000

/** The filters by text, whose fields have the names of the parameters. */
export const TEXT_FILTERS = FILTERS.filter(({ kind }) => kind !== 'instant').map(
  ({ name }) => name as TextFilter,
)

/** The name of a filter by text. */
export type TextFilter = Exclude<keyof TransactionFilters, `${string}Ms`>

/** Parameters of the contract for the days of a form. */
const DAY_PARAMETERS = FILTERS.filter(({ kind }) => kind === 'instant').map(({ name }) => {
  const [, date, side] = /^(.+)(After|Before)$/.exec(name) ?? []
  return side === 'After'
    ? { day: `${date as FilterDateName}From` as const, parameter: name, edge: -1 }
    : { day: `${date as FilterDateName}To` as const, parameter: name, edge: DAY_MS }
})

/** The dates of the form's days. */
export const FILTER_DATES: readonly FilterDateName[] = DAY_PARAMETERS.flatMap(({ day }) =>
  day.endsWith('From') ? [day.slice(0, -'From'.length) as FilterDateName] : [],
)

/** The names of the fields that the form folds away. */
export const NARROWING_NAMES = [
  ...(['account', 'counterpart'] as const),
  ...TEXT_FILTERS,
  ...DAY_PARAMETERS.map(({ day }) => day),
  ...(['sortBy', 'order'] as const),
]

/** The name of a field of the explorer's form. */
export type FilterName =
  | (typeof NARROWING_NAMES)[number]
  | 'query'
  | 'threshold'
  | 'customSchema'
  | 'currency'
  | 'limit'
  | 'offset'

/** The names of the explorer's form fields, which are parameters of its URLs. */
export const FILTER_NAMES: readonly FilterName[] = [
  'query',
  ...NARROWING_NAMES,
  'threshold',
  'customSchema',
  'currency',
  'limit',
  'offset',
]

/** The filters that are set. An empty, repeated or malformed parameter is not. */
export type FilterValues = Readonly<Partial<Record<FilterName, string | undefined>>>

/** The filters in the URL of a page. */
export function readFilters(form: Pick<Form, 'value'>): FilterValues {
  const values: Partial<Record<FilterName, string>> = {}
  for (const name of FILTER_NAMES) {
    const value = form.value(name)
    if (value !== undefined) values[name] = value
  }
  return values
}

/**
 * A URL with the values, in the order of {@link FILTER_NAMES}.
 * @param changes the values that differ; undefined = no longer set
 */
export function urlWith(path: string, values: FilterValues, changes: FilterValues = {}): string {
  const set = { ...values, ...changes }
  const pairs = FILTER_NAMES.flatMap((name) => {
    const value = set[name]
    return value === undefined ? [] : [`${name}=${encodeQueryText(value)}`]
  })
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Percent-encoded, including the apostrophe, so that the text can be quoted with apostrophes. */
export function encodeQueryText(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/**
 * The parameters of the contract for the days that are set. Days are UTC, first and last included:
 * "after" is the last millisecond before the first of them, "before" the midnight that ends the
 * last. A text that is no day is passed on unchanged, so that the service reports its fault.
 */
export function dayParameters(values: FilterValues): [name: string, value: string][] {
  return DAY_PARAMETERS.flatMap(({ day, parameter, edge }) => {
    const text = values[day]
    return text === undefined ? [] : [[parameter, instantText(text, edge)] as [string, string]]
  })
}

function instantText(day: string, edge: number): string {
  const ms: EpochMs | undefined = parseDay(day)
  // The years before 0000 and after 9999 have another shape, which the service refuses.
  return ms === undefined ? day : formatInstant(ms + edge)
}

/** The filter that a parameter of the contract, or a segment of its path, was made from. */
export function filterOf(parameter: string): FilterName | undefined {
  const ofPath: Readonly<Record<string, FilterName>> = {
    identifier: 'account',
    iban: 'counterpart',
  }
  const ofDay = DAY_PARAMETERS.find((row) => row.parameter === parameter)?.day
  return ofDay ?? ofPath[parameter] ?? FILTER_NAMES.find((name) => name === parameter)
}
