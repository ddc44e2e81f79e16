import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import { arrayOf, arraysLifted, arraysPlaced, ROWS_KIND } from '../../src/snapshot/array-tree.js'
import { rowMemoryOfAnySize, rowsIn } from '../../src/snapshot/row-memory.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { plainValues } from '../fixtures/plain-values.js'

/** The tree with its arrays re-read from their bytes. */
function throughBytes(value: unknown): unknown {
  const { tree, arrays } = arraysLifted(value)
  const read = arrays.map(({ kind, bytes }) => {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length + 8), 8, bytes.length)
    copy.set(bytes)
    return arrayOf(kind, copy)
  })
  return arraysPlaced(structuredClone(tree), read)
}

test('lifted arrays are put back in place', async (t) => {
  assertProperty(
    fc.property(plainValues(), (value) => isDeepStrictEqual(throughBytes(value), value)),
  )
  t.same(throughBytes(undefined), undefined)
})

test('one slice of shared memory becomes one array, of each class', async (t) => {
  const buffer = new SharedArrayBuffer(16)
  const once = new Uint8Array(buffer)
  const value = {
    once,
    twice: [once, new Uint8Array(buffer)],
    wide: new Uint32Array(buffer),
    part: new Uint8Array(buffer, 8),
    equal: new Uint8Array(new SharedArrayBuffer(16)),
  }
  t.equal(arraysLifted(value).arrays.length, 4)
  const placed = throughBytes(value) as typeof value
  t.equal(placed.once, placed.twice[0])
  t.equal(placed.once, placed.twice[1])
  t.not(placed.once, placed.equal)
  t.not(placed.once.buffer, placed.wide.buffer, 'each has its own memory')
})

test('values that change on the way', async (t) => {
  const hole = Object.assign([], { 1: 'after a hole' })
  const placed = throughBytes({ bytes: Buffer.from('ab'), hole }) as {
    bytes: Uint8Array
    hole: unknown[]
  }
  t.equal(Object.getPrototypeOf(placed.bytes), Uint8Array.prototype)
  t.equal(placed.bytes.buffer.byteLength, 2)
  t.same(placed.bytes, Uint8Array.from([97, 98]))
  t.ok(0 in placed.hole)
  const text = Buffer.from(new SharedArrayBuffer(2)).fill('a')
  t.equal(Object.getPrototypeOf(throughBytes(text)), Uint8Array.prototype)
})

test('a value that cannot be cached is named', async (t) => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ a: [0, () => 1] }, /the value\.a\[1\]: a function/],
    [{ a: Symbol('s') }, /a symbol/],
    [{ a: 1n }, /the value\.a: a bigint/],
    [new Map(), /an object of a class/],
    [{ a: new Date(0) }, /the value\.a: an object of a class/],
    [{ a: new SharedArrayBuffer(1) }, /an object of a class/],
    [new Uint32Array(2), /over non-shared memory/],
    [new Int8Array(new SharedArrayBuffer(2)), /an array of this class/],
    [new DataView(new SharedArrayBuffer(2)), /an array of this class/],
    [{ a: { $array: 1 } }, /the value\.a\.\$array/],
    [JSON.parse('{"__proto__":1}'), /__proto__/],
  ]
  for (const [value, message] of refused) t.throws(() => arraysLifted(value), message)
})

test('a tree with an invalid reference is refused', async (t) => {
  for (const place of [1, -1, 0.5, 'x', null, undefined, { $array: 0 }]) {
    t.throws(() => arraysPlaced([{ $array: place }], place === null ? [] : [1]), RangeError)
  }
  t.throws(() => arrayOf(5, new Uint8Array(8)), /unknown kind/)
  t.throws(() => arrayOf(3, new Uint8Array(9)), /within an element/)
  t.throws(() => arrayOf(3, new Uint8Array(new ArrayBuffer(16), 4, 8)), RangeError)
})

test('a row memory is placed next to its bytes', async (t) => {
  const memory = rowMemoryOfAnySize(5)
  if (memory === undefined) throw new Error('there is memory')
  const rows = rowsIn(memory, 5)
  rows.set([1, 2, 3, 4, 5])
  for (const value of [
    { rows, memory },
    { memory, rows },
  ]) {
    // Only the value leads to the memory, as on the thread that receives a snapshot.
    const { tree, arrays } = arraysLifted(structuredClone(value))
    t.same(
      arrays.map(({ kind, bytes }) => [kind, Array.from(bytes)]),
      [[ROWS_KIND, [1, 2, 3, 4, 5]]],
    )
    const other = rowMemoryOfAnySize(5)
    if (other === undefined) throw new Error('there is memory')
    const moved = rowsIn(other, 5)
    t.strictSame(arraysPlaced(tree, [moved]), { rows: moved, memory: other })
    const plain = new Uint8Array(new SharedArrayBuffer(5))
    t.strictSame(arraysPlaced(tree, [plain]), { rows: plain, memory: undefined })
    t.throws(() => arraysPlaced(tree, []), /a missing array/)
  }
  t.throws(() => arraysLifted({ memory }), /has one array in it/)
  t.throws(() => arraysLifted({ memory, rows, part: rowsIn(memory, 4) }), /has one array in it/)
})
