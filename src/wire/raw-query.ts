import { strict as assert } from 'node:assert'
import { ApiError } from '../errors.js'
import { nearestName } from '../text/nearest.js'
import { parameterFault, quote } from './fault.js'
import type { QueryParameter } from './parameter-table.js'
import { decodeFormText } from './percent.js'

/** Parameters of one operation at most: the seen ones are the bits of one integer. */
const OPERATION_PARAMETERS_MAX = 31

/** One parameter of an operation, and the function that stores its value in the typed query. */
export interface QueryRow<Query> {
  readonly parameter: QueryParameter
  /**
   * Parses the decoded value `text[start, end)`, empty for none but a search text and a cursor, or
   * throws ApiError.
   */
  readonly take: (query: Query, text: string, start: number, end: number) => void
}

/** The parameters of one operation, in the order they are documented. */
export interface QueryTable<Query> {
  readonly rows: readonly QueryRow<Query>[]
  /** Indexes in `rows` of the parameters whose name has that many characters. */
  readonly placesByLength: readonly (readonly number[])[]
}

/** Prepares the rows for look-up. @param rows at most 31, names distinct */
export function queryTable<Query>(rows: readonly QueryRow<Query>[]): QueryTable<Query> {
  assert(rows.length <= OPERATION_PARAMETERS_MAX)
  const placesByLength: number[][] = []
  rows.forEach(({ parameter: { name } }, place) => {
    while (placesByLength.length <= name.length) placesByLength.push([])
    placesByLength[name.length]?.push(place)
  })
  return { rows, placesByLength }
}

const AMPERSAND = 0x26
const PERCENT = 0x25
const PLUS = 0x2b
const EQUALS = 0x3d
const FIRST_VISIBLE = 0x21
const LAST_VISIBLE = 0x7e

/**
 * Parses a raw query into `query`, which holds the defaults of the parameters that are not sent.
 * Pairs are separated by `&`, empty pairs are skipped, `+` is a space.
 * @param raw without `?`; `''` when there is none
 * @returns `query`
 * @throws ApiError for the first parameter that is unknown, repeated, empty, malformed or refused
 * @see docs/contract.md, "Parameters"
 */
export function readQuery<Query>(table: QueryTable<Query>, query: Query, raw: string): Query {
  const length = raw.length
  let seen = 0
  let start = 0
  while (start < length) {
    let equals = -1
    let plain = true
    let at = start
    for (; at < length; at++) {
      const code = raw.charCodeAt(at)
      if (code === AMPERSAND) break
      if (code === EQUALS) {
        if (equals < 0) equals = at
      } else if (code === PERCENT || code === PLUS) plain = false
      else if (code < FIRST_VISIBLE || code > LAST_VISIBLE) plain = false
    }
    if (at > start) {
      const nameEnd = equals < 0 ? at : equals
      const reading = { table, query, seen, text: raw }
      seen = plain
        ? readPair(reading, start, nameEnd, at)
        : readEncodedPair(reading, start, nameEnd, at)
    }
    start = at + 1
  }
  return query
}

interface Reading<Query> {
  readonly table: QueryTable<Query>
  readonly query: Query
  /** Bit n: the parameter in row n has been read. */
  readonly seen: number
  readonly text: string
}

/** Reads the decoded pair `text[start, end)` with the name up to `nameEnd`. @returns `seen` */
function readPair<Query>(
  { table, query, seen, text }: Reading<Query>,
  start: number,
  nameEnd: number,
  end: number,
): number {
  const row = rowNamed(table, text, start, nameEnd)
  if (row < 0) throw unknownParameter(table, text.slice(start, nameEnd))
  const { parameter, take } = table.rows[row]!
  const bit = 1 << row
  if ((seen & bit) !== 0) {
    throw parameterFault(parameter, 'is sent more than once', 'repeated_parameter')
  }
  const valueStart = Math.min(nameEnd + 1, end)
  if (valueStart === end && parameter.kind !== 'search' && parameter.kind !== 'cursor') {
    throw parameterFault(parameter, 'has no value')
  }
  take(query, text, valueStart, end)
  return seen | bit
}

/** As {@link readPair}, of an encoded pair. */
function readEncodedPair<Query>(
  reading: Reading<Query>,
  start: number,
  nameEnd: number,
  end: number,
): number {
  const encodedName = reading.text.slice(start, nameEnd)
  const name = decodeFormText(encodedName)
  if (name === undefined) {
    throw new ApiError(
      'invalid_parameter',
      `The parameter name ${quote(encodedName)} is not percent-encoded UTF-8; ` +
        `the parameters are ${namesOf(reading.table)}`,
    )
  }
  const value = decodeFormText(reading.text.slice(nameEnd, end))
  if (value !== undefined) {
    const text = name + value
    return readPair({ ...reading, text }, 0, name.length, text.length)
  }
  const row = rowNamed(reading.table, name, 0, name.length)
  if (row < 0) throw unknownParameter(reading.table, name)
  throw parameterFault(
    reading.table.rows[row]!.parameter,
    'is not percent-encoded UTF-8, in which ä is %C3%A4, % is %25 and + is %2B',
  )
}

/** The index of the parameter named `text[start, end)` in `rows`; -1 when there is none. */
function rowNamed<Query>(
  table: QueryTable<Query>,
  text: string,
  start: number,
  end: number,
): number {
  const places = table.placesByLength[end - start]
  if (places === undefined) return -1
  for (const place of places) {
    if (text.startsWith(table.rows[place]!.parameter.name, start)) return place
  }
  return -1
}

function unknownParameter<Query>(table: QueryTable<Query>, name: string): ApiError {
  const names = table.rows.map(({ parameter }) => parameter.name)
  const nearest = nearestName(name, names)
  const meant = table.rows.find(({ parameter }) => parameter.name === nearest)?.parameter
  const advice =
    meant === undefined
      ? names.length === 0
        ? 'this operation has no parameters'
        : `the parameters are ${namesOf(table)}`
      : `did you mean ${meant.name}, as in ${meant.name}=${encodeURI(meant.example)}?`
  return new ApiError('unknown_parameter', `Unknown parameter ${quote(name)}: ${advice}`)
}

function namesOf<Query>(table: QueryTable<Query>): string {
  return table.rows.map(({ parameter }) => parameter.name).join(', ')
}
