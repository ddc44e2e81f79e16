import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { rowSetCount } from '../../src/free-text/row-set.js'
import { rowsWithTerm } from '../../src/free-text/rows-with-terms.js'
import { costOfTerm } from '../../src/free-text/term-cost.js'
import type { TextIndex } from '../../src/free-text/text-index.js'
import { bytesOfTerm } from '../../src/free-text/words-with-term.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, termsFor, textRows } from '../fixtures/search-texts.js'

const cases = textRows(300).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    terms: fc.array(termsFor(rows), { minLength: 10, maxLength: 10 }).map((lists) => lists.flat()),
  }),
)

test('a term is in at most as many rows as estimated', async () => {
  let lessCount = 0
  assertProperty(
    fc.property(cases, ({ rows, terms }) => {
      const index = indexOfRows(rows)
      for (const term of terms) {
        const { cost, rowsMax } = costOfTerm(index, bytesOfTerm(term))
        const count = rowSetCount(rowsWithTerm(index, term))
        assert.ok(count <= rowsMax && rowsMax <= rows.length, `${term.first}: ${rowsMax}`)
        assert.ok(count === 0 ? cost >= 0 : cost > 0, `${term.first}: ${cost}`)
        lessCount += rowsMax < rows.length ? 1 : 0
      }
    }),
    { numRuns: 60 },
  )
  assert.ok(lessCount > 100, `${lessCount} terms in fewer than all rows`)
})

/** Rows with a word of their own each, every n-th of them with a term of three or six bytes. */
function indexWith(rowCount: number, step: number): TextIndex {
  const isIn = (row: number): boolean => row % step === 0
  return indexOfRows(
    Array.from({ length: rowCount }, (_, row) => [`${isIn(row) ? 'abcdef' : 'gh'}${row}`]),
  )
}

test('as many words cost more the farther they are apart', async (t) => {
  const near = indexWith(400, 1)
  const far = indexWith(40_000, 100)
  for (const text of ['abc', 'abcdef']) {
    const [term] = termsOf(text)
    assert(term !== undefined)
    const [nearCost, farCost] = [near, far].map(
      (index) => costOfTerm(index, bytesOfTerm(term)).cost,
    )
    t.ok(farCost !== undefined && nearCost !== undefined && farCost > 2 * nearCost, text)
  }
})
