import { ARENA_BYTES_MAX, PAGED_BYTES_MIN } from '../limits.js'
import { sharedMemory } from '../ordinals/shared-memory.js'
import { arrayOf, arraysLifted, arraysPlaced, ROWS_KIND, type SharedArray } from './array-tree.js'

/** Arrays may be of any class. */
const ALIGNMENT = 8

/** A multiple of 8. */
export function aligned(byteCount: number): number {
  return Math.ceil(byteCount / ALIGNMENT) * ALIGNMENT
}

/**
 * Arenas for arrays, in shared memory, each array at a multiple of 8: consecutive ones share one
 * buffer, up to {@link ARENA_BYTES_MAX}; a larger one has a buffer of its own. Most of the some
 * sixty arrays of a segment take a few kilobytes: with a buffer for each, they would be scattered
 * over malloc's arenas, and the gaps that they leave there stay memory of the process.
 * @returns per size a slice of that size, filled up to a multiple of 8 where the buffer goes on
 * @throws RangeError when there is no memory
 */
export function allocateArena(byteCounts: readonly number[]): Uint8Array[] {
  const slices: Uint8Array[] = []
  let run: number[] = []
  let runBytes = 0
  for (const byteCount of byteCounts) {
    if (runBytes > 0 && runBytes + aligned(byteCount) > ARENA_BYTES_MAX) {
      slices.push(...slicesOf(run))
      run = []
      runBytes = 0
    }
    run.push(byteCount)
    runBytes += aligned(byteCount)
  }
  slices.push(...slicesOf(run))
  return slices
}

/** Of one buffer. */
function slicesOf(sizes: readonly number[]): Uint8Array[] {
  const buffer = sharedMemory(sizes.reduce((sum, size) => sum + aligned(size), 0))
  let end = 0
  return sizes.map((size) => {
    const begin = end
    end += aligned(size)
    return new Uint8Array(buffer, begin, size)
  })
}

/**
 * The same value with its small shared arrays packed into arenas, in the order in which they
 * appear.
 * @param value what {@link arraysLifted} takes
 */
export function packArrays<Value>(value: Value): Value {
  const { tree, arrays } = arraysLifted(value)
  const small = arrays.filter(
    ({ kind, bytes }) => kind !== ROWS_KIND && bytes.length < PAGED_BYTES_MIN,
  )
  const runs = allocateArena(small.map(({ bytes }) => bytes.length))
  small.forEach(({ bytes }, i) => {
    runs[i]?.set(bytes)
  })
  const places = new Map<SharedArray, Uint8Array | undefined>(
    small.map((array, i) => [array, runs[i]]),
  )
  const laid = arrays.map((array) => arrayOf(array.kind, places.get(array) ?? array.bytes))
  // A value of the same shape, at whose leaves are arrays of the same class and content.
  return arraysPlaced(tree, laid) as Value
}
