import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  buildGrams,
  bytesOfKey,
  gramKey,
  keyOfStart,
  keysEnd,
  placeOfBytes,
  placeOfKey,
  wordsOfKey,
} from '../../src/free-text/grams.js'
import { assertProperty } from '../fixtures/assert-property.js'

// No byte of UTF-8 is 255.
const words = fc.array(fc.uint8Array({ minLength: 1, maxLength: 6, max: 254 }), {
  minLength: 1,
  maxLength: 40,
})
// Few letters, so that words share grams; among them the least and the greatest byte.
const alikeWords = fc.array(
  fc
    .array(fc.constantFrom(0, 1, 97, 98, 254), { minLength: 1, maxLength: 9 })
    .map((bytes) => Uint8Array.from(bytes)),
  { minLength: 1, maxLength: 300, size: 'max' },
)

/** The words in the layout of an index, word c with c + 1 entries. */
function laidOut(list: readonly Uint8Array[]) {
  const wordOffsets = new Uint32Array(list.length + 1)
  const rowOffsets = new Uint32Array(list.length + 1)
  list.forEach((word, code) => {
    wordOffsets[code + 1] = wordOffsets[code]! + word.length
    rowOffsets[code + 1] = rowOffsets[code]! + code + 1
  })
  return { wordBytes: Buffer.concat(list), wordOffsets, rowOffsets }
}

/** From dividing every gram to dividing none. */
const dividing = fc.constantFrom(0, 1, 5, 40, 1_000_000)

test('a byte prefix leads to exactly the words that contain it', async () => {
  assertProperty(
    fc.property(fc.oneof(words, alikeWords), fc.nat(), dividing, (list, start, undividedMax) => {
      const from = start % list.length
      const table = buildGrams(laidOut(list), from, list.length, undividedMax)
      const askedFor = list.flatMap((word) => [1, 2, 3].map((length) => word.slice(-length)))
      for (const bytes of askedFor.slice(0, 60)) {
        const key = gramKey(bytes, 0, bytes.length)
        const found = new Set<number>()
        const end = placeOfKey(table.keys, keysEnd(key, bytes.length))
        for (let place = placeOfKey(table.keys, key); place < end; place++) {
          const codes = Array.from(wordsOfKey(table, place), (word) => word + from)
          assert.equal(codes.length, table.counts[place])
          assert.deepEqual(
            codes,
            [...new Set(codes)].sort((a, b) => a - b),
          )
          const entries = codes.reduce((sum, code) => sum + code + 1, 0)
          assert.equal(table.rowCounts[place], entries)
          for (const code of codes) found.add(code)
        }
        const wanted = [...list.keys()].filter(
          (code) => code >= from && Buffer.from(list[code]!).includes(Buffer.from(bytes)),
        )
        assert.deepEqual(
          [...found].sort((a, b) => a - b),
          wanted,
        )
      }
    }),
    { numRuns: 60 },
  )
})

test('four bytes lead to the words that contain them, or their first three', async () => {
  let exactCount = 0
  let undividedCount = 0
  assertProperty(
    fc.property(alikeWords, fc.nat(), dividing, (list, start, undividedMax) => {
      const from = start % list.length
      const table = buildGrams(laidOut(list), from, list.length, undividedMax)
      const holding = (bytes: Uint8Array): number[] =>
        [...list.keys()].filter(
          (code) => code >= from && Buffer.from(list[code]!).includes(Buffer.from(bytes)),
        )
      const asked = list.flatMap((word) => [word.slice(0, 4), word.slice(-4)])
      for (const bytes of asked.filter(({ length }) => length === 4).slice(0, 60)) {
        const key = gramKey(bytes, 0, 4)
        const place = placeOfBytes(table.keys, key)
        const wanted = holding(bytes)
        if (place === -1) assert.deepEqual(wanted, [])
        else {
          const codes = Array.from(wordsOfKey(table, place), (word) => word + from)
          const isExact = table.keys[place] === key
          assert.deepEqual(codes, isExact ? wanted : holding(bytes.subarray(0, 3)))
          exactCount += isExact ? 1 : 0
          undividedCount += isExact ? 0 : 1
        }
      }
    }),
    { numRuns: 60 },
  )
  assert.ok(exactCount > 100 && undividedCount > 100, `${exactCount}, ${undividedCount}`)
})

test('a key determines its bytes and the keys of its prefixes', async (t) => {
  const bytes = Uint8Array.of(0, 254, 97, 0)
  const key = gramKey(bytes, 0, 4)
  t.strictSame(bytesOfKey(key), bytes)
  t.equal(keyOfStart(key, 4), key)
  t.equal(keyOfStart(key, 3), gramKey(bytes, 0, 3))
  t.equal(keyOfStart(key, 2), gramKey(bytes, 0, 2))
  t.equal(keyOfStart(key, 1), gramKey(bytes, 0, 1))
  t.equal(keyOfStart(gramKey(bytes, 0, 1), 2), undefined)
  t.equal(keyOfStart(gramKey(bytes, 1, 4), 4), undefined)
  t.equal(keysEnd(gramKey(Uint8Array.of(254), 0, 1), 1), 2 ** 32)
})
