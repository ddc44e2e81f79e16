import { compactFields } from '../../src/match/fields.js'
import { parseReference } from '../../src/match/reference.js'
import { type MatchScore, scoreCompact } from '../../src/match/score.js'
import { comparison } from '../../src/match/unit-score.js'
import type { Candidate } from './candidate.js'
import type { Matcher, MatcherKind, Ranking } from './matcher.js'

/** Scale of kontor's integer scores. */
const SCORE_UNITS = 10_000

/** Above any evidence quality, so that one number holds a score and a quality. */
const QUALITY_SPAN = 2 ** 32

/** kontor's scorer over every candidate, without the filter that skips most of them. */
export const KONTOR: MatcherKind = { name: 'kontor', every: 1, open }

function open(candidates: readonly Candidate[]): Matcher {
  const compacts = candidates.map(({ texts }) => compactFields(texts))
  const lengths = compacts.map(({ ends }) => ends.at(-1) ?? 0)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const codes = new Uint8Array(total)
  const gaps = new Uint8Array(total)
  const marks = new Uint8Array(total)
  let end = 0
  const placed = compacts.map((compact, at) => {
    const from = end
    const length = lengths[at] ?? 0
    codes.set(compact.codes.subarray(0, length), from)
    gaps.set(compact.gaps.subarray(0, length), from)
    marks.set(compact.marks.subarray(0, length), from)
    end += length
    return { from, ends: compact.ends.map((one) => from + one) }
  })
  const made = comparison({ codes, gaps, marks })
  const scores = new Float64Array(candidates.length)
  const order = new Float64Array(candidates.length)
  const result: MatchScore = { score: 0, quality: 0 }
  const match = (query: string): Ranking => {
    const reference = parseReference(query)
    placed.forEach(({ from, ends }, at) => {
      scoreCompact(reference, made, from, ends, result)
      scores[at] = result.score / SCORE_UNITS
      order[at] = result.score * QUALITY_SPAN + result.quality
    })
    return { scores, order }
  }
  return { name: 'kontor', match }
}
