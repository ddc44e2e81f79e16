import { ByteRanges } from './byte-ranges.js'

/** Memory kept for assembling answers: a page of 250 rows of 30 KB; larger ones are rare. */
export const BODY_BUFFER_BYTES_MAX = 8_388_608

/**
 * Memory in which answers are assembled, one at a time: a body is valid until the next is begun.
 * Grows to the usual size of answers; an exceptional one gets memory of its own that is not kept.
 */
export class BodyBuffer {
  /** The byte ranges of the page that is being assembled. */
  readonly ranges = new ByteRanges()
  #bytes = Buffer.allocUnsafeSlow(BODY_BUFFER_BYTES_MAX / 16)

  /** At least `byteCount` bytes to write to, still holding those of an earlier body. */
  begin(byteCount: number): Buffer {
    if (byteCount <= this.#bytes.length) return this.#bytes
    const grown = Buffer.allocUnsafeSlow(byteCount * 2)
    if (byteCount <= BODY_BUFFER_BYTES_MAX) this.#bytes = grown
    return grown
  }
}
