import type { ServerResponse } from 'node:http'

/**
 * Bodies up to this length are sent as text: node joins it with the head and makes one write of
 * both, from its stack. A buffer costs a second chunk, some three microseconds.
 */
const TEXT_BYTES_MAX = 8_192

/** Length of the buffers that are used again: a page of 100 rows fits. */
const BUFFER_BYTES = 131_072

/** Buffers that wait for their next body. */
const FREE_BUFFERS_MAX = 64

/** Buffers that no response uses; a new one costs more than the copy of a body. */
const freeBuffers: Buffer[] = []

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
  if (length > BUFFER_BYTES) {
    response.end(Buffer.from(bytes))
    return
  }
  const whole = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  whole.set(bytes)
  // Called when the system has copied all bytes, or the connection is closed; else not at all.
  response.end(whole.subarray(0, length), () => {
    if (freeBuffers.length < FREE_BUFFERS_MAX) freeBuffers.push(whole)
  })
}
