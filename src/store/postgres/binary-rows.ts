import { StoreError } from '../store-error.js'

/** What comes before the rows (binary-fields.ts): the signature, no flags, nothing more. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

/** Length of a field that is NULL; in the place of a number of fields, the end of the rows. */
const NONE = -1

const FIRST_BYTES = 65_536

/** The most bytes that UTF-8 has for a code unit of UTF-16. */
const UNIT_BYTES_MAX = 3

const WORD = 2 ** 32

/** Makes the rows of a binary COPY: a method adds one field, in the order of the columns. */
export class BinaryRows {
  /** Of its own memory: threads hand it over. */
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

  /** @throws StoreError for a number that is not such an integer */
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

  /** The rows with their header and end; none can be added after that. */
  finish(): Buffer<ArrayBuffer> {
    this.begin(NONE)
    return this.#bytes.subarray(0, this.#length)
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Makes room for so many bytes more. */
  #reserve(byteCount: number): void {
    const least = this.#length + byteCount
    if (least <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
