import type { BatchMatchQuery } from '../domain/batch-match.js'
import { ApiError } from '../errors.js'
import {
  AMOUNT_DIGITS_MAX,
  BATCH_ID_CODE_POINTS_MAX,
  BATCH_LIMIT_DEFAULT,
  BATCH_LIMIT_MAX,
  BATCH_QUERIES_MAX,
  FILTER_CODE_POINTS_MAX,
} from '../limits.js'
import type { ExpectedPayment } from '../match/payment-evidence.js'
import { parseReference, type Reference } from '../match/reference.js'
import { type Amount, parseAmount } from '../money.js'
import type { TransactionFilters } from '../query/transaction-query.js'
import { BATCH_MEMBERS, BATCH_QUERY_MEMBERS, readBatchBody } from './batch-body.js'
import { type BodyMember, bodyFault, shownValue } from './body-fault.js'
import type { CustomSchema } from './custom-schema-plan.js'
import { ACCOUNT_FILTER_ROWS, FILTER_ROWS, type WritableObject } from './filter-rows.js'
import { matchSchema } from './match-query.js'
import * as parameters from './parameter-table.js'
import { decimalOf, isCurrencyCode, readReference } from './parameter-values.js'
import { ibanOf } from './path-parameters.js'
import { type QueryRow, type QueryTable, queryTable, readQuery } from './raw-query.js'
import { readThreshold } from './threshold.js'

/** A reference to match, not parsed yet, and the payment that is expected for it. */
export interface BatchedQuery {
  readonly id: string
  readonly text: string
  readonly expected: ExpectedPayment | undefined
}

/** The query of a batch match (docs/extensions/batch-match.md). */
export interface BatchQuery {
  /** At least one; ids are distinct. */
  readonly queries: readonly BatchedQuery[]
  readonly filters: TransactionFilters
  /** The smallest score of a result, in 1/10,000. */
  readonly scoreMin: number
  /** Results of each query, 1 to 10. */
  readonly limit: number
  readonly explain: boolean
  /** As of a single match. */
  readonly customSchema?: CustomSchema | undefined
}

interface Sent extends WritableObject<TransactionFilters> {
  customSchemaText: string
}

const schemaRow: QueryRow<Sent> = {
  parameter: parameters.CUSTOM_SCHEMA,
  take: (sent, text, start, end) => {
    sent.customSchemaText = text.slice(start, end)
  },
}

/** The parameters of a batch match; all others are members of its body. */
export const BATCH_TABLE: QueryTable<Sent> = queryTable([...FILTER_ROWS, schemaRow])

/** The parameters of a batch match in one account. */
export const ACCOUNT_BATCH_TABLE: QueryTable<Sent> = queryTable([...ACCOUNT_FILTER_ROWS, schemaRow])

/**
 * The typed query of a batch match. References are left to {@link batchReference}: five hundred
 * take longer than other requests should wait.
 * @param rawQuery without `?`   @param table of the operation   @throws ApiError 400
 */
export function parseBatchQuery(
  rawQuery: string,
  table: QueryTable<Sent>,
  body: Uint8Array,
): BatchQuery {
  const { customSchemaText, ...filters } = readQuery(
    table,
    { customSchemaText: '' } as Sent,
    rawQuery,
  )
  const { queries, threshold, limit, explain } = readBatchBody(body)
  const isExplained = explain ?? parameters.EXPLAIN.fallback
  return {
    queries: readQueries(queries),
    filters,
    scoreMin: readScoreMin(threshold),
    limit: readLimit(limit),
    explain: isExplained,
    customSchema: matchSchema(customSchemaText, isExplained),
  }
}

/** The reference of the query at a place. @throws ApiError 400 as a single match does */
export function batchReference({ text }: BatchedQuery, place: number): Reference {
  return asMember(pathOf(place, 'query'), BATCH_QUERY_MEMBERS.query, () =>
    parseReference(readReference(parameters.MATCH_QUERY, text, 0, text.length)),
  )
}

function pathOf(place: number, member: keyof BatchMatchQuery): string {
  return `queries[${place}].${member}`
}

/** Reads a value as the parameter of a single match; a fault names the member instead. */
function asMember<Value>(path: string, member: BodyMember, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError) || error.fault === undefined) throw error
    throw bodyFault(path, member, error.fault.what)
  }
}

function readScoreMin(threshold: number | null | undefined): number {
  if (threshold === null || threshold === undefined) return parameters.THRESHOLD.fallback
  const text = String(threshold)
  return asMember('threshold', BATCH_MEMBERS.threshold, () =>
    readThreshold(parameters.THRESHOLD, text, 0, text.length),
  )
}

