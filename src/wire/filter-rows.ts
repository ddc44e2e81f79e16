import type { CategoryFilter, TransactionFilters } from '../query/transaction-query.js'
import * as parameters from './parameter-table.js'
import { digitsValue, readInstant, readText } from './parameter-values.js'
import type { QueryRow } from './raw-query.js'

/** A typed query while it is being parsed. */
export type WritableObject<T> = { -readonly [Name in keyof T]: T[Name] }

type Filters = WritableObject<TransactionFilters>

/** @param read the value of the field, from the decoded text */
function filter<Parameter extends parameters.QueryParameter, Field extends keyof Filters>(
  parameter: Parameter,
  field: Field,
  read: (parameter: Parameter, text: string, start: number, end: number) => Filters[Field],
): QueryRow<Filters> {
  return {
    parameter,
    take: (query, text, start, end) => {
      query[field] = read(parameter, text, start, end)
    },
  }
}

/** A category of digits alone is an id as well as a name. */
function readCategory(
  parameter: parameters.TextParameter,
  text: string,
  start: number,
  end: number,
): CategoryFilter {
  const id = digitsValue(text, start, end)
  return { text: readText(parameter, text, start, end), id: id > 0 ? id : undefined }
}

/** The filters that every operation on transactions takes, in the order of the contract. */
export const FILTER_ROWS: readonly QueryRow<Filters>[] = [
  filter(parameters.CATEGORY, 'category', readCategory),
  filter(parameters.PARENT_CATEGORY, 'parentCategory', readCategory),
  filter(parameters.VALUED_BEFORE, 'valuedBeforeMs', readInstant),
  filter(parameters.VALUED_AFTER, 'valuedAfterMs', readInstant),
  filter(parameters.BOOKED_BEFORE, 'bookedBeforeMs', readInstant),
  filter(parameters.BOOKED_AFTER, 'bookedAfterMs', readInstant),
  filter(parameters.IMPORTED_BEFORE, 'importedBeforeMs', readInstant),
  filter(parameters.IMPORTED_AFTER, 'importedAfterMs', readInstant),
]

/** The dates that filters range over. */
export type FilterDateName = keyof TransactionFilters extends infer Field
  ? Field extends `${infer FieldDate}AfterMs`
    ? FieldDate
    : never
  : never

/** In the order of forms and tools. */
const DATE_PLACES: Readonly<Record<FilterDateName, number>> = { booked: 1, valued: 2, imported: 3 }

/** The filters in the order of forms and tools: texts, then dates, each "after", then "before". */
export const FILTERS: readonly parameters.QueryParameter[] = FILTER_ROWS.map(
  ({ parameter }) => parameter,
).sort((a, b) => placeOf(a) - placeOf(b))

function placeOf({ kind, name }: parameters.QueryParameter): number {
  if (kind !== 'instant') return 0
  const [, date, side] = /^(.+)(After|Before)$/.exec(name) ?? []
  return DATE_PLACES[date as FilterDateName] * 2 + (side === 'After' ? 0 : 1)
}
