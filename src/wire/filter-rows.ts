import type { CategoryFilter, TransactionFilters } from '../query/transaction-query.js'
import * as parameters from './parameter-table.js'
import { digitsValue, readInstant, readText } from './parameter-values.js'
import type { QueryRow } from './raw-query.js'

/** A typed query while it is being parsed. */
export type WritableObject<T> = { -readonly [Name in keyof T]: T[Name] }

type Row = QueryRow<WritableObject<TransactionFilters>>

type CategoryField = Exclude<keyof TransactionFilters, InstantName>

type InstantName = Extract<keyof TransactionFilters, `${string}Ms`>

function categoryRow(parameter: parameters.TextParameter, name: CategoryField): Row {
  return {
    parameter,
    take: (query, text, start, end) => {
      query[name] = categoryChoice(parameter, text, start, end)
    },
  }
}

/** A category of digits alone is an id as well as a name. */
function categoryChoice(
  parameter: parameters.TextParameter,
  text: string,
  start: number,
  end: number,
): CategoryFilter {
  const id = digitsValue(text, start, end)
  return { text: readText(parameter, text, start, end), id: id > 0 ? id : undefined }
}

function instantRow(parameter: parameters.InstantParameter, name: InstantName): Row {
  return {
    parameter,
    take: (query, text, start, end) => {
      query[name] = readInstant(parameter, text, start, end)
    },
  }
}

/** The filters that every operation on transactions takes. */
export const FILTER_ROWS: readonly Row[] = [
  categoryRow(parameters.CATEGORY, 'category'),
  categoryRow(parameters.PARENT_CATEGORY, 'parentCategory'),
  instantRow(parameters.VALUED_BEFORE, 'valuedBeforeMs'),
  instantRow(parameters.VALUED_AFTER, 'valuedAfterMs'),
  instantRow(parameters.BOOKED_BEFORE, 'bookedBeforeMs'),
  instantRow(parameters.BOOKED_AFTER, 'bookedAfterMs'),
  instantRow(parameters.IMPORTED_BEFORE, 'importedBeforeMs'),
  instantRow(parameters.IMPORTED_AFTER, 'importedAfterMs'),
]
