import { PAGED_BYTES_MIN, sharedMemory } from '../ordinals/shared-memory.js'
import { arrayOf, arraysLifted, arraysPlaced, ROWS_KIND, type SharedArray } from './array-tree.js'

/**
 * Bytes of arrays that share one buffer: the arrays of a small segment except its largest, and few
 * enough that no array keeps others from being freed for long.
 */
export const ARENA_BYTES_MAX = 1_048_576

/** Fits every typed array class. */
const ALIGNMENT = 8

/** Rounded up to a multiple of 8. */
export function aligned(byteCount: number): number {
  return Math.ceil(byteCount / ALIGNMENT) * ALIGNMENT
}

/**
 * Arenas for arrays, in shared memory, each array at a multiple of 8: consecutive arrays share one
 * buffer, up to {@link ARENA_BYTES_MAX}; a larger one has a buffer of its own. Most of the about
 * sixty arrays of a segment take a few kilobytes: with a buffer each, they would be scattered over
 * malloc's arenas, and the gaps between them would stay memory of the process.
 * @returns per size a slice of that size; padding to a multiple of 8 follows it
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

/** The slices of one buffer. */
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
 * @param value a value that {@link arraysLifted} accepts
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
  // The value has the same shape and, at its leaves, arrays of the same class and content.
  return arraysPlaced(tree, laid) as Value
}
