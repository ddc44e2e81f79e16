import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Ordinal } from '../../src/ordinals/ordinal.js'
import type { Run } from '../../src/query/listing.js'
import type { Segment } from '../../src/snapshot/snapshot.js'
import { BodyBuffer } from '../../src/wire/body-buffer.js'
import { parseCustomSchema } from '../../src/wire/custom-schema.js'
import { ACCOUNT_SHAPE, TRANSACTION_SHAPE } from '../../src/wire/object-shape.js'
import {
  arrayJson,
  objectJson,
  transactionJsonOf,
  transactionPageJson,
} from '../../src/wire/page-json.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveRewrite, type Tree } from '../fixtures/naive-rewrite.js'
import { inRowMemory, segmentOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const segments = workspaceRows({ maxLength: 20 })
  .filter(({ transactions }) => transactions.length > 0)
  .map(segmentOf)

/** A contiguous, reversed or scattered run of the segment, and its rows. */
function runsOf(segment: Segment): fc.Arbitrary<{ run: Run; rows: number[] }> {
  const all = Array.from({ length: segment.rowCount }, (_, row) => row)
  const ordinals = fc.option(fc.shuffledSubarray(all), { nil: undefined })
  return fc
    .tuple(ordinals, fc.nat({ max: all.length }), fc.nat({ max: all.length }), fc.boolean())
    .map(([listed, start, count, backwards]) => {
      const slice = (listed ?? all).slice(start, start + count)
      const run: Run = {
        segment,
        ordinals: listed && Uint32Array.from(listed),
        first: backwards ? start + slice.length - 1 : start,
        step: backwards ? -1 : 1,
        count: slice.length,
      }
      return { run, rows: backwards ? slice.toReversed() : slice }
    })
}

const cases = fc.tuple(segments, fc.boolean()).chain(([built, isLarge]) => {
  const segment = isLarge ? inRowMemory(built) : built
  return fc.record({
    segment: fc.constant(segment),
    page: fc.array(runsOf(segment), { maxLength: 3 }),
  })
})

function rowText({ rowBytes, rowOffsets }: Segment, row: number): string {
  const bytes = rowBytes.subarray(rowOffsets[row], (rowOffsets[row + 1] ?? 0) - 1)
  return Buffer.from(bytes).toString()
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

const ENTRIES = { id: 'number', 'counterpart.iban': 'x.y', purpose: null, amount: 'currency' }
const asIs = { staleFragments: new Map(), customSchema: undefined }
const rewritten = {
  staleFragments: new Map(),
  customSchema: parseCustomSchema(JSON.stringify(ENTRIES), { shape: TRANSACTION_SHAPE }),
}

test('a page is its rows in order, in brackets, with commas', async (t) => {
  const buffer = new BodyBuffer()
  assertProperty(
    fc.property(cases, ({ segment, page }) => {
      const runs = page.map(({ run }) => run)
      const texts = page.flatMap(({ rows }) => rows.map((row) => rowText(segment, row)))
      assert.equal(textOf(transactionPageJson(buffer, runs, asIs)), `[${texts.join(',')}]`)
      const found = JSON.parse(textOf(transactionPageJson(buffer, runs, rewritten)))
      const naive = texts.map((text) => naiveRewrite(JSON.parse(text) as Tree, ENTRIES).result)
      assert.deepEqual(found, naive)
    }),
    { numRuns: 300 },
  )
  t.pass('300 pages')
})

test('a page of rows from several memories', async (t) => {
  const buffer = new BodyBuffer()
  const several = fc.array(
    segments.chain((segment) => fc.constantFrom(segment, inRowMemory(segment)).chain(runsOf)),
    { maxLength: 4 },
  )
  assertProperty(
    fc.property(several, (page) => {
      const runs = page.map(({ run }) => run)
      const texts = page.flatMap(({ run, rows }) => rows.map((row) => rowText(run.segment, row)))
      assert.equal(textOf(transactionPageJson(buffer, runs, asIs)), `[${texts.join(',')}]`)
    }),
    { numRuns: 200 },
  )
  t.pass('200 pages')
})

test('rows too long to gather in their memory are copied', async (t) => {
  const rowText = `{"id":1,"purpose":"${'x'.repeat(300_000)}"}`
  const rowBytes = Buffer.from(`${rowText},`.repeat(4))
  const rowOffsets = Uint32Array.from({ length: 5 }, (_, i) => (i * rowBytes.length) / 4)
  const segment = inRowMemory({ rowCount: 4, rowBytes, rowOffsets } as unknown as Segment)
  const runOf = (...rows: number[]): Run => {
    const count = rows.length
    return { segment, ordinals: Uint32Array.from(rows), first: 0, step: 1, count }
  }
  const buffer = new BodyBuffer()
  for (const rows of [[3, 0, 2], [2, 0, 3, 1], [1], []]) {
    const text = textOf(transactionPageJson(buffer, [runOf(...rows)], asIs))
    t.equal(text, `[${rows.map(() => rowText).join(',')}]`, `${rows.length} rows`)
  }
  const all = rowBytes.every((byte, i) => segment.rowBytes[i] === byte)
  t.ok(all, 'and the rows are not overwritten')
})

test('a single row is the row alone', async (t) => {
  const buffer = new BodyBuffer()
  assertProperty(
    fc.property(segments, (segment) => {
      for (let row = 0; row < segment.rowCount; row++) {
        const text = rowText(segment, row)
        const ordinal = row as Ordinal
        assert.equal(textOf(transactionJsonOf(buffer, segment, ordinal, asIs)), text)
        assert.deepEqual(
          JSON.parse(textOf(transactionJsonOf(buffer, segment, ordinal, rewritten))),
          naiveRewrite(JSON.parse(text) as Tree, ENTRIES).result,
        )
      }
    }),
    { numRuns: 50 },
  )
  t.pass('50 segments')
})

test('rendered objects become an array, rewritten or not', async (t) => {
  const buffer = new BodyBuffer()
  const objects = ['{"id":1,"iban":"DE1"}', '{"id":2}'].map((text) => Buffer.from(text))
  const schema = parseCustomSchema('{"id":"a.b","iban":null}', { shape: ACCOUNT_SHAPE })
  t.equal(textOf(arrayJson(buffer, [])), '[]')
  t.equal(textOf(arrayJson(buffer, objects)), '[{"id":1,"iban":"DE1"},{"id":2}]')
  t.equal(textOf(arrayJson(buffer, objects, schema)), '[{"a":{"b":1}},{"a":{"b":2}}]')
  t.equal(textOf(arrayJson(buffer, [], schema)), '[]')
  t.equal(textOf(objectJson(buffer, objects[1] ?? Buffer.alloc(0), schema)), '{"a":{"b":2}}')
})
