import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { csvInSlices } from '../../src/dashboard/csv-slices.js'
import { type CsvColumn, type CsvDialect, csvHead, csvLines } from '../../src/dashboard/csv-text.js'
import { assertProperty } from '../fixtures/assert-property.js'

const COLUMNS: readonly CsvColumn<string>[] = [{ name: 'text', read: (row) => row }]

test('slices are the whole file, for texts of any length', async () => {
  const row = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.integer({ min: 0, max: 40_000 }).map((length) => 'ä"'.repeat(length)),
  )
  const dialects = fc.constantFrom<CsvDialect>('comma', 'semicolon')
  await assertProperty(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), dialects, async (rows, dialect) => {
      const bytes = await csvInSlices(COLUMNS, rows, dialect, async () => undefined)
      const naive = csvHead(COLUMNS, dialect) + csvLines(COLUMNS, rows, dialect)
      assert.equal(bytes.toString(), naive)
    }),
    { numRuns: 40 },
  )
})

/** @returns rows that were read at the end of each slice */
async function slicesOf(rowCount: number, rowLength: number): Promise<number[]> {
  let readCount = 0
  const ends: number[] = []
  function* rows(): Generator<string> {
    for (; readCount < rowCount; ) {
      readCount += 1
      yield 'x'.repeat(rowLength)
    }
  }
  await csvInSlices(COLUMNS, rows(), 'comma', async () => {
    ends.push(readCount)
  })
  return ends
}

test('a slice ends after some rows, and after few rows with long texts', async (t) => {
  t.same(await slicesOf(1_000, 100), [200, 400, 600, 800, 1_000])
  const ends = await slicesOf(250, 10_000)
  t.ok(ends.length >= 16, `${ends.length} slices of 2.5 MB`)
  const sizes = ends.map((end, i) => end - (ends[i - 1] ?? 0))
  t.ok(Math.max(...sizes) * 10_000 < 200_000, 'none of which has more than 200 KB')
  t.same(await slicesOf(3, 500_000), [1, 2, 3], 'a row is not cut')
})

test('a file of which no more is wanted ends with its slice', async (t) => {
  let readCount = 0
  function* rows(): Generator<string> {
    for (;;) {
      readCount += 1
      yield 'x'
    }
  }
  const stop = (): Promise<void> => Promise.reject(new Error('aborted'))
  await t.rejects(csvInSlices(COLUMNS, rows(), 'comma', stop), { message: 'aborted' })
  t.equal(readCount, 200)
})
