const PAGE_BYTES = 65_536

/** Addresses of 32 bits. */
const PAGES_MAX = 65_536

/**
 * Offset of the rows in memory that WebAssembly can address. The bytes before it are scratch memory
 * of the thread that gathers rows (wire/gather.ts), one per process; no other thread reads them.
 */
export const ROWS_AT = 1_048_576

/**
 * Bytes of rendered rows, some thousand rows, from which on they lie in memory that WebAssembly can
 * address. Each such memory reserves 10 GiB of addresses, of which a process has 128 TiB; fewer
 * rows stay in the processor's cache, and are gathered from there as fast without it.
 */
export const ROW_MEMORY_BYTES_MIN = 8_388_608

/** Maximum bytes of rows in such memory. */
export const ROW_MEMORY_BYTES_MAX = PAGES_MAX * PAGE_BYTES - ROWS_AT

/** The memory of every buffer known to this thread. */
const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>()

/**
 * Memory for the rendered rows of a large segment, shared by all threads, which WebAssembly can
 * address as well; as with other shared memory, untouched pages take none.
 * @returns undefined when the rows are too few or too many, and lie in other memory, or when the
 *   system refuses the addresses
 */
export function rowMemory(byteCount: number): WebAssembly.Memory | undefined {
  if (byteCount < ROW_MEMORY_BYTES_MIN || byteCount > ROW_MEMORY_BYTES_MAX) return undefined
  return rowMemoryOfAnySize(byteCount)
}

/** As {@link rowMemory}, for any number of rows. @param byteCount at most ROW_MEMORY_BYTES_MAX */
export function rowMemoryOfAnySize(byteCount: number): WebAssembly.Memory | undefined {
  const initial = pagesFor(byteCount)
  try {
    return known(new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true }))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Makes room for that many bytes of rows. @returns whether there is room now */
export function growRowMemory(memory: WebAssembly.Memory, byteCount: number): boolean {
  const missing = pagesFor(byteCount) - memory.buffer.byteLength / PAGE_BYTES
  if (missing <= 0) return true
  if (byteCount > ROW_MEMORY_BYTES_MAX) return false
  try {
    memory.grow(missing)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
  known(memory)
  return true
}

/** The rows of a memory. */
export function rowsIn({ buffer }: WebAssembly.Memory, byteCount: number): Uint8Array {
  return new Uint8Array(buffer, ROWS_AT, byteCount)
}

/** The memory of a buffer, if this thread knows it. */
export function rowMemoryOf(buffer: ArrayBufferLike): WebAssembly.Memory | undefined {
  return memories.get(buffer)
}

/** Registers a memory of another thread. */
export function known(memory: WebAssembly.Memory): WebAssembly.Memory {
  memories.set(memory.buffer, memory)
  return memory
}

function pagesFor(byteCount: number): number {
  return Math.ceil((ROWS_AT + byteCount) / PAGE_BYTES)
}
