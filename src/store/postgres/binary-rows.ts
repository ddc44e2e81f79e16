import { StoreError } from '../store-error.js'

/** Header of a binary COPY (binary-fields.ts): the signature, no flags, no extension. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

/** Length of a NULL field; instead of a field count, the end of the rows. */
const NONE = -1

const FIRST_BYTES = 65_536

/** Maximum UTF-8 bytes for a UTF-16 code unit. */
const UNIT_BYTES_MAX = 3

const WORD = 2 ** 32

/** Encodes the rows of a binary COPY; each method adds one field, in the order of the columns. */
export class BinaryRows {
  /** Not from the pool of Buffer, because its memory is transferred to another thread. */
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  constructor() {
    this.#append(HEADER)
  }

  /** Begins a row. */
  begin(fieldCount: number): void {
    this.#reserve(2)
    this.#length = this.#bytes.writeInt16BE(fieldCount, this.#length)
  }

  null(): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeInt32BE(NONE, this.#length)
  }

  /** @throws StoreError for a number that is not an integer of this size */
  integer(value: number, byteCount: 2 | 4 | 8): void {
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** (8 * byteCount - 1)) {
      throw new StoreError(`${value} is not an integer of ${byteCount} bytes`)
    }
    this.#reserve(4 + byteCount)
    this.#length = this.#bytes.writeInt32BE(byteCount, this.#length)
    if (byteCount < 8) {
      this.#length = this.#bytes.writeIntBE(value, this.#length, byteCount)
      return
    }
    const high = Math.floor(value / WORD)
    this.#length = this.#bytes.writeInt32BE(high, this.#length)
    this.#length = this.#bytes.writeUInt32BE(value - high * WORD, this.#length)
  }

  text(value: string): void {
    this.#reserve(4 + value.length * UNIT_BYTES_MAX)
    const byteCount = this.#bytes.write(value, this.#length + 4)
    this.#length = this.#bytes.writeInt32BE(byteCount, this.#length) + byteCount
  }

  bytes(value: Uint8Array): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeInt32BE(value.length, this.#length)
    this.#append(value)
  }

  /** The rows with header and end; no more can be added. */
  finish(): Buffer<ArrayBuffer> {
    this.begin(NONE)
    return this.#bytes.subarray(0, this.#length)
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Makes room for more bytes. */
  #reserve(byteCount: number): void {
    const least = this.#length + byteCount
    if (least <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
