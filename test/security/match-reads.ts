import { test } from 'tap'
import { Candidates } from '../../src/match/candidates.js'
import { MATCH_GRAMS_ROWS_MIN, type MatchIndex } from '../../src/match/match-index.js'
import { MatchIndexBuilder } from '../../src/match/match-index-builder.js'
import { parseReference } from '../../src/match/reference.js'
import { requirementsOf } from '../../src/match/requirement.js'
import { fieldsWith } from '../fixtures/fields-with.js'

const ROWS = MATCH_GRAMS_ROWS_MIN

/** Rows of which the first is visible, and every other one has a purpose. */
function indexOf(purpose: string): MatchIndex {
  const builder = new MatchIndexBuilder(ROWS)
  for (let row = 0; row < ROWS; row++)
    builder.add(fieldsWith({ purpose: row === 0 ? '' : purpose }))
  return builder.finish()
}

/** Reads of trigram words while the visible row is asked for. */
function readsFor(query: string, index: MatchIndex): number {
  let reads = 0
  const grams = new Proxy(index.grams, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
      return Reflect.get(target, name, target)
    },
  })
  const requirements = requirementsOf(parseReference(query), 9_000)
  new Candidates({ ...index, grams }, requirements).has(0)
  return reads
}

test('the work of a match does not depend on texts of rows that are not asked for', async (t) => {
  const words = ['Meistermann Schneider', 'Kadolim', 'kadolim zorten bestellung rechnung danke']
  for (const query of ['RE-2024-0815', '4711', 'VR2023010529 kadolim', ...words]) {
    const reads = readsFor(query, indexOf(query))
    t.ok(reads > 0, `${query}: ${reads} reads`)
    t.equal(readsFor(query, indexOf('salary')), reads, query)
  }
})
