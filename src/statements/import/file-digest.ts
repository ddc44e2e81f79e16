import { createHash } from 'node:crypto'

/** Size and SHA-256 of a bank file, computed while the file is read. */
export class FileDigest {
  readonly #hash = createHash('sha256')
  #byteCount = 0
  #result: { readonly bytes: number; readonly sha256: string } | undefined

  /** Number of bytes read so far. */
  get byteCount(): number {
    return this.#byteCount
  }

  /** Passes the file's chunks on. To be called once. */
  async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk)
      this.#byteCount += chunk.length
      yield chunk
    }
    this.#result = { bytes: this.#byteCount, sha256: this.#hash.digest('hex') }
  }

  /** Size and digest of the file; empty when it was not read to its end. */
  result(): { readonly bytes?: number; readonly sha256?: string } {
    return this.#result ?? {}
  }
}
