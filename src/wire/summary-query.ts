import type { GroupField } from '../query/summary.js'
import type { GroupMeasure, GroupOrder } from '../query/summary-groups.js'
import type { SortOrder, TransactionFilters } from '../query/transaction-query.js'
import type { Term } from '../text/normal-forms.js'
import { parameterFault } from './fault.js'
import { ACCOUNT_FILTER_ROWS, FILTER_ROWS, type WritableObject } from './filter-rows.js'
import * as parameters from './parameter-table.js'
import { readChoice, readInteger, readTerms, readWords } from './parameter-values.js'
import { type QueryRow, type QueryTable, queryTable, readQuery } from './raw-query.js'
import { GROUP_BY, SUMMARY_ORDER, SUMMARY_SORT_BY } from './summary-parameters.js'

/** The query of a summary (docs/extensions/sums.md, "Parameters"). */
export interface SummaryQuery {
  readonly filters: TransactionFilters
  /** Absent = not a search. */
  readonly terms: readonly Term[] | undefined
  readonly groupBy: readonly GroupField[]
  /** Absent = by the values of the groups. */
  readonly order: GroupOrder | undefined
  readonly offset: number
  /** 0 to 250; 0 = only the count. */
  readonly limit: number
}

/** The parameters sent, before the check of those that belong together. */
interface Sent extends WritableObject<TransactionFilters> {
  terms: readonly Term[] | undefined
  groupBy: readonly GroupField[]
  sortBy: GroupMeasure | undefined
  order: SortOrder | undefined
  offset: number
  limit: number
}

const groupRows: readonly QueryRow<Sent>[] = [
  {
    parameter: GROUP_BY,
    take: (sent, text, start, end) => {
      sent.groupBy = readWords(GROUP_BY, text, start, end)
    },
  },
  {
    parameter: parameters.QUERY,
    take: (sent, text, start, end) => {
      const terms = readTerms(parameters.QUERY, text, start, end)
      sent.terms = terms.length === 0 ? undefined : terms
    },
  },
]

const pageRows: readonly QueryRow<Sent>[] = [
  {
    parameter: parameters.OFFSET,
    take: (sent, text, start, end) => {
      sent.offset = readInteger(parameters.OFFSET, text, start, end)
    },
  },
  {
    parameter: parameters.LIMIT,
    take: (sent, text, start, end) => {
      sent.limit = readInteger(parameters.LIMIT, text, start, end)
    },
  },
  {
    parameter: SUMMARY_SORT_BY,
    take: (sent, text, start, end) => {
      sent.sortBy = readChoice(SUMMARY_SORT_BY, text, start, end)
    },
  },
  {
    parameter: SUMMARY_ORDER,
    take: (sent, text, start, end) => {
      sent.order = readChoice(SUMMARY_ORDER, text, start, end)
    },
  },
]

/** The parameters of the summaries. */
export const SUMMARY_TABLE: QueryTable<Sent> = queryTable([
  ...groupRows,
  ...FILTER_ROWS,
  ...pageRows,
])

/** The parameters of the summary of one account. */
export const ACCOUNT_SUMMARY_TABLE: QueryTable<Sent> = queryTable([
  ...groupRows,
  ...ACCOUNT_FILTER_ROWS,
  ...pageRows,
])

/**
 * The typed query of a summary.
 * @param rawQuery without `?`   @param table of the operation
 * @throws ApiError 400 as {@link readQuery} does
 */
export function parseSummaryQuery(rawQuery: string, table: QueryTable<Sent>): SummaryQuery {
  const { terms, groupBy, sortBy, order, offset, limit, ...filters } = readQuery(
    table,
    nothing(),
    rawQuery,
  )
  if (sortBy === undefined && order !== undefined) {
    throw parameterFault(SUMMARY_ORDER, 'needs sortBy, as in sortBy=net&order=desc')
  }
  const measured = sortBy === undefined ? undefined : { sortBy, order: order ?? 'desc' }
  return { filters, terms, groupBy, order: measured, offset, limit }
}

function nothing(): Sent {
  return {
    terms: undefined,
    groupBy: [],
    sortBy: undefined,
    order: undefined,
    offset: parameters.OFFSET.fallback,
    limit: parameters.LIMIT.fallback,
  }
}
