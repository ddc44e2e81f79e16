import type { TransactionFilters } from '../../../query/transaction-query.js'
import { FILTERS, type FilterDateName, isDateFilter } from '../../../wire/filter-rows.js'
import type { Form } from '../../../wire/form.js'

/** The filters whose values are not dates; the fields have the names of the parameters. */
export const TEXT_FILTERS = FILTERS.filter((parameter) => !isDateFilter(parameter)).map(
  ({ name }) => name as TextFilter,
)

/** The name of a filter that is no date. */
export type TextFilter = Exclude<keyof TransactionFilters, `${string}Ms`>

/** A pair of bounds of one date. */
interface DatePair {
  readonly label: string
  readonly from: `${FilterDateName}${'From' | 'After'}`
  readonly to: `${FilterDateName}${'To' | 'Before'}`
  readonly type: 'date' | 'text'
}

/** The bounds of dates that the form has: days, both included, and instants of this service. */
export const DATE_PAIRS: readonly DatePair[] = [
  { label: 'Booked', from: 'bookedFrom', to: 'bookedTo', type: 'date' },
  { label: 'Valued', from: 'valuedFrom', to: 'valuedTo', type: 'date' },
  { label: 'Imported', from: 'importedFrom', to: 'importedTo', type: 'date' },
  { label: 'Imported', from: 'importedAfter', to: 'importedBefore', type: 'text' },
  { label: 'Updated', from: 'updatedAfter', to: 'updatedBefore', type: 'text' },
]

/** The names of the filters that the form has, in its order. */
export const FORM_FILTERS = [...TEXT_FILTERS, ...DATE_PAIRS.flatMap(({ from, to }) => [from, to])]

/** The names of the fields that the form folds away. */
export const NARROWING_NAMES = [
  ...(['account', 'counterpart'] as const),
  ...FORM_FILTERS,
  ...(['sortBy', 'order'] as const),
]

/** The name of a field of the explorer's form. */
export type FilterName =
  | (typeof NARROWING_NAMES)[number]
  | 'query'
  | 'threshold'
  | 'customSchema'
  | 'limit'
  | 'offset'

/** The names of the explorer's form fields, which are parameters of its URLs. */
export const FILTER_NAMES: readonly FilterName[] = [
  'query',
  ...NARROWING_NAMES,
  'threshold',
  'customSchema',
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

/** The filter that a parameter of the service, or a segment of its path, was made from. */
export function filterOf(parameter: string): FilterName | undefined {
  const ofPath: Readonly<Record<string, FilterName>> = {
    identifier: 'account',
    iban: 'counterpart',
  }
  return ofPath[parameter] ?? FILTER_NAMES.find((name) => name === parameter)
}
