import { ApiError } from '../errors.js'
import { MATCH_CHARACTERS_MIN, MATCH_TOKENS_MAX } from '../limits.js'
import { GAP_NONE } from './codes.js'
import { compactField, plainQuery } from './compact.js'
import type { UnitSpan } from './masks.js'
import type { CodeRange } from './unit-drafts.js'
import { type UnitSet, unitSet } from './unit-set.js'
import { unitsOf } from './units.js'
import { type WordSet, wordSet } from './word-set.js'

/**
 * A parsed query.
 *
 *   FIELD       HOLDS
 *   text        the query as it was sent
 *   primary     the requested references; a list of invoices has several, one of them is enough
 *   secondary   further numbers of a lesser kind, as a customer number
 *   words       the other words; at least one when there is no reference
 *   all         the codes of the whole query
 */
export interface Reference {
  readonly text: string
  readonly primary: UnitSet
  readonly secondary: UnitSet
  readonly words: WordSet
  readonly all: Uint8Array
}

/**
 * Parses a query of 2 to 256 code points.
 * @throws ApiError `invalid_parameter` when it has fewer than two letters and digits, or more than
 *   24 tokens, which are runs of letters and digits
 */
export function parseReference(query: string): Reference {
  const plain = plainQuery(query)
  const sink = {
    codes: new Uint8Array(plain.lengthMax),
    gaps: new Uint8Array(plain.lengthMax),
    marks: new Uint8Array(plain.lengthMax),
    units: new Int32Array(plain.lengthMax),
  }
  const length = compactField(plain, sink, 0)
  const codes = sink.codes.subarray(0, length)
  const gaps = sink.gaps.subarray(0, length)
  if (length < MATCH_CHARACTERS_MIN) {
    throw queryFault(`must have at least ${MATCH_CHARACTERS_MIN} letters or digits, not ${length}`)
  }
  const tokens = gaps.filter((gap, i) => i === 0 || gap !== GAP_NONE).length
  if (tokens > MATCH_TOKENS_MAX) {
    throw queryFault(
      `must be at most ${MATCH_TOKENS_MAX} runs of letters and digits, not ${tokens}`,
    )
  }
  const { primary, secondary, words } = unitsOf(
    codes,
    gaps,
    codeRanges(plain.masks, sink.units.subarray(0, length)),
  )
  return {
    text: query,
    primary: unitSet(primary),
    secondary: unitSet(secondary),
    words: wordSet(words),
    all: codes,
  }
}

/** The codes of spans of a plain text. @param units code -> unit of the plain text */
function codeRanges(spans: readonly UnitSpan[], units: Int32Array): CodeRange[] {
  return spans.map(({ from, to }) => {
    const first = units.findIndex((unit) => unit >= from)
    const end = units.findIndex((unit) => unit >= to)
    return { from: first, to: end < 0 ? units.length : end }
  })
}

function queryFault(what: string): ApiError {
  const example = 'RE-2024-0815'
  const message = `query ${what}; for example query=${example}`
  return new ApiError('invalid_parameter', message, { fault: { name: 'query', what, example } })
}
