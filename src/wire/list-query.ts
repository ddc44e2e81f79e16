import { compactCode } from '../iban.js'
import type { TransactionQuery } from '../query/transaction-query.js'
import { type Cursor, readCursor } from './cursor.js'
import { parseCustomSchema } from './custom-schema.js'
import type { CustomSchema } from './custom-schema-plan.js'
import { parameterFault } from './fault.js'
import { ACCOUNT_FILTER_ROWS, FILTER_ROWS, type WritableObject } from './filter-rows.js'
import { ACCOUNT_SHAPE, type ObjectShape, TRANSACTION_SHAPE } from './object-shape.js'
import * as parameters from './parameter-table.js'
import { readChoice, readInteger, readTerms, readText } from './parameter-values.js'
import { type QueryRow, type QueryTable, queryTable, readQuery } from './raw-query.js'

/**
 * The query of a transaction list or search (docs/contract/lists.md, "Transaction lists"). A filter
 * that is not sent is undefined, and so are the terms of a blank text.
 */
export interface ListQuery extends TransactionQuery {
  /** 0 when a cursor is sent. */
  readonly offset: number
  /** 0 to 250; 0 = only the count. */
  readonly limit: number
  /** Absent = pages by offset. */
  readonly cursor?: Cursor | undefined
  /** Absent when nothing is to be rewritten, also when `{}` was sent. */
  readonly customSchema?: CustomSchema | undefined
}

/** The query of the accounts list (docs/contract/lists.md, "Accounts list"). */
export interface AccountsQuery {
  readonly offset: number
  readonly limit: number
  readonly blz?: string | undefined
  /** Upper case, without spaces. */
  readonly bic?: string | undefined
  readonly customSchema?: CustomSchema | undefined
}

/** The query of the categories list. */
export interface CategoriesQuery {
  readonly offset: number
  readonly limit: number
}

/** The query of an operation that returns one account or transaction. */
export interface SingleQuery {
  readonly customSchema?: CustomSchema | undefined
}

/** The query of an operation without parameters. */
export type NoQuery = Readonly<Record<never, never>>

function readBic(text: string, start: number, end: number): string {
  const bic = compactCode(readText(parameters.BIC, text, start, end))
  if (bic === '') throw parameterFault(parameters.BIC, 'has no value')
  return bic
}

const pageRows: readonly QueryRow<WritableObject<CategoriesQuery>>[] = [
  {
    parameter: parameters.OFFSET,
    take: (query, text, start, end) => {
      query.offset = readInteger(parameters.OFFSET, text, start, end)
    },
  },
  {
    parameter: parameters.LIMIT,
    take: (query, text, start, end) => {
      query.limit = readInteger(parameters.LIMIT, text, start, end)
    },
  },
]

function customSchemaRow(shape: ObjectShape): QueryRow<WritableObject<SingleQuery>> {
  return {
    parameter: parameters.CUSTOM_SCHEMA,
    take: (query, text, start, end) => {
      const plan = parseCustomSchema(text.slice(start, end), { shape })
      query.customSchema = plan.entryCount === 0 ? undefined : plan
    },
  }
}

type Rows<Query> = readonly QueryRow<WritableObject<Query>>[]

const orderRows: Rows<ListQuery> = [
  {
    parameter: parameters.ORDER,
    take: (query, text, start, end) => {
      query.order = readChoice(parameters.ORDER, text, start, end)
    },
  },
  {
    parameter: parameters.SORT_BY,
    take: (query, text, start, end) => {
      query.sortBy = readChoice(parameters.SORT_BY, text, start, end)
    },
  },
]

const cursorRow: QueryRow<WritableObject<ListQuery>> = {
  parameter: parameters.CURSOR,
  take: (query, text, start, end) => {
    query.cursor = readCursor(parameters.CURSOR, text, start, end)
  },
}

const searchRow: QueryRow<WritableObject<ListQuery>> = {
  parameter: parameters.QUERY,
  take: (query, text, start, end) => {
    const terms = readTerms(parameters.QUERY, text, start, end)
    query.terms = terms.length === 0 ? undefined : terms
  },
}

type ListTable = QueryTable<WritableObject<ListQuery>>

function listRows(filters: Rows<ListQuery>): Rows<ListQuery> {
  return [...filters, ...pageRows, cursorRow, ...orderRows, customSchemaRow(TRANSACTION_SHAPE)]
}

/** The parameters of the transaction lists. */
export const LIST_TABLE: ListTable = queryTable(listRows(FILTER_ROWS))

/** The parameters of the transaction searches: those of the lists, and the text. */
export const SEARCH_TABLE: ListTable = queryTable([searchRow, ...listRows(FILTER_ROWS)])

/** The parameters of the list of one account. */
export const ACCOUNT_LIST_TABLE: ListTable = queryTable(listRows(ACCOUNT_FILTER_ROWS))

/** The parameters of the search of one account. */
export const ACCOUNT_SEARCH_TABLE: ListTable = queryTable([
  searchRow,
  ...listRows(ACCOUNT_FILTER_ROWS),
])

