import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { MatchFields } from '../../src/match/fields.js'
import { MATCH_GRAMS_ROWS_MIN } from '../../src/match/match-index.js'
import { MatchIndexBuilder } from '../../src/match/match-index-builder.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { matchRows, naiveMatchIndex } from '../fixtures/naive-match-index.js'

function built(rows: readonly MatchFields[]): ReturnType<MatchIndexBuilder['finish']> {
  const builder = new MatchIndexBuilder(rows.length)
  for (const fields of rows) builder.add(fields)
  return builder.finish()
}

test('the index equals that of each row separately', async (t) => {
  let gramCount = 0
  assertProperty(
    fc.property(matchRows, (rows) => {
      const index = built(rows)
      assert.deepEqual(index, naiveMatchIndex(rows))
      gramCount += index.grams.some((bits) => bits !== 0) ? 1 : 0
    }),
    { numRuns: 60 },
  )
  t.ok(gramCount > 10, `${gramCount} with grams`)
})

test('an index is in shared memory, a small one without slack', async (t) => {
  const { rowCount, ...arrays } = built([fieldsWith({ purpose: 'RE-2024-0815' })])
  t.equal(rowCount, 1)
  for (const [name, array] of Object.entries(arrays)) {
    t.ok(array.buffer instanceof SharedArrayBuffer, name)
    t.equal(array.buffer.byteLength, array.byteLength, name)
  }
})

test('rows of more codes than expected', async () => {
  const long = fieldsWith({ purpose: 'RE-2024-0815/16 '.repeat(625), primanota: '4711' })
  const rows = [fieldsWith({}), long, fieldsWith({ purpose: '4712' }), long]
  assert.deepEqual(built(rows), naiveMatchIndex(rows))
})

test('grams from a minimum number of rows on', async (t) => {
  const rows = Array.from({ length: MATCH_GRAMS_ROWS_MIN }, (_, i) =>
    fieldsWith({ purpose: `RE-${i}` }),
  )
  t.equal(built(rows.slice(1)).grams.length, 0)
  assert.deepEqual(built(rows), naiveMatchIndex(rows))
  t.not(built(rows).grams.length, 0)
})

test('a row that was not added', async (t) => {
  const builder = new MatchIndexBuilder(2)
  builder.add(fieldsWith({ purpose: '1' }))
  t.throws(() => builder.finish(), /every row was added/)
})
