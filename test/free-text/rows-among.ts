import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { rowSetOrdinals } from '../../src/free-text/row-set.js'
import { type RowScan, rowsAmong, scanCost } from '../../src/free-text/rows-among.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, scanRows, termsFor, textRows } from '../fixtures/search-texts.js'

const CODES = 3

const cases = textRows(80).chain((rows) => {
  const column = fc.array(fc.nat({ max: CODES }), {
    minLength: rows.length,
    maxLength: rows.length,
  })
  return fc.record({
    rows: fc.constant(rows),
    /** List of each row; undefined = none. */
    dealt: fc.array(fc.constantFrom(0, 1, undefined), {
      minLength: rows.length,
      maxLength: rows.length,
    }),
    terms: fc.array(termsFor(rows), { minLength: 1, maxLength: 2 }).map((lists) => lists.flat()),
    columns: fc.tuple(column, column),
    named: fc.array(fc.nat({ max: CODES - 1 }), { maxLength: 2 }),
  })
})

test('rows among candidates equal those of a naive scan', async () => {
  assertProperty(
    fc.property(cases, ({ rows, dealt, terms, columns, named }) => {
      const lists = [0, 1].map((number) =>
        Uint32Array.from(dealt.flatMap((list, row) => (list === number ? [row] : []))),
      )
      const scan: RowScan = {
        kind: 'scan',
        ...{ text: indexOfRows(rows), terms, lists },
        columns: columns.map((codes) => Uint8Array.from(codes)),
        codes: terms.map((_, place) => (place === 0 ? named : [])),
      }
      const hasCode = (row: number): boolean =>
        columns.some((codes) => named.includes(codes[row] ?? -1))
      const wanted = rows.flatMap((_, row) => {
        const found = terms.every((term, place) => {
          if (place === 0 && hasCode(row)) return true
          return scanRows(rows, [term]).includes(row)
        })
        return found && dealt[row] !== undefined ? [row] : []
      })
      const found = rowsAmong(scan)
      assert.deepEqual([...rowSetOrdinals(found)], wanted)
      assert.equal(found.kind, wanted.length <= rows.length / 64 ? 'ordinals' : 'bits')
    }),
    { numRuns: 60 },
  )
})

test('the cost of a scan grows with its rows and terms', async (t) => {
  const lists = [new Uint32Array(10), new Uint32Array(5)]
  const [one, two] = [termsOf('a'), termsOf('a b')]
  t.ok(scanCost({ lists, terms: two }) > scanCost({ lists, terms: one }))
  t.equal(
    scanCost({ lists: [...lists, ...lists], terms: two }),
    2 * scanCost({ lists, terms: two }),
  )
  t.equal(scanCost({ lists: [], terms: two }), 0)
})