function readLimit(limit: number | null | undefined): number {
  if (limit === null || limit === undefined) return BATCH_LIMIT_DEFAULT
  if (Number.isInteger(limit) && limit >= 1 && limit <= BATCH_LIMIT_MAX) return limit
  const { expected } = BATCH_MEMBERS.limit
  throw bodyFault('limit', BATCH_MEMBERS.limit, `must be ${expected}, not ${limit}`)
}

function readQueries(queries: readonly BatchMatchQuery[]): BatchedQuery[] {
  if (queries.length < 1 || queries.length > BATCH_QUERIES_MAX) {
    const { expected } = BATCH_MEMBERS.queries
    throw bodyFault(
      'queries',
      BATCH_MEMBERS.queries,
      `must be ${expected}, not of ${queries.length}`,
    )
  }
  const places = new Map<string, number>()
  return queries.map((query, place) => {
    const { id } = query
    requireText(pathOf(place, 'id'), BATCH_QUERY_MEMBERS.id, id, BATCH_ID_CODE_POINTS_MAX)
    const earlier = places.get(id)
    if (earlier !== undefined) {
      const what = `repeats the id of queries[${earlier}], ${shownValue(id)}`
      throw bodyFault(pathOf(place, 'id'), BATCH_QUERY_MEMBERS.id, what)
    }
    places.set(id, place)
    return { id, text: query.query, expected: readExpected(query, place) }
  })
}

/** @returns undefined when none of the optional members is given */
function readExpected(query: BatchMatchQuery, place: number): ExpectedPayment | undefined {
  const { amount, currency, counterpartName, counterpartIban } = query
  const expected = {
    amount: readIf(amount, (given) => readAmount(pathOf(place, 'amount'), given)),
    currency: readIf(currency, (given) => readCurrency(pathOf(place, 'currency'), given)),
    counterpartName: readIf(counterpartName, (given) => {
      const member = BATCH_QUERY_MEMBERS.counterpartName
      requireText(pathOf(place, 'counterpartName'), member, given, FILTER_CODE_POINTS_MAX)
      return given
    }),
    counterpartIban: readIf(counterpartIban, (given) =>
      readIban(pathOf(place, 'counterpartIban'), given),
    ),
  }
  if (expected.currency !== undefined && expected.amount === undefined) {
    const member = { example: `${JSON.stringify(expected.currency)}, "amount": 574.7` }
    throw bodyFault(pathOf(place, 'currency'), member, 'needs amount, whose currency it is')
  }
  return Object.values(expected).some((value) => value !== undefined) ? expected : undefined
}

/** A member that is null counts as absent. */
function readIf<Given, Value>(
  given: Given | null | undefined,
  read: (given: Given) => Value,
): Value | undefined {
  return given === null || given === undefined ? undefined : read(given)
}

function requireText(path: string, member: BodyMember, text: string, codePointsMax: number): void {
  if (text === '') throw bodyFault(path, member, 'must not be empty')
  if (text.length > codePointsMax && [...text].length > codePointsMax) {
    throw bodyFault(path, member, `must be at most ${codePointsMax} characters long`)
  }
}

/** The amount without its sign. */
function readAmount(path: string, given: number | string): Amount {
  // A number has no notation: 1e2 is 100.
  const amount = typeof given === 'number' ? parseAmount(String(given)) : decimalOf(given)
  if (typeof amount === 'object') return { ...amount, unscaled: Math.abs(amount.unscaled) }
  const what = `must have digits, at most ${AMOUNT_DIGITS_MAX}, and up to 5 decimals`
  throw bodyFault(path, BATCH_QUERY_MEMBERS.amount, `${what}, not ${shownValue(given)}`)
}

function readCurrency(path: string, given: string): string {
  if (isCurrencyCode(given)) return given
  const { expected } = BATCH_QUERY_MEMBERS.currency
  throw bodyFault(
    path,
    BATCH_QUERY_MEMBERS.currency,
    `must be ${expected}, not ${shownValue(given)}`,
  )
}

function readIban(path: string, given: string): string {
  const iban = ibanOf(given)
  if (iban !== undefined) return iban
  const what = 'must be an IBAN (two letters, two digits, up to 30 letters and digits)'
  throw bodyFault(path, BATCH_QUERY_MEMBERS.counterpartIban, `${what}, not ${shownValue(given)}`)
}