/** The parameters of the accounts list. */
export const ACCOUNTS_TABLE: QueryTable<WritableObject<AccountsQuery>> = queryTable<
  WritableObject<AccountsQuery>
>([
  {
    parameter: parameters.BLZ,
    take: (query, text, start, end) => {
      query.blz = readText(parameters.BLZ, text, start, end)
    },
  },
  {
    parameter: parameters.BIC,
    take: (query, text, start, end) => {
      query.bic = readBic(text, start, end)
    },
  },
  ...pageRows,
  customSchemaRow(ACCOUNT_SHAPE),
])

/** The parameters of the categories list. */
export const CATEGORIES_TABLE: QueryTable<WritableObject<CategoriesQuery>> = queryTable(pageRows)

/** The parameters of an operation that returns one account. */
export const ACCOUNT_TABLE: QueryTable<WritableObject<SingleQuery>> = queryTable([
  customSchemaRow(ACCOUNT_SHAPE),
])

/** The parameters of an operation that returns one transaction. */
export const TRANSACTION_TABLE: QueryTable<WritableObject<SingleQuery>> = queryTable([
  customSchemaRow(TRANSACTION_SHAPE),
])

/** The parameters of an operation that takes none. */
export const NO_TABLE: QueryTable<NoQuery> = queryTable<NoQuery>([])

/**
 * The typed query of a transaction list.
 * @param rawQuery without `?`   @param table the parameters of the operation
 * @throws ApiError 400 as {@link readQuery} does
 */
export function parseListQuery(rawQuery: string, table = LIST_TABLE): ListQuery {
  const query: WritableObject<ListQuery> = readQuery(table, everything(), rawQuery)
  if (query.offset !== NO_OFFSET) {
    if (query.cursor === undefined) return query
    throw parameterFault(parameters.OFFSET, 'cannot be combined with cursor: leave out one of them')
  }
  query.offset = parameters.OFFSET.fallback
  return query
}

/** Stands for an offset that is not sent. */
const NO_OFFSET = -1

/** The typed query of a transaction search; likewise. */
export function parseSearchQuery(rawQuery: string, table = SEARCH_TABLE): ListQuery {
  return parseListQuery(rawQuery, table)
}

/** The query of a list without parameters. */
function everything(): { [Name in keyof Required<ListQuery>]: ListQuery[Name] } {
  // Every member is present from the start, so that all queries have one hidden class;
  // without one of them this does not compile.
  return {
    offset: NO_OFFSET,
    limit: parameters.LIMIT.fallback,
    cursor: undefined,
    order: parameters.ORDER.fallback,
    sortBy: parameters.SORT_BY.fallback,
    category: undefined,
    parentCategory: undefined,
    uncategorized: undefined,
    accountIds: undefined,
    ownTransfers: undefined,
    direction: undefined,
    amountFrom: undefined,
    amountTo: undefined,
    absoluteAmount: undefined,
    currency: undefined,
    bookedAfterMs: undefined,
    bookedBeforeMs: undefined,
    bookedFromMs: undefined,
    bookedToMs: undefined,
    valuedAfterMs: undefined,
    valuedBeforeMs: undefined,
    valuedFromMs: undefined,
    valuedToMs: undefined,
    importedAfterMs: undefined,
    importedBeforeMs: undefined,
    importedFromMs: undefined,
    importedToMs: undefined,
    updatedAfterMs: undefined,
    updatedBeforeMs: undefined,
    terms: undefined,
    customSchema: undefined,
  }
}

/** The typed query of the accounts list. @throws ApiError 400 as {@link readQuery} does */
export function parseAccountsQuery(rawQuery: string): AccountsQuery {
  const query: WritableObject<AccountsQuery> = {
    offset: parameters.OFFSET.fallback,
    limit: parameters.LIMIT.fallback,
    blz: undefined,
    bic: undefined,
    customSchema: undefined,
  }
  return readQuery(ACCOUNTS_TABLE, query, rawQuery)
}

/** The typed query of the categories list. @throws ApiError 400 as {@link readQuery} does */
export function parseCategoriesQuery(rawQuery: string): CategoriesQuery {
  const query = { offset: parameters.OFFSET.fallback, limit: parameters.LIMIT.fallback }
  return readQuery(CATEGORIES_TABLE, query, rawQuery)
}

/** The typed query of one account. @throws ApiError 400 as {@link readQuery} does */
export function parseAccountQuery(rawQuery: string): SingleQuery {
  return readQuery(ACCOUNT_TABLE, { customSchema: undefined }, rawQuery)
}

/** The typed query of one transaction. @throws ApiError 400 as {@link readQuery} does */
export function parseTransactionQuery(rawQuery: string): SingleQuery {
  return readQuery(TRANSACTION_TABLE, { customSchema: undefined }, rawQuery)
}

/** An empty query, or ApiError 400: the operation takes no parameter. */
export function parseNoQuery(rawQuery: string): NoQuery {
  return readQuery(NO_TABLE, {}, rawQuery)
}
