import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { CODES, LEADING_ZERO } from '../../src/match/codes.js'
import {
  findWithin,
  patternPlaces,
  patternSet,
  type SearchedField,
} from '../../src/match/distance.js'
import { assertProperty } from '../fixtures/assert-property.js'

const SYMBOLS = 3

function fieldOf(codes: readonly number[], patternCount: number): SearchedField {
  const places = patternPlaces(patternCount)
  const gaps = new Uint8Array(codes.length)
  return { codes: Uint8Array.from(codes), gaps, from: 0, to: codes.length, places }
}

/** Fewest edits between the pattern and a substring that ends after each code, by definition. */
function fewestEdits(pattern: readonly number[], text: readonly number[]): number[] {
  const rows: number[][] = [pattern.map((_, i) => i + 1)]
  const at = (column: number, row: number): number =>
    row === 0 ? 0 : (rows[column]?.[row - 1] ?? Number.POSITIVE_INFINITY)
  text.forEach((code, i) => {
    const column: number[] = []
    rows.push(column)
    pattern.forEach((wanted, j) => {
      let edits = Math.min(at(i, j) + (wanted === code ? 0 : 1), at(i, j + 1) + 1, at(i + 1, j) + 1)
      if (i > 0 && j > 0 && wanted === text[i - 1] && pattern[j - 1] === code) {
        edits = Math.min(edits, at(i - 1, j - 1) + 1)
      }
      column.push(edits)
    })
  })
  return rows.slice(1).map((column) => column.at(-1) ?? 0)
}

/** Whether the text ends with the pattern without its last one to three codes. */
function isCutOff(pattern: readonly number[], text: readonly number[]): boolean {
  return [1, 2, 3].some((cut) => {
    const left = pattern.length - cut
    const end = text.slice(text.length - left)
    return left > 0 && left <= text.length && end.every((code, i) => code === pattern[i])
  })
}

test('leading zeros are ignored; where that finds nothing, any zeros are', async (t) => {
  const codes = (most: number): fc.Arbitrary<number[]> =>
    fc.array(fc.constantFrom(0, 1, 2, LEADING_ZERO), { minLength: 1, maxLength: most })
  assertProperty(
    fc.property(codes(10), codes(24), fc.nat({ max: 1 }), (drawn, text, most) => {
      const wanted = drawn.map((code) => (code === LEADING_ZERO ? 0 : code))
      const pattern = new Int32Array(CODES)
      wanted.forEach((code, i) => {
        pattern[code] = (pattern[code] ?? 0) | (1 << i)
      })
      const searched = fieldOf(text, 1)
      const { places } = searched
      findWithin(patternSet([{ pattern, patternLength: wanted.length, editsMax: most }]), searched)
      const isWithin = (field: readonly number[]): boolean =>
        fewestEdits(wanted, field).some((edits) => edits <= most)
      const without = text.filter((code) => code !== LEADING_ZERO)
      const asZeros = text.map((code) => (code === LEADING_ZERO ? 0 : code))
      const areTried = !isWithin(without) && text.includes(LEADING_ZERO) && wanted.includes(0)
      const tried = areTried ? [without, asZeros] : [without]
      assert.equal((places.first[0] ?? -1) >= 0, tried.some(isWithin))
      assert.equal(
        places.atEnd[0] === 1,
        tried.some((field) => isCutOff(wanted, field)),
      )
    }),
    { numRuns: 5_000 },
  )
  t.pass('5,000 fields')
})

test('places within the edits are as defined, whatever other patterns there are', async (t) => {
  const codes = (least: number, most: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min: 1, max: SYMBOLS }), { minLength: least, maxLength: most })
  const patterns = fc.array(
    fc.record({ wanted: codes(1, 32), editsMax: fc.integer({ min: 0, max: 2 }) }),
    { minLength: 1, maxLength: 12 },
  )
  assertProperty(
    fc.property(patterns, codes(0, 60), (drawn, text) => {
      const set = drawn.map(({ wanted, editsMax }) => {
        const pattern = new Int32Array(CODES)
        wanted.forEach((code, i) => {
          pattern[code] = (pattern[code] ?? 0) | (1 << i)
        })
        return { pattern, patternLength: wanted.length, editsMax }
      })
      const searched = fieldOf(text, drawn.length)
      findWithin(patternSet(set), searched)
      const { first, last, atEnd } = searched.places
      drawn.forEach(({ wanted, editsMax }, number) => {
        const edits = fewestEdits(wanted, text)
        const places = edits.flatMap((count, i) => (count <= editsMax ? [i] : []))
        const expected = [places[0] ?? -1, places.at(-1) ?? -1, isCutOff(wanted, text) ? 1 : 0]
        assert.deepEqual([first[number], last[number], atEnd[number]], expected)
      })
    }),
    { numRuns: 5_000 },
  )
  t.pass('5,000 sets of patterns')
})
