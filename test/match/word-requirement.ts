// The filter of words against scoring every row.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { Candidates } from '../../src/match/candidates.js'
import type { MatchFields } from '../../src/match/fields.js'
import { MATCH_GRAMS_ROWS_MIN, type MatchIndex } from '../../src/match/match-index.js'
import { MatchIndexBuilder } from '../../src/match/match-index-builder.js'
import { parseReference } from '../../src/match/reference.js'
import { requirementsOf } from '../../src/match/requirement.js'
import { scoreMatch } from '../../src/match/score.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { wordQueries, wordTexts } from '../fixtures/word-texts.js'

/** The index of rows, and of so many without fields that it has trigrams. */
function indexOf(rows: readonly MatchFields[]): MatchIndex {
  const builder = new MatchIndexBuilder(MATCH_GRAMS_ROWS_MIN)
  for (let row = 0; row < MATCH_GRAMS_ROWS_MIN; row++) builder.add(rows[row] ?? fieldsWith({}))
  return builder.finish()
}

const queries = fc
  .tuple(wordQueries, fc.constantFrom('', '', '', ' 4711', ' RE 2024-0815', ' 7'))
  .map((parts) => parts.join(''))

const FIELDS = ['purpose', 'purpose', 'customerReference', 'primanota'] as const

const rowsOfWords = fc.array(
  fc
    .tuple(fc.constantFrom(...FIELDS), wordTexts, fc.constantFrom('', '', ' 4711', ' 2024-0816'))
    .map(([name, text, number]) => fieldsWith({ [name]: text + number })),
  { minLength: 20, maxLength: 60 },
)

const THRESHOLDS = [
  ...[1, 750, 2_250, 3_000, 4_125, 4_126, 5_000, 5_625, 5_626, 6_000, 6_375, 6_376],
  ...[7_000, 7_425, 7_426, 7_500, 7_501, 9_500],
]

test('a row that reaches a score is a candidate', async (t) => {
  let hitCount = 0
  let leftOutCount = 0
  const reached = new Set<number>()
  assertProperty(
    fc.property(queries, rowsOfWords, (query, rows) => {
      const reference = parseReference(query)
      // The query itself, and a row with one more word.
      const given = [...rows, fieldsWith({ purpose: query }), fieldsWith({ purpose: `${query} X` })]
      const index = indexOf(given)
      const scores = given.map((row) => scoreMatch(reference, row).score)
      for (const scoreMin of THRESHOLDS) {
        const candidates = new Candidates(index, requirementsOf(reference, scoreMin))
        for (const [row, score] of scores.entries()) {
          const isCandidate = candidates.has(row)
          assert(isCandidate || score < scoreMin, `${query}: ${given[row]?.purpose} ${scoreMin}`)
          if (!isCandidate) leftOutCount += 1
          if (score < scoreMin) continue
          hitCount += 1
          reached.add(scoreMin)
        }
      }
    }),
    { numRuns: 1_000 },
  )
  t.ok(hitCount > 20_000 && leftOutCount > 100_000, `${hitCount} hits, ${leftOutCount} left out`)
  t.equal(reached.size, THRESHOLDS.length)
})

test('a question of two names leaves the rows that have both', async (t) => {
  const index = indexOf([
    fieldsWith({ purpose: 'MIETE MEISTERMANN SCHNEIDER' }),
    fieldsWith({ purpose: 'MIETE MEISTERMANN SCHULZ' }),
    fieldsWith({ purpose: 'MIETE SCHNEIDER' }),
    fieldsWith({ purpose: 'MIETE MESITERMANN SCHNEIDER' }),
    fieldsWith({ purpose: 'HAFENSTR. 7 BESTELLUNG 47110815' }),
  ])
  const candidatesAt = (query: string, scoreMin: number): number[] => {
    const candidates = new Candidates(index, requirementsOf(parseReference(query), scoreMin))
    return [...new Array(index.rowCount).keys()].filter((row) => candidates.has(row))
  }
  t.same(candidatesAt('Meistermann Schneider', 6_000), [0, 3])
  t.same(candidatesAt('Meistermann Schneider', 7_500), [0])
  t.same(candidatesAt('Hafenstraße Meistermann Schneider', 7_500), [])
  t.same(candidatesAt('Meistermann 47110815', 4_000), [0, 1, 4])
  t.equal(candidatesAt('Doo', 7_500).length, index.rowCount, 'it has no trigram')
})
