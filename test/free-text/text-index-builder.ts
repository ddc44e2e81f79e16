import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type TextIndex, textIndexBytes, wordCount } from '../../src/free-text/text-index.js'
import { readVarint, varintBytes } from '../../src/free-text/varint.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, textRows } from '../fixtures/search-texts.js'

function wordsOf({ wordBytes, wordOffsets }: TextIndex): string[] {
  return Array.from({ length: wordOffsets.length - 1 }, (_, code) =>
    Buffer.from(wordBytes.slice(wordOffsets[code], wordOffsets[code + 1])).toString(),
  )
}

/** Codes of a row's words. */
function codesOf({ rowWords, rowWordOffsets }: TextIndex, row: number): number[] {
  const codes = []
  for (let at = rowWordOffsets[row]!; at < rowWordOffsets[row + 1]!; ) {
    const code = readVarint(rowWords, at)
    codes.push(code)
    at += varintBytes(code)
  }
  return codes
}

/** Rows of a word, in either encoding. */
function rowsOf({ rows, rowOffsets, rowCount }: TextIndex, code: number): number[] {
  const part = rows.slice(rowOffsets[code], rowOffsets[code + 1])
  if (part.length < Math.ceil(rowCount / 32)) return [...part]
  return Array.from({ length: rowCount }, (_, row) => row).filter(
    (row) => ((part[row >>> 5]! >>> (row & 31)) & 1) === 1,
  )
}

/** Distinct words of a text's fields with the range they belong to, in the order of the text. */
function rangedWords(texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) =>
    termsOf(text ?? '').flatMap(({ first, second }) =>
      first === second ? [`equal ${first}`] : [`first ${first}`, `second ${second}`],
    ),
  )
  return [...new Set(words)]
}

test('an index has the words of every row and the rows of every word', async () => {
  assertProperty(
    fc.property(textRows(150), (rows) => {
      const index = indexOfRows(rows)
      const words = wordsOf(index).map((word, code) => {
        if (code < index.firstFormsFrom) return `equal ${word}`
        return `${code < index.secondFormsFrom ? 'first' : 'second'} ${word}`
      })
      assert.equal(new Set(words).size, wordCount(index), 'no word twice')
      const wanted = rows.map(rangedWords)
      rows.forEach((_, row) => {
        assert.deepEqual(
          codesOf(index, row).map((code) => words[code]),
          wanted[row],
        )
      })
      words.forEach((word, code) => {
        const wantedRows = [...rows.keys()].filter((row) => wanted[row]?.includes(word))
        assert.deepEqual(rowsOf(index, code), wantedRows)
      })
    }),
    { numRuns: 40 },
  )
})

test('commoner words of a range have lower codes', async (t) => {
  const index = indexOfRows([['c b a ü'], ['b a'], ['a', 'a']])
  t.strictSame(wordsOf(index), ['a', 'b', 'c', 'u', 'ue'])
  t.equal(index.firstFormsFrom, 3)
  t.equal(index.secondFormsFrom, 4)
})

test('all arrays are in shared memory and counted', async (t) => {
  const index = indexOfRows([['Über 11', null], []])
  let bytes = 0
  for (const part of [index, index.equalGrams, index.firstGrams, index.secondGrams]) {
    for (const array of Object.values(part)) {
      if (!ArrayBuffer.isView(array)) continue
      t.ok(array.buffer instanceof SharedArrayBuffer)
      t.equal(array.byteLength, array.buffer.byteLength)
      bytes += array.byteLength
    }
  }
  t.equal(textIndexBytes(index), bytes)
})
