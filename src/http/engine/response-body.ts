import type { ServerResponse } from 'node:http'

/**
 * Bodies up to this length are sent as text: node joins it with the head and makes one write of
 * both, from its stack. A buffer is a second chunk.
 */
const TEXT_BYTES_MAX = 8_192

/** Length of the buffers that are used again: a page of 100 rows fits. */
const BUFFER_BYTES = 131_072

/**
 * Number of these buffers: 8 MiB in all. While clients that do not read hold them, bodies get a
 * buffer of their own length.
 */
const BUFFERS_MAX = 64

/** Buffers that no response uses; a new one costs more than the copy of a body. */
const freeBuffers: Buffer[] = []

/** Number of buffers that a response uses. */
let usedCount = 0

/**
 * Ends a response with a body, whose bytes are copied: the caller may overwrite them at once, and
 * the socket may take them long after this call.
 */
export function endWith(response: ServerResponse, bytes: Uint8Array): void {
  const { length } = bytes
  if (length <= TEXT_BYTES_MAX) {
    const { buffer, byteOffset } = bytes
    response.end(Buffer.from(buffer, byteOffset, length).toString('latin1'), 'latin1')
    return
  }
  if (length > BUFFER_BYTES || usedCount === BUFFERS_MAX) {
    response.end(Buffer.from(bytes))
    return
  }
  const whole = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  usedCount += 1
  whole.set(bytes)
  response.end(whole.subarray(0, length))
  response.once('close', () => {
    usedCount -= 1
    // The buffer of an unfinished response is dropped: its socket may still refer to it.
    if (response.writableFinished) freeBuffers.push(whole)
  })
}
