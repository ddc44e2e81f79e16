import fc from 'fast-check'
import { test } from 'tap'
import type { LabelledQuery } from '../../../bench/match-eval/labelled-query.js'
import {
  areaUnderCurve,
  bandOf,
  expectedRank,
  falsePositiveRate,
  meanMargin,
  meanReciprocalRank,
  medianHits,
  nearMissDiscrimination,
  precisionAtOne,
  recallAmong,
  recallAtFalsePositives,
  recallAtTen,
} from '../../../bench/match-eval/metrics.js'
import { type Outcome, outcomeOf } from '../../../bench/match-eval/outcome.js'
import { assertProperty } from '../../fixtures/assert-property.js'

/** A small window: a score for every candidate, and which of them are true or decoys. */
interface Case {
  readonly scores: readonly number[]
  readonly trueAt: readonly number[]
  readonly decoysAt: readonly number[]
}

/** Few distinct scores, so that ties occur. */
const score = fc.constantFrom(0, 0.2, 0.55, 0.6, 0.8, 1)

const presentCase: fc.Arbitrary<Case> = fc
  .array(fc.record({ score, role: fc.constantFrom('true', 'decoy', 'other') }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((candidates) => {
    const placesOf = (role: string): number[] =>
      candidates.flatMap((candidate, at) => (candidate.role === role ? [at] : []))
    const trueAt = placesOf('true')
    return {
      scores: candidates.map((candidate) => candidate.score),
      trueAt: trueAt.length === 0 ? [0] : trueAt,
      decoysAt: placesOf('decoy').filter((at) => trueAt.length > 0 || at !== 0),
    }
  })

const absentCase: fc.Arbitrary<Case> = fc
  .array(score, { minLength: 1, maxLength: 4 })
  .map((scores) => ({ scores, trueAt: [], decoysAt: [] }))

function outcomeOfCase({ scores, trueAt, decoysAt }: Case): Outcome {
  const expectation = trueAt.length === 0 ? 'absent' : 'found'
  const question: LabelledQuery = { group: 'any', expectation, query: 'any', trueAt, decoysAt }
  const ranking = Float64Array.from(scores)
  return outcomeOf(question, { scores: ranking, order: ranking })
}

/** Every order of the candidates: descending by score, ties in all permutations. */
function ordersOf(scores: readonly number[]): number[][] {
  const all = scores.map((_, at) => at)
  const permute = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first) =>
          permute(rest.filter((at) => at !== first)).map((tail) => [first, ...tail]),
        )
  return permute(all).filter((order) =>
    order.every((at, i) => i === 0 || (scores[order[i - 1] ?? 0] ?? 0) >= (scores[at] ?? 0)),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9

test('P@1 and the rank are means over every order of the ties', async (t) => {
  assertProperty(
    fc.property(presentCase, (one) => {
      const orders = ordersOf(one.scores)
      const first = mean(orders.map(([top = -1]) => (one.trueAt.includes(top) ? 1 : 0)))
      const rank = mean(orders.map((order) => order.findIndex((at) => one.trueAt.includes(at)) + 1))
      const outcome = outcomeOfCase(one)
      return isNear(precisionAtOne([outcome]), first) && isNear(expectedRank(outcome), rank)
    }),
    { numRuns: 300 },
  )
  t.pass('equal for 300 windows')
})

test('recall and the reciprocal rank follow from the rank and the score', async (t) => {
  const trueFirst = outcomeOfCase({ scores: [0.8, 0.6], trueAt: [0], decoysAt: [1] })
  const trueSecond = outcomeOfCase({ scores: [0.8, 0.55], trueAt: [1], decoysAt: [0] })
  const trueNowhere = outcomeOfCase({ scores: [0.8, 0], trueAt: [1], decoysAt: [] })
  const all = [trueFirst, trueSecond, trueNowhere]
  t.equal(meanReciprocalRank(all), (1 + 1 / 2 + 0) / 3)
  t.equal(recallAmong(all, 1), 1 / 3)
  t.equal(recallAmong(all, 2), 2 / 3)
  t.equal(recallAtTen(all), 1 / 3, 'a score below the threshold is not found')
  const eleventh = { scores: [...Array(10).fill(1), 0.9], trueAt: [10], decoysAt: [] }
  t.equal(recallAtTen([outcomeOfCase(eleventh)]), 0)
})

test('near-miss discrimination requires a higher score than the best decoy', async (t) => {
  assertProperty(
    fc.property(fc.array(presentCase, { minLength: 1, maxLength: 6 }), (cases) => {
      const withDecoys = cases.filter(({ decoysAt }) => decoysAt.length > 0)
      const best = (scores: readonly number[], at: readonly number[]): number =>
        Math.max(...at.map((place) => scores[place] ?? -1))
      const margins = withDecoys.map(
        ({ scores, trueAt, decoysAt }) => best(scores, trueAt) - best(scores, decoysAt),
      )
      const outcomes = cases.map(outcomeOfCase)
      if (margins.length === 0) return Number.isNaN(nearMissDiscrimination(outcomes))
      const share = margins.filter((margin) => margin > 0).length / margins.length
      const isMargin = isNear(meanMargin(outcomes), mean(margins))
      return isMargin && isNear(nearMissDiscrimination(outcomes), share)
    }),
  )
  t.pass('equal to the definition')
})

test('false positives, area and recall at a rate equal the counts over pairs', async (t) => {
  const cases = { minLength: 1, maxLength: 12 }
  assertProperty(
    fc.property(
      fc.array(presentCase, cases),
      fc.array(absentCase, cases),
      fc.constantFrom(0, 0.01, 0.1, 0.5),
      (presentCases, absentCases, rate) => {
        const [present, absent] = [presentCases, absentCases].map((all) => all.map(outcomeOfCase))
        if (present === undefined || absent === undefined) return false
        const trueScores = presentCases.map(({ scores, trueAt }) =>
          Math.max(...trueAt.map((at) => scores[at] ?? -1)),
        )
        const tops = absentCases.map(({ scores }) => Math.max(...scores))
        const pairs = trueScores.flatMap((own) =>
          tops.map((top) => (own > top ? 1 : own === top ? 0.5 : 0)),
        )
        // Thresholds slightly above every score, and one below all of them.
        const thresholds = [-1, ...tops, ...trueScores].map((value) => value + 1e-6)
        const recalls = thresholds
          .filter((limit) => tops.filter((top) => top >= limit).length <= rate * tops.length)
          .map((limit) => trueScores.filter((own) => own >= limit).length / trueScores.length)
        return (
          isNear(areaUnderCurve(present, absent), mean(pairs)) &&
          isNear(recallAtFalsePositives(present, absent, rate), Math.max(...recalls)) &&
          isNear(falsePositiveRate(absent), tops.filter((top) => top >= 0.6).length / tops.length)
        )
      },
    ),
    { numRuns: 300 },
  )
  t.pass('equal for 300 pairs of sets')
})

test('bands and hits are quantiles; without outcomes they are NaN', async (t) => {
  const outcomes = Array.from({ length: 100 }, (_, i) =>
    outcomeOfCase({ scores: [(i + 1) / 100, 0.7], trueAt: [0], decoysAt: [] }),
  )
  t.same(bandOf(outcomes), [0.05, 0.95])
  t.equal(medianHits(outcomes), 1)
  t.ok(Number.isNaN(precisionAtOne([])))
  t.ok(Number.isNaN(bandOf([])[0]))
  t.ok(Number.isNaN(recallAtFalsePositives(outcomes, [], 0.01)))
})
