import { medianOf } from '../statistics.js'
import { type Outcome, THRESHOLD } from './outcome.js'

/**
 * Probability that the first result is a true one when tied candidates come in any order; the mean
 * over the outcomes. NaN without outcomes, as everywhere in this file.
 */
export function precisionAtOne(outcomes: readonly Outcome[]): number {
  return meanOf(
    outcomes.map(({ betterCount, tiedCount, tiedTrueCount }) =>
      betterCount === 0 ? tiedTrueCount / tiedCount : 0,
    ),
  )
}

/**
 * Expected rank of the first true candidate, from 1: with m true ones among k tied candidates, it
 * is (k + 1) / (m + 1) within the tie.
 */
export function expectedRank({ betterCount, tiedCount, tiedTrueCount }: Outcome): number {
  return betterCount + (tiedCount + 1) / (tiedTrueCount + 1)
}

/** The mean of 1 / expected rank; 0 for a true candidate with score 0. */
export function meanReciprocalRank(outcomes: readonly Outcome[]): number {
  return meanOf(outcomes.map((outcome) => (outcome.trueScore > 0 ? 1 / expectedRank(outcome) : 0)))
}

/** Share of outcomes with a true candidate among the first `count`. */
export function recallAmong(outcomes: readonly Outcome[], count: number): number {
  return shareOf(outcomes, (one) => one.trueScore > 0 && expectedRank(one) <= count)
}

/** Share of outcomes with a true candidate among the first ten and at or above the threshold. */
export function recallAtTen(outcomes: readonly Outcome[]): number {
  return shareOf(outcomes, (one) => one.trueScore >= THRESHOLD && expectedRank(one) <= 10)
}

/** Of those with decoys: share whose true candidate scores higher than every decoy. */
export function nearMissDiscrimination(outcomes: readonly Outcome[]): number {
  const withDecoys = outcomes.filter(({ decoyScore }) => !Number.isNaN(decoyScore))
  return shareOf(withDecoys, ({ trueScore, decoyScore }) => trueScore > decoyScore)
}

/** Of those with decoys: mean score of the true candidate minus that of the best decoy. */
export function meanMargin(outcomes: readonly Outcome[]): number {
  const withDecoys = outcomes.filter(({ decoyScore }) => !Number.isNaN(decoyScore))
  return meanOf(withDecoys.map(({ trueScore, decoyScore }) => trueScore - decoyScore))
}

/** Share of questions about absent references that have any candidate at or above the threshold. */
export function falsePositiveRate(absent: readonly Outcome[]): number {
  return shareOf(absent, ({ topScore }) => topScore >= THRESHOLD)
}

/** Probability that a true candidate scores higher than the best one of an absent reference. */
export function areaUnderCurve(present: readonly Outcome[], absent: readonly Outcome[]): number {
  const tops = absent.map(({ topScore }) => topScore).sort((a, b) => a - b)
  const below = (score: number, isCounted: (top: number, score: number) => boolean): number => {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isCounted(tops[middle] ?? Number.NaN, score)) low = middle + 1
      else high = middle
    }
    return low
  }
  const wins = present.map(({ trueScore }) => {
    const lower = below(trueScore, (top, score) => top < score)
    const lowerOrEqual = below(trueScore, (top, score) => top <= score)
    return (lower + lowerOrEqual) / 2 / tops.length
  })
  return tops.length === 0 ? Number.NaN : meanOf(wins)
}

/**
 * Share of true candidates at or above the lowest threshold at which at most `rate` of the absent
 * references have a candidate.
 */
export function recallAtFalsePositives(
  present: readonly Outcome[],
  absent: readonly Outcome[],
  rate: number,
): number {
  if (absent.length === 0) return Number.NaN
  const tops = absent.map(({ topScore }) => topScore).sort((a, b) => b - a)
  const allowed = Math.floor(rate * tops.length)
  // The threshold has to exceed this score: one more absent reference at it would be too many.
  const excluded = tops[allowed] ?? -1
  return shareOf(present, ({ trueScore }) => trueScore > excluded)
}

/** Median number of results at or above the threshold. */
export function medianHits(outcomes: readonly Outcome[]): number {
  return medianOf(outcomes.map(({ hitCount }) => hitCount))
}

/** The 5th and the 95th percentile of the true candidates' scores. */
export function bandOf(outcomes: readonly Outcome[]): readonly [low: number, high: number] {
  const sorted = outcomes
    .map(({ trueScore }) => trueScore)
    .filter((score) => !Number.isNaN(score))
    .sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ??
    Number.NaN
  return [at(0.05), at(0.95)]
}

/** Share of the values for which `holds` is true. */
export function shareOf<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return meanOf(values.map((value) => (holds(value) ? 1 : 0)))
}

function meanOf(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
