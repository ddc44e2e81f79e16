import type { LabelledQuery } from './labelled-query.js'
import type { Ranking } from './matcher.js'

/** The default threshold, from which on a result is shown. */
export const THRESHOLD = 0.6

/** The outcome of one question. */
export interface Outcome {
  readonly question: LabelledQuery
  /** Score of the best true candidate; NaN when there is none. */
  readonly trueScore: number
  /** Score of the best decoy planted for it; NaN when there is none. */
  readonly decoyScore: number
  /** Score of the best candidate of all. */
  readonly topScore: number
  /** Position of the best candidate that is not true; -1 when there is none. */
  readonly bestWrongAt: number
  readonly bestWrongScore: number
  /** Candidates ranked before the best true one. */
  readonly betterCount: number
  /** Candidates tied with the best true one, including it. */
  readonly tiedCount: number
  /** True candidates among the tied ones. */
  readonly tiedTrueCount: number
  /** Candidates at or above {@link THRESHOLD}. */
  readonly hitCount: number
}

/** Computes the inputs of the metrics from a ranking. */
export function outcomeOf(question: LabelledQuery, { scores, order }: Ranking): Outcome {
  const { trueAt, decoysAt } = question
  const isTrue = new Set(trueAt)
  const bestTrue = Math.max(...trueAt.map((at) => order[at] ?? Number.NaN))
  let [betterCount, tiedCount, tiedTrueCount, hitCount] = [0, 0, 0, 0]
  let [bestWrongAt, topScore] = [-1, 0]
  for (let at = 0; at < scores.length; at++) {
    const place = order[at]! // at < scores.length, and both have one per candidate
    const score = scores[at]!
    if (score >= THRESHOLD) hitCount++
    if (score > topScore) topScore = score
    if (place > bestTrue) betterCount++
    if (place === bestTrue) {
      tiedCount++
      if (isTrue.has(at)) tiedTrueCount++
    }
    const isWorse = bestWrongAt !== -1 && place <= order[bestWrongAt]!
    if (!isWorse && !isTrue.has(at)) bestWrongAt = at
  }
  return {
    question,
    trueScore: bestOf(trueAt, scores),
    decoyScore: bestOf(decoysAt, scores),
    topScore,
    bestWrongAt,
    bestWrongScore: scores[bestWrongAt] ?? 0,
    betterCount,
    tiedCount,
    tiedTrueCount,
    hitCount,
  }
}

function bestOf(places: readonly number[], scores: Float64Array): number {
  if (places.length === 0) return Number.NaN
  return Math.max(...places.map((at) => scores[at] ?? Number.NaN))
}
