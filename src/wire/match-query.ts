import { parseReference, type Reference } from '../match/reference.js'
import type { TransactionFilters } from '../query/transaction-query.js'
import { parseCustomSchema } from './custom-schema.js'
import type { CustomSchema } from './custom-schema-plan.js'
import { parameterFault } from './fault.js'
import { ACCOUNT_FILTER_ROWS, FILTER_ROWS, type WritableObject } from './filter-rows.js'
import { TRANSACTION_SHAPE } from './object-shape.js'
import * as parameters from './parameter-table.js'
import { readInteger, readReference, readSwitch } from './parameter-values.js'
import { type QueryRow, type QueryTable, queryTable, readQuery } from './raw-query.js'
import { readThreshold } from './threshold.js'

/** The query of a match (docs/contract/match.md, "Match parameters"). */
export interface MatchQuery {
  readonly reference: Reference
  readonly filters: TransactionFilters
  /** The smallest score of a result, in 1/10,000. */
  readonly scoreMin: number
  readonly offset: number
  /** 1 to 50. */
  readonly limit: number
  readonly explain: boolean
  /** Absent when nothing is to be rewritten. Never applies to the members that a match adds. */
  readonly customSchema?: CustomSchema | undefined
}

/** The parameters sent, before the check that they include a reference. */
interface Sent extends WritableObject<TransactionFilters> {
  reference: Reference | undefined
  scoreMin: number
  offset: number
  limit: number
  explain: boolean
  customSchemaText: string
}

const referenceRow: QueryRow<Sent> = {
  parameter: parameters.MATCH_QUERY,
  take: (sent, text, start, end) => {
    sent.reference = parseReference(readReference(parameters.MATCH_QUERY, text, start, end))
  },
}

const pageRows: readonly QueryRow<Sent>[] = [
  {
    parameter: parameters.OFFSET,
    take: (sent, text, start, end) => {
      sent.offset = readInteger(parameters.OFFSET, text, start, end)
    },
  },
  {
    parameter: parameters.MATCH_LIMIT,
    take: (sent, text, start, end) => {
      sent.limit = readInteger(parameters.MATCH_LIMIT, text, start, end)
    },
  },
  {
    parameter: parameters.THRESHOLD,
    take: (sent, text, start, end) => {
      sent.scoreMin = readThreshold(parameters.THRESHOLD, text, start, end)
    },
  },
  {
    parameter: parameters.EXPLAIN,
    take: (sent, text, start, end) => {
      sent.explain = readSwitch(parameters.EXPLAIN, text, start, end)
    },
  },
  {
    parameter: parameters.CUSTOM_SCHEMA,
    take: (sent, text, start, end) => {
      sent.customSchemaText = text.slice(start, end)
    },
  },
]

/** The parameters of the matches. */
export const MATCH_TABLE: QueryTable<Sent> = queryTable([referenceRow, ...FILTER_ROWS, ...pageRows])

/** The parameters of the match of one account. */
export const ACCOUNT_MATCH_TABLE: QueryTable<Sent> = queryTable([
  referenceRow,
  ...ACCOUNT_FILTER_ROWS,
  ...pageRows,
])

/**
 * Members that no customSchema may remove from a match (docs/contract/lists.md, "Custom schema").
 */
const REQUIRED = ['id', 'accountId', 'amount', 'currency', 'bookingDate']

/**
 * The typed query of a match.
 * @param rawQuery without `?`   @param table the parameters of the operation
 * @throws ApiError 400 as {@link readQuery} does
 */
export function parseMatchQuery(rawQuery: string, table = MATCH_TABLE): MatchQuery {
  const sent = readQuery(table, nothing(), rawQuery)
  const { reference, scoreMin, offset, limit, explain, customSchemaText, ...filters } = sent
  if (reference === undefined) throw parameterFault(parameters.MATCH_QUERY, 'is missing')
  const customSchema = matchSchema(customSchemaText, explain)
  return { reference, filters, scoreMin, offset, limit, explain, customSchema }
}

function nothing(): Sent {
  return {
    reference: undefined,
    scoreMin: parameters.THRESHOLD.fallback,
    offset: parameters.OFFSET.fallback,
    limit: parameters.MATCH_LIMIT.fallback,
    explain: parameters.EXPLAIN.fallback,
    customSchemaText: '',
  }
}

/** The customSchema of matches. @param text `''` = none was sent   @throws ApiError 400 */
export function matchSchema(text: string, explain: boolean): CustomSchema | undefined {
  if (text === '') return undefined
  const plan = parseCustomSchema(text, {
    shape: TRANSACTION_SHAPE,
    protectedNames: explain ? ['score', 'explanation'] : ['score'],
    required: REQUIRED,
  })
  return plan.entryCount === 0 ? undefined : plan
}
