import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import { PAGED_BYTES_MIN } from '../../src/ordinals/shared-memory.js'
import {
  ARENA_BYTES_MAX,
  aligned,
  allocateArena,
  packArrays,
} from '../../src/snapshot/array-arena.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { plainValues } from '../fixtures/plain-values.js'

const SIZE = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: PAGED_BYTES_MIN * 2 }),
  fc.integer({ min: ARENA_BYTES_MAX - 9, max: ARENA_BYTES_MAX + 9 }),
)

/** Index of the buffer that holds each array, by plain counting. */
function naiveRuns(sizes: readonly number[]): number[] {
  let run = 0
  let end = 0
  return sizes.map((size) => {
    const isFull = end + aligned(size) > ARENA_BYTES_MAX
    if (isFull && end > 0) run += 1
    end = isFull ? aligned(size) : end + aligned(size)
    return run
  })
}

test('consecutive arrays share a buffer, as many as fit', async () => {
  assertProperty(
    fc.property(fc.array(SIZE, { maxLength: 30 }), (sizes) => {
      const slices = allocateArena(sizes)
      const buffers = Array.from(new Set(slices.map(({ buffer }) => buffer)))
      const runs = slices.map(({ buffer }) => buffers.indexOf(buffer))
      return (
        isDeepStrictEqual(
          slices.map(({ length }) => length),
          sizes,
        ) && isDeepStrictEqual(runs, naiveRuns(sizes))
      )
    }),
    { examples: [[[0, ARENA_BYTES_MAX + 1]], [[ARENA_BYTES_MAX + 1, 0, 8]]] },
  )
})

test('none overlaps another, and each begins at a valid alignment', async () => {
  assertProperty(
    fc.property(fc.array(SIZE, { maxLength: 12 }), (sizes) => {
      const slices = allocateArena(sizes)
      const isZeroed = slices.every((bytes) => bytes.every((byte) => byte === 0))
      slices.forEach((bytes, i) => {
        bytes.fill(i + 1)
      })
      const isWhole = slices.every((bytes, i) => bytes.every((byte) => byte === i + 1))
      return isZeroed && isWhole && slices.every(({ byteOffset }) => byteOffset % 8 === 0)
    }),
    { numRuns: 25 },
  )
})

test('a packed value is the same value', async () => {
  assertProperty(fc.property(plainValues(), (value) => isDeepStrictEqual(packArrays(value), value)))
})

test('small arrays move into one buffer, large ones stay', async (t) => {
  const words = new Uint32Array(new SharedArrayBuffer(16), 4, 2)
  words.set([7, 9])
  const large = new Float64Array(new SharedArrayBuffer(PAGED_BYTES_MIN))
  const before = { words, deep: [{ bytes: new Uint8Array(new SharedArrayBuffer(3)) }], large }
  const laid = packArrays(before)
  t.equal(laid.words.buffer, laid.deep[0]?.bytes.buffer)
  t.not(laid.words.buffer, words.buffer)
  t.equal(laid.large.buffer, large.buffer)
  t.equal(laid.words.buffer.byteLength, 16, 'without slack')
})
