import fc from 'fast-check'
import { test } from 'tap'
import {
  PAGED_BYTES_MIN,
  sharedBytes,
  sharedCodes,
  sharedFloat64,
  sharedMemory,
  sharedUint32,
} from '../../src/ordinals/shared-memory.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('codes take the narrowest type that fits the greatest one', async (t) => {
  const rows = [
    [0, 1],
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [0xffffffff, 4],
  ] as const
  for (const [codeMax, bytes] of rows) {
    const codes = sharedCodes(3, codeMax)
    t.equal(codes.BYTES_PER_ELEMENT, bytes)
    codes[2] = codeMax
    t.same([...codes], [0, 0, codeMax])
  }
})

test('all arrays are in shared memory of their exact size, shared without a copy', async () => {
  assertProperty(
    fc.property(fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: PAGED_BYTES_MIN })), (length) => {
      const arrays = [
        ...[9, 300, 70_000].map((codeMax) => sharedCodes(length, codeMax)),
        sharedBytes(length),
        sharedUint32(length),
        sharedFloat64(length),
      ]
      return arrays.every(
        (array) =>
          array.buffer instanceof SharedArrayBuffer &&
          array.length === length &&
          array.byteLength === array.buffer.byteLength &&
          array.every((value) => value === 0),
      )
    }),
    { numRuns: 20 },
  )
})

test('large memory has its own pages, which V8 allocates for growable memory', async (t) => {
  t.notOk(sharedMemory(PAGED_BYTES_MIN - 1).growable)
  const memory = sharedMemory(PAGED_BYTES_MIN)
  t.ok(memory.growable)
  t.equal(memory.byteLength, PAGED_BYTES_MIN)
  t.throws(() => memory.grow(PAGED_BYTES_MIN + 1), RangeError, 'and ours does not')
})

test('such memory is the same on another thread', async (t) => {
  const sent = sharedBytes(PAGED_BYTES_MIN).subarray(0, 5)
  const got = structuredClone(sent)
  sent[4] = 7
  t.equal(got[4], 7)
  t.equal(got.length, 5)
})
