import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Item } from '../../../src/mcp/tools/compact.js'
import { readItems } from '../../../src/mcp/tools/rows.js'
import { sharedBytes } from '../../../src/ordinals/shared-memory.js'
import { ANY_CHARACTER } from '../../fixtures/any-character.js'
import { assertProperty } from '../../fixtures/assert-property.js'

function sharedCopy(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const shared = sharedBytes(bytes.length + 3)
  shared.set(bytes, 3)
  return shared.subarray(3)
}

const rows = fc.array(
  fc.record(
    {
      id: fc.nat(),
      purpose: fc.string({ unit: ANY_CHARACTER }),
      nested: fc.record({ a: fc.string() }, { noNullPrototype: true }),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 8 },
)

test('rows are parsed from an array or an object, in any memory', async () => {
  await assertProperty(
    fc.asyncProperty(rows, fc.boolean(), async (list, isShared) => {
      const bytesOf = (value: unknown): Uint8Array =>
        isShared ? sharedCopy(JSON.stringify(value)) : Buffer.from(JSON.stringify(value))
      const shape = (row: Item): Item => ({ purpose: row['purpose'] })
      const wanted = list.map(({ purpose }) => ({ purpose }))
      const read = await readItems(bytesOf(list), shape, Number.POSITIVE_INFINITY)
      assert.deepEqual(
        read.map(({ item }) => item),
        wanted,
      )
      assert.deepEqual(
        read.map(({ text }) => JSON.parse(text)),
        wanted,
      )
      const [first] = list
      if (first === undefined) return
      const [single] = await readItems(bytesOf(first), (row) => row, 10)
      assert.deepEqual(single?.item, first)
    }),
    { numRuns: 200 },
  )
})

test('no more rows are read than fit, plus one', async (t) => {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 9 }, (_, id) => ({ id }))))
  let readCount = 0
  const count = (row: Item): Item => {
    readCount += 1
    return row
  }
  // Each is 8 characters.
  t.equal((await readItems(bytes, count, 20)).length, 3)
  t.equal(readCount, 3)
})

test('many rows are read in slices, from memory that others write to', async (t) => {
  const list = Array.from({ length: 173 }, (_, id) => ({ id, text: `row ${id}` }))
  const bytes = Buffer.from(JSON.stringify(list))
  let turnCount = 0
  const timer = setInterval(() => undefined)
  const count = (): void => {
    turnCount += 1
    setImmediate(count).unref()
  }
  setImmediate(count).unref()
  const reading = readItems(bytes, (row) => row, Number.POSITIVE_INFINITY)
  bytes.fill(0)
  const read = await reading
  clearInterval(timer)
  t.same(
    read.map(({ item }) => item),
    list,
  )
  t.ok(turnCount >= 3, `${turnCount} slices`)
})
