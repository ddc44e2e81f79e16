import { StoreError } from '../store-error.js'
import { safeInteger } from './connect.js'

/** Header: `PGCOPY` and five more bytes, flags, and the length of the header extension. */
const SIGNATURE_BYTES = 11
const HEADER_BYTES = SIGNATURE_BYTES + 8

/** Length of a field that is NULL. */
const NULL_LENGTH = -1

const WORD = 2 ** 32

/**
 * Reads the fields of one row of a binary COPY; each method takes the next one. Expects UTF-8, and
 * integers of 2, 4 or 8 bytes.
 */
export class BinaryFields {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** Continues at a position of other bytes. */
  begin(bytes: Buffer, at: number): void {
    this.#bytes = bytes
    this.#at = at
  }

  /** Position of the next field. */
  get at(): number {
    return this.#at
  }

  /** @throws StoreError for NULL, and for an integer that a double cannot represent exactly */
  integer(): number {
    return this.integerOrNull() ?? refuseNull()
  }

  /** @throws StoreError for an integer that a double cannot represent exactly */
  integerOrNull(): number | null {
    const length = this.#bytes.readInt32BE(this.#at)
    const at = this.#at + 4
    if (length === NULL_LENGTH) {
      this.#at = at
      return null
    }
    this.#at = at + length
    if (length === 2) return this.#bytes.readInt16BE(at)
    if (length === 4) return this.#bytes.readInt32BE(at)
    const number = this.#bytes.readInt32BE(at) * WORD + this.#bytes.readUInt32BE(at + 4)
    return Number.isSafeInteger(number)
      ? number
      : safeInteger(String(this.#bytes.readBigInt64BE(at)))
  }

  /** @throws StoreError for NULL */
  text(): string {
    return this.textOrNull() ?? refuseNull()
  }

  textOrNull(): string | null {
    const length = this.#bytes.readInt32BE(this.#at)
    const at = this.#at + 4
    if (length === NULL_LENGTH) {
      this.#at = at
      return null
    }
    this.#at = at + length
    return this.#bytes.toString('utf8', at, this.#at)
  }
}

function refuseNull(): never {
  throw new StoreError('a column that is NOT NULL has no value')
}

/** Position of the first row in the first message of a binary COPY. */
export function afterHeader(bytes: Buffer): number {
  return HEADER_BYTES + bytes.readInt32BE(HEADER_BYTES - 4)
}
