import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { editDistance, nearestName, similarNames } from '../../src/text/nearest.js'
import { assertProperty } from '../fixtures/assert-property.js'

const known = ['offset', 'limit', 'order', 'sortBy', 'bookedBefore', 'bookedAfter', 'blz', 'bic']

test('a mistyped name leads to the intended one', async (t) => {
  const cases = [
    ['limt', 'limit'],
    ['lmiit', 'limit'],
    ['Limit', 'limit'],
    ['ofset', 'offset'],
    ['sort_by', 'sortBy'],
    ['sortby', 'sortBy'],
    ['booked-before', 'bookedBefore'],
    ['bookedafter', 'bookedAfter'],
  ] as const
  for (const [name, meant] of cases) t.equal(nearestName(name, known), meant, name)
})

test('an unrelated name leads nowhere', async (t) => {
  for (const name of ['query', 'page', 'access_token', '', 'x', 'id', 'l'.repeat(10_000)]) {
    t.equal(nearestName(name, known), undefined, name.slice(0, 20))
  }
  t.equal(nearestName('limit', []), undefined)
})

test('names that resemble another are found in the order of their edits', async (t) => {
  const names = ['Reise', 'Reisekosten', 'Bahn', 'Reisen', 'Miete', 'Büro']
  t.same(similarNames('reisen', names, 5), ['Reisen', 'Reise'])
  t.same(similarNames('Reise', names, 5), ['Reise', 'Reisen', 'Reisekosten'])
  t.same(similarNames('Reise', names, 2), ['Reise', 'Reisen'])
  t.same(similarNames('Mieet', names, 5), ['Miete'])
  t.same(similarNames('ro', names, 5), [], 'two characters are in too many names')
  t.same(similarNames('', names, 5), [])
  t.same(similarNames('x'.repeat(100_000), names, 5), [])
})

/** The definition, without a table. */
function naiveDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const replaced = naiveDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1)
  const removed = naiveDistance(a.slice(1), b) + 1
  const added = naiveDistance(a, b.slice(1)) + 1
  const swaps = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  const swapped = swaps ? naiveDistance(a.slice(2), b.slice(2)) + 1 : Number.POSITIVE_INFINITY
  return Math.min(replaced, removed, added, swapped)
}

test('the edit distance equals its definition', async (t) => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
  assertProperty(
    fc.property(texts, texts, (a, b) => assert.equal(editDistance(a, b), naiveDistance(a, b))),
    { numRuns: 300 },
  )
  t.pass('300 pairs')
})
