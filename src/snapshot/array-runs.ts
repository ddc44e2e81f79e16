import { ARRAY_RUN_BYTES_MAX, PAGED_BYTES_MIN } from '../limits.js'
import { sharedMemory } from '../ordinals/shared-memory.js'
import { arrayOf, arraysLifted, arraysPlaced, ROWS_KIND, type SharedArray } from './array-tree.js'

/** Arrays may be of any class. */
const ALIGNMENT = 8

/** A multiple of 8. */
export function aligned(byteCount: number): number {
  return Math.ceil(byteCount / ALIGNMENT) * ALIGNMENT
}

/**
 * Shared memory for arrays, each from a multiple of 8 on: those that follow each other lie in one
 * buffer, up to {@link ARRAY_RUN_BYTES_MAX}; a larger one has a buffer of its own. Most of the some
 * sixty arrays of a segment take a few kilobytes: with a buffer for each, they would be scattered
 * over malloc's arenas, and the gaps that they leave there stay memory of the process.
 * @returns per size a stretch of that size, filled up to a multiple of 8 where the buffer goes on
 * @throws RangeError when there is no memory
 */
export function arrayRuns(byteCounts: readonly number[]): Uint8Array[] {
  const stretches: Uint8Array[] = []
  let run: number[] = []
  let runBytes = 0
  for (const byteCount of byteCounts) {
    if (runBytes > 0 && runBytes + aligned(byteCount) > ARRAY_RUN_BYTES_MAX) {
      stretches.push(...stretchesOf(run))
      run = []
      runBytes = 0
    }
    run.push(byteCount)
    runBytes += aligned(byteCount)
  }
  stretches.push(...stretchesOf(run))
  return stretches
}

/** Of one buffer. */
function stretchesOf(sizes: readonly number[]): Uint8Array[] {
  const buffer = sharedMemory(sizes.reduce((sum, size) => sum + aligned(size), 0))
  let end = 0
  return sizes.map((size) => {
    const begin = end
    end += aligned(size)
    return new Uint8Array(buffer, begin, size)
  })
}

/**
 * The same value with its small shared arrays in runs, in the order in which they appear.
 * @param value what {@link arraysLifted} takes
 */
export function laidTogether<Value>(value: Value): Value {
  const { tree, arrays } = arraysLifted(value)
  const small = arrays.filter(
    ({ kind, bytes }) => kind !== ROWS_KIND && bytes.length < PAGED_BYTES_MIN,
  )
  const runs = arrayRuns(small.map(({ bytes }) => bytes.length))
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
