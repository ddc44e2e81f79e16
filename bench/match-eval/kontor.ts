import { ApiError } from '../../src/errors.js'
import { comparison } from '../../src/match/comparison.js'
import { MatchIndexBuilder } from '../../src/match/match-index-builder.js'
import { parseReference, type Reference } from '../../src/match/reference.js'
import { viewRow } from '../../src/match/row-view.js'
import { scoreRow } from '../../src/match/score.js'
import type { Candidate } from './candidate.js'
import type { Matcher, MatcherKind, Ranking } from './matcher.js'

/** Scale of kontor's integer scores. */
const SCORE_UNITS = 10_000

/** Above any evidence quality, so that one number holds a score and a quality. */
const QUALITY_SPAN = 2 ** 32

/** kontor's scorer over every candidate, without the filter that skips most of them. */
export const KONTOR: MatcherKind = { name: 'kontor', every: 1, open }

function open(candidates: readonly Candidate[]): Matcher {
  const builder = new MatchIndexBuilder(candidates.length)
  for (const { texts } of candidates) builder.add(texts)
  const scratch = comparison(builder.finish())
  const scores = new Float64Array(candidates.length)
  const order = new Float64Array(candidates.length)
  const match = (query: string): Ranking => {
    const reference = readQuery(query)
    if (reference === undefined) {
      return { scores: scores.fill(0), order: order.fill(0) }
    }
    for (let at = 0; at < candidates.length; at++) {
      viewRow(scratch.row, at)
      scoreRow(reference, scratch)
      const { score, quality } = scratch.result
      scores[at] = score / SCORE_UNITS
      order[at] = score * QUALITY_SPAN + quality
    }
    return { scores, order }
  }
  return { name: 'kontor', match }
}

/** @returns undefined for a query that the match operations refuse, which finds nothing */
function readQuery(query: string): Reference | undefined {
  try {
    return parseReference(query)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
