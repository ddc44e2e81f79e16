import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  buildPostings,
  buildUnionPostings,
  type Postings,
  postingCount,
  postingOf,
} from '../../src/snapshot/postings.js'
import { assertProperty } from '../fixtures/assert-property.js'

const CODES = 6
const columns = fc.nat({ max: 30 }).chain((rowCount) => {
  const column = fc.array(fc.nat({ max: CODES }), { minLength: rowCount, maxLength: rowCount })
  return fc.tuple(column, column)
})

function checkPostings(postings: Postings, naive: (code: number) => number[]): void {
  for (let code = 0; code < CODES; code++) {
    assert.deepEqual([...postingOf(postings, code)], naive(code))
    assert.equal(postingCount(postings, code), naive(code).length)
  }
}

test('postings map codes to rows; the last code means none', async (t) => {
  assertProperty(
    fc.property(columns, ([one, other]) => {
      const rowsWith =
        (...wanted: readonly number[][]) =>
        (code: number) =>
          one.flatMap((_, row) => (wanted.some((column) => column[row] === code) ? row : []))
      const codes = Uint8Array.from(one)
      checkPostings(buildPostings(codes, CODES), rowsWith(one))
      const union = buildUnionPostings([codes, Uint8Array.from(other)], CODES)
      checkPostings(union, rowsWith(one, other))
    }),
    { numRuns: 500 },
  )
  t.pass('500 columns')
})
