import type { Ranking } from './matcher.js'
import type { Question } from './question.js'

/** The score from which on a result is shown when the caller says nothing. */
export const THRESHOLD = 0.6

/** What came of one question. */
export interface Outcome {
  readonly question: Question
  /** Of the best true candidate; NaN when there is none. */
  readonly trueScore: number
  /** Of the best decoy planted beside it; NaN when there is none. */
  readonly decoyScore: number
  /** Of the best candidate of all. */
  readonly topScore: number
  /** Place of the best candidate that is not true; -1 when there is none. */
  readonly bestWrongAt: number
  readonly bestWrongScore: number
  /** Candidates that come before the best true one. */
  readonly betterCount: number
  /** Candidates that share the place of the best true one, itself among them. */
  readonly tiedCount: number
  /** How many of those are true. */
  readonly tiedTrueCount: number
  /** Candidates at or above {@link THRESHOLD}. */
  readonly hitCount: number
}

/** Reads from a ranking what the metrics need. */
export function outcomeOf(question: Question, { scores, order }: Ranking): Outcome {
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
