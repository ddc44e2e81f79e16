import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { StoreError } from '../store/store-error.js'
import { growRowMemory, rowMemory, rowsIn } from './row-memory.js'
import type { Segment } from './snapshot.js'

/**
 * Bytes no rendered row is expected to exceed: twenty text fields at their longest, five bytes a
 * code point. A larger one only makes the buffer grow.
 */
const ROW_BYTES_MAX = 1_048_576

/** Bytes of a segment's rendered rows: their offsets are 32-bit. */
const SEGMENT_BYTES_MAX = 4_294_967_295

/** Expected bytes of a rendered row; more only costs a copy while building. */
const ROW_BYTES_EXPECTED = 700

/** Rendered rows one after the other, in shared memory that is committed only as far as written. */
export class RowBytes {
  /** Begin of each row; the next entry is its end. */
  readonly offsets: Uint32Array
  #memory: WebAssembly.Memory | undefined
  #bytes: Buffer
  #end = 0
  #row = 0

  /** @param byteCount how many bytes are expected; more only costs a copy */
  constructor(rowCount: number, byteCount = rowCount * ROW_BYTES_EXPECTED) {
    this.offsets = sharedUint32(rowCount + 1)
    const room = byteCount + ROW_BYTES_MAX
    this.#memory = rowMemory(room)
    this.#bytes = this.#memory === undefined ? allocate(room) : bufferOf(this.#memory, room)
  }

  /** The next row. @throws StoreError when all rows together are too large */
  append(text: string): void {
    // A UTF-16 unit takes at most three UTF-8 bytes.
    this.#reserve(text.length * 3)
    this.#end += this.#bytes.write(text, this.#end)
    this.#endRow()
  }

  /** The next row, bytes [from, to) of another segment's. @throws StoreError as above */
  appendBytes(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from)
    this.#bytes.set(bytes.subarray(from, to), this.#end)
    this.#end += to - from
    this.#endRow()
  }

  /** Its members of a segment, in plain arrays: a Buffer would lose its class between threads. */
  finish(): Pick<Segment, 'rowMemory' | 'rowBytes' | 'rowOffsets'> {
    const { buffer, byteOffset } = this.#bytes
    // The untouched tail is address space without memory.
    const rowBytes = new Uint8Array(buffer, byteOffset, this.#end)
    return { rowMemory: this.#memory, rowBytes, rowOffsets: this.offsets }
  }

  #endRow(): void {
    this.#row += 1
    this.offsets[this.#row] = this.#end
  }

  #reserve(byteCount: number): void {
    const needed = this.#end + byteCount
    if (needed <= this.#bytes.length) return
    if (needed > SEGMENT_BYTES_MAX) {
      throw new StoreError('the workspace is too large: its rows take more than 4 GiB as JSON')
    }
    const wanted = Math.min(Math.max(needed, this.#bytes.length * 2), SEGMENT_BYTES_MAX)
    if (this.#memory !== undefined && growRowMemory(this.#memory, wanted)) {
      this.#bytes = bufferOf(this.#memory, wanted)
      return
    }
    this.#memory = undefined
    const grown = allocate(wanted)
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
  }
}

function allocate(byteCount: number): Buffer {
  const { buffer, length } = sharedBytes(Math.min(byteCount, SEGMENT_BYTES_MAX))
  return Buffer.from(buffer, 0, length)
}

function bufferOf(memory: WebAssembly.Memory, byteCount: number): Buffer {
  const { buffer, byteOffset, length } = rowsIn(memory, byteCount)
  return Buffer.from(buffer, byteOffset, length)
}
