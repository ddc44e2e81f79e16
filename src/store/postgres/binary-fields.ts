import { StoreError } from '../store-error.js'
import { safeInteger } from './connect.js'

/** Bytes before the rows: `PGCOPY` and five more, flags, and the length of what follows them. */
const SIGNATURE_BYTES = 11
const HEADER_BYTES = SIGNATURE_BYTES + 8

/** Length of a field that is NULL. */
const NULL_LENGTH = -1

const WORD = 2 ** 32

/**
 * The fields of one row of a binary COPY: each method takes the next one. Wants an encoding of
 * UTF-8, and integers of 2, 4 or 8 bytes.
 */
export class BinaryFields {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** Goes on in other bytes. */
  begin(bytes: Buffer, at: number): void {
    this.#bytes = bytes
    this.#at = at
  }

  /** Where the next field begins. */
  get at(): number {
    return this.#at
  }

  /** @throws StoreError for NULL, and for an integer that a double does not hold exactly */
  integer(): number {
    return this.integerOrNull() ?? refuseNull()
  }

  /** @throws StoreError for an integer that a double does not hold exactly */
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

/** Where the rows begin in the first message of a binary COPY. */
export function afterHeader(bytes: Buffer): number {
  return HEADER_BYTES + bytes.readInt32BE(HEADER_BYTES - 4)
}
