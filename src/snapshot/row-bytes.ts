import { strict as assert } from 'node:assert'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { StoreError } from '../store/store-error.js'
import { growRowMemory, rowMemory, rowsIn } from './row-memory.js'
import type { SegmentLimits } from './segment-size.js'
import type { Segment } from './snapshot.js'

/**
 * Bytes no rendered row is expected to exceed: twenty text fields at their longest, five bytes a
 * code point. A larger one only makes the buffer grow.
 */
const ROW_BYTES_MAX = 1_048_576

/** Expected bytes of a rendered row; more only costs a copy while building. */
const ROW_BYTES_EXPECTED = 700

/** The largest offset of a row: offsets are 32-bit. */
const OFFSET_MAX = 2 ** 32 - 1

/** Rendered rows one after the other, in shared memory that is committed only as far as written. */
export class RowBytes {
  /** Start of each row; the next entry is its end. */
  readonly offsets: Uint32Array
  #memory: WebAssembly.Memory | undefined
  #bytes: Buffer
  #end = 0
  #rowCount = 0

  /**
   * @param limits of the segment; its offsets have 32 bits
   * @param rowCount how many rows are expected; the limits may leave room for fewer
   * @param byteCount how many bytes are expected; more only costs a copy
   */
  constructor(
    private readonly limits: SegmentLimits,
    rowCount: number,
    byteCount = rowCount * ROW_BYTES_EXPECTED,
  ) {
    assert(limits.byteCount <= OFFSET_MAX)
    const capacity = Math.min(rowCount, limits.rowCount)
    this.offsets = sharedUint32(capacity + 1)
    const room = Math.min(byteCount + ROW_BYTES_MAX, limits.byteCount)
    this.#memory = rowMemory(room)
    this.#bytes = this.#memory === undefined ? allocate(room) : bufferOf(this.#memory, room)
  }

  /** Bytes of the rows so far. */
  get byteCount(): number {
    return this.#end
  }

  /** Number of the rows so far. */
  get rowCount(): number {
    return this.#rowCount
  }

  /**
   * Appends a row, unless it is beyond the limits.
   * @returns whether it was appended
   * @throws StoreError when it alone is beyond the limits
   */
  append(text: string): boolean {
    // A UTF-16 unit takes at most three UTF-8 bytes, which are counted only where that matters.
    const atMost = text.length * 3
    const byteCount = this.#hasRoom(atMost) ? atMost : Buffer.byteLength(text)
    if (!this.#reserve(byteCount)) return false
    this.#end += this.#bytes.write(text, this.#end)
    this.#endRow()
    return true
  }

  /** Appends a row, bytes [from, to) of another segment's. See {@link append}. */
  appendBytes(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.#reserve(to - from)) return false
    this.#bytes.set(bytes.subarray(from, to), this.#end)
    this.#end += to - from
    this.#endRow()
    return true
  }

  /** Its members of a segment, in plain arrays: a Buffer would lose its class between threads. */
  finish(): Pick<Segment, 'rowMemory' | 'rowBytes' | 'rowOffsets'> {
    const { buffer, byteOffset } = this.#bytes
    // The untouched tails are address space without memory.
    const rowBytes = new Uint8Array(buffer, byteOffset, this.#end)
    const rowOffsets = this.offsets.subarray(0, this.#rowCount + 1)
    return { rowMemory: this.#memory, rowBytes, rowOffsets }
  }

  #endRow(): void {
    this.#rowCount += 1
    this.offsets[this.#rowCount] = this.#end
  }

  #hasRoom(byteCount: number): boolean {
    return this.#rowCount < this.limits.rowCount && this.#end + byteCount <= this.limits.byteCount
  }

  /** @returns whether the limits leave room for a row of so many bytes */
  #reserve(byteCount: number): boolean {
    if (!this.#hasRoom(byteCount)) {
      if (this.#rowCount > 0) return false
      throw new StoreError(`a transaction takes ${byteCount} bytes as JSON, which is too large`)
    }
    const needed = this.#end + byteCount
    if (needed <= this.#bytes.length) return true
    const wanted = Math.min(Math.max(needed, this.#bytes.length * 2), this.limits.byteCount)
    if (this.#memory !== undefined && growRowMemory(this.#memory, wanted)) {
      this.#bytes = bufferOf(this.#memory, wanted)
      return true
    }
    this.#memory = undefined
    const grown = allocate(wanted)
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
    return true
  }
}

function allocate(byteCount: number): Buffer {
  const { buffer, length } = sharedBytes(byteCount)
  return Buffer.from(buffer, 0, length)
}

function bufferOf(memory: WebAssembly.Memory, byteCount: number): Buffer {
  const { buffer, byteOffset, length } = rowsIn(memory, byteCount)
  return Buffer.from(buffer, byteOffset, length)
}
