/**
 * Bytes from which shared memory has pages of its own: on average half a page is left over. The
 * kernel allows a process 65,530 mappings, which are then about 16 GiB or more.
 */
export const PAGED_BYTES_MIN = 262_144

/** The narrowest unsigned array type that holds every code of a column. */
export type CodeArray = Uint8Array | Uint16Array | Uint32Array

/** A zeroed code column in shared memory. @param codeMax greatest value it has to hold */
export function sharedCodes(rowCount: number, codeMax: number): CodeArray {
  if (codeMax <= 0xff) return sharedBytes(rowCount)
  if (codeMax <= 0xffff) return new Uint16Array(sharedMemory(rowCount * 2), 0, rowCount)
  return sharedUint32(rowCount)
}

/** A zeroed u8 array in shared memory. */
export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(sharedMemory(length), 0, length)
}

/** A zeroed u32 array in shared memory. */
export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(sharedMemory(length * 4), 0, length)
}

/** A zeroed f64 array in shared memory. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(sharedMemory(length * 8), 0, length)
}

/**
 * Zeroed shared memory of exactly that size. From {@link PAGED_BYTES_MIN} on it has pages of its
 * own: untouched pages take no memory, and all of it is returned to the system as soon as it is
 * collected. V8 takes fixed buffers from malloc, which keeps freed memory in an arena per thread
 * for its next caller, and clears reused memory by writing to it; V8 takes growable buffers from
 * the system. Ours cannot grow by a byte.
 *
 * Views of it have to state their length: a length-tracking view is read ten times slower.
 */
export function sharedMemory(byteCount: number): SharedArrayBuffer {
  if (byteCount < PAGED_BYTES_MIN) return new SharedArrayBuffer(byteCount)
  return new SharedArrayBuffer(byteCount, { maxByteLength: byteCount })
}
