import { strict as assert } from 'node:assert'
import { KONTOR } from './match-eval/kontor.js'
import type { Matcher } from './match-eval/matcher.js'
import type { KontorMatches, MatchHit } from './match-kontor.js'
import type { WindowRow } from './match-queries.js'

/** Thresholds at which answers are compared, in 1/10,000. */
const THRESHOLDS_CHECKED: readonly number[] = [0, 3_000, 6_000, 9_000]

/** Scores every row of a window without any filter: the oracle of a match. */
export class FullScan {
  readonly #matcher: Matcher

  constructor(private readonly rows: readonly WindowRow[]) {
    const matcher = KONTOR.open(rows, [])
    assert(typeof matcher !== 'string')
    this.#matcher = matcher
  }

  /** All rows that reach a threshold, the best first. */
  match(query: string, thresholds: readonly number[]): MatchHit[][] {
    const { scores, order } = this.#matcher.match(query)
    const places = Uint32Array.from(this.rows, (_, place) => place)
    places.sort((a, b) => order[b]! - order[a]! || a - b) // a, b < rows
    const hits = Array.from(places, (place): MatchHit => {
      return [this.rows[place]!.id, Math.round(scores[place]! * 10_000)] // place < rows
    })
    return thresholds.map((scoreMin) => hits.filter(([, score]) => score >= scoreMin))
  }
}

/**
 * Compares all results of the queries, byte for byte, with the scores of every row.
 * @param asked kontor with different numbers of threads
 * @returns the number of compared answers
 * @throws AssertionError when an answer differs; the message does not contain the query
 */
export async function checkMatches(
  asked: readonly KontorMatches[],
  rows: readonly WindowRow[],
  queries: readonly string[],
): Promise<number> {
  const scan = new FullScan(rows)
  let count = 0
  for (const query of queries) {
    const wanted = scan.match(query, THRESHOLDS_CHECKED)
    for (const [i, scoreMin] of THRESHOLDS_CHECKED.entries()) {
      for (const kontor of asked) {
        const found = await kontor.match(query, scoreMin, rows.length)
        const isEqual = bytesOf(found).equals(bytesOf(wanted[i] ?? []))
        assert(isEqual, `a query's results at ${scoreMin} are those of scoring every row`)
        count += 1
      }
    }
  }
  return count
}

function bytesOf(hits: readonly MatchHit[]): Buffer {
  return Buffer.from(Float64Array.from(hits.flat()).buffer)
}
