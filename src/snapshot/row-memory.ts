const PAGE_BYTES = 65_536

/** Addresses of 32 bits. */
const PAGES_MAX = 65_536

/**
 * Where rows begin in memory that WebAssembly can address. What is before them is free for whoever
 * gathers rows (wire/gather.ts), in one thread of the process; nobody else reads it.
 */
export const ROWS_AT = 1_048_576

/**
 * Bytes of rendered rows from which they lie in memory that WebAssembly can address: some thousand
 * rows. Each such memory reserves 10 GiB of addresses, of which a process has 128 TiB; fewer rows
 * stay in the processor's cache, and are gathered from there as fast without it.
 */
export const ROW_MEMORY_BYTES_MIN = 8_388_608

/** Bytes of rows that such memory holds at most. */
export const ROW_MEMORY_BYTES_MAX = PAGES_MAX * PAGE_BYTES - ROWS_AT

/** Of every buffer that this thread has met. */
const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>()

/**
 * Memory for the rendered rows of a large segment, shared by all threads, which WebAssembly can
 * address as well; as with other shared memory, what was never written takes none.
 * @returns undefined for so few rows or so many that they lie in other memory, and when the system
 *   does not give the addresses
 */
export function rowMemory(byteCount: number): WebAssembly.Memory | undefined {
  if (byteCount < ROW_MEMORY_BYTES_MIN || byteCount > ROW_MEMORY_BYTES_MAX) return undefined
  return rowMemoryOfAnySize(byteCount)
}

/** As above, however few the rows are. @param byteCount at most ROW_MEMORY_BYTES_MAX */
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

/** The memory that a buffer is of, if this thread has met it. */
export function rowMemoryOf(buffer: ArrayBufferLike): WebAssembly.Memory | undefined {
  return memories.get(buffer)
}

/** Takes notice of a memory that another thread has made. */
export function known(memory: WebAssembly.Memory): WebAssembly.Memory {
  memories.set(memory.buffer, memory)
  return memory
}

function pagesFor(byteCount: number): number {
  return Math.ceil((ROWS_AT + byteCount) / PAGE_BYTES)
}
