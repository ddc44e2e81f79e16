import type {
  AmountDirection,
  CategoryFilter,
  OwnTransfers,
  TransactionFilters,
} from '../query/transaction-query.js'
import * as added from './filter-parameters.js'
import * as parameters from './parameter-table.js'
import {
  digitsValue,
  readAccounts,
  readAmount,
  readChoice,
  readCurrency,
  readDay,
  readInstant,
  readLastOfDay,
  readSwitch,
  readText,
} from './parameter-values.js'
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

/** The filters of the operations on transactions: those of the contract, and then others. */
export const FILTER_ROWS: readonly QueryRow<Filters>[] = [
  filter(parameters.CATEGORY, 'category', readCategory),
  filter(parameters.PARENT_CATEGORY, 'parentCategory', readCategory),
  filter(parameters.VALUED_BEFORE, 'valuedBeforeMs', readInstant),
  filter(parameters.VALUED_AFTER, 'valuedAfterMs', readInstant),
  filter(parameters.BOOKED_BEFORE, 'bookedBeforeMs', readInstant),
  filter(parameters.BOOKED_AFTER, 'bookedAfterMs', readInstant),
  filter(parameters.IMPORTED_BEFORE, 'importedBeforeMs', readInstant),
  filter(parameters.IMPORTED_AFTER, 'importedAfterMs', readInstant),
  filter(added.AMOUNT_FROM, 'amountFrom', readAmount),
  filter(added.AMOUNT_TO, 'amountTo', readAmount),
  filter(added.ABSOLUTE_AMOUNT, 'absoluteAmount', readAmount),
  filter(added.DIRECTION, 'direction', readChoice<AmountDirection>),
  filter(added.CURRENCY, 'currency', readCurrency),
  filter(added.ACCOUNT_IDS, 'accountIds', readAccounts),
  filter(added.UNCATEGORIZED, 'uncategorized', readSwitch),
  filter(added.OWN_TRANSFERS, 'ownTransfers', readChoice<OwnTransfers>),
  filter(added.UPDATED_BEFORE, 'updatedBeforeMs', readInstant),
  filter(added.UPDATED_AFTER, 'updatedAfterMs', readInstant),
  filter(added.BOOKED_FROM, 'bookedFromMs', readDay),
  filter(added.BOOKED_TO, 'bookedToMs', readLastOfDay),
  filter(added.VALUED_FROM, 'valuedFromMs', readDay),
  filter(added.VALUED_TO, 'valuedToMs', readLastOfDay),
  filter(added.IMPORTED_FROM, 'importedFromMs', readDay),
  filter(added.IMPORTED_TO, 'importedToMs', readLastOfDay),
]

/** The filters of the operations on the transactions of one account. */
export const ACCOUNT_FILTER_ROWS: readonly QueryRow<Filters>[] = FILTER_ROWS.filter(
  ({ parameter }) => parameter !== added.ACCOUNT_IDS,
)

/** The dates that filters range over. */
export type FilterDateName = keyof TransactionFilters extends infer Field
  ? Field extends `${infer FieldDate}AfterMs`
    ? FieldDate
    : never
  : never

/** In the order of forms and tools. */
const DATE_PLACES: Readonly<Record<FilterDateName, number>> = {
  booked: 1,
  valued: 2,
  imported: 3,
  updated: 4,
}

const SIDES = ['From', 'To', 'After', 'Before']

/** The filters in the order of forms and tools: dates last, each with its sides in order. */
export const FILTERS: readonly parameters.QueryParameter[] = FILTER_ROWS.map(
  ({ parameter }) => parameter,
).sort((a, b) => placeOf(a) - placeOf(b))

function placeOf(parameter: parameters.QueryParameter): number {
  if (!isDateFilter(parameter)) return 0
  const [, date, side = ''] = /^([a-z]+)([A-Z].*)$/.exec(parameter.name) ?? []
  return DATE_PLACES[date as FilterDateName] * SIDES.length + SIDES.indexOf(side)
}

/** Whether the filter is a bound of a date. */
export function isDateFilter({ kind }: parameters.QueryParameter): boolean {
  return kind === 'instant' || kind === 'day'
}
