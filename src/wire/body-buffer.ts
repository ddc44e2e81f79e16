import { BODY_BUFFER_BYTES_MAX } from '../limits.js'
import { ByteRanges } from './byte-ranges.js'

/**
 * Memory that answers are put together in, one at a time: a body is valid until the next is begun.
 * Grows to what answers need; an exceptional one gets memory of its own that is not kept.
 */
export class BodyBuffer {
  /** Where the rows of the page that is being put together lie. */
  readonly ranges = new ByteRanges()
  #bytes = Buffer.allocUnsafeSlow(BODY_BUFFER_BYTES_MAX / 16)

  /** At least `byteCount` bytes to write to, with what an earlier body left in them. */
  begin(byteCount: number): Buffer {
    if (byteCount <= this.#bytes.length) return this.#bytes
    const grown = Buffer.allocUnsafeSlow(byteCount * 2)
    if (byteCount <= BODY_BUFFER_BYTES_MAX) this.#bytes = grown
    return grown
  }
}
