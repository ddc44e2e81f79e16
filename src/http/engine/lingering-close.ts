import type { Socket } from 'node:net'

/** Time for a client to read the last replies, from their last write, and to close. */
const LINGER_MS_MAX = 2_000

/** Bytes that are read and discarded meanwhile: more than ten thousand pipelined requests have. */
const DISCARDED_BYTES_MAX = 2 ** 19

/**
 * Closes a connection on which unread requests may have arrived. A socket that is closed with
 * unread bytes resets the connection, and replies on their way are lost with it. So the writing
 * side ends first; what still arrives is discarded until the client closes, up to a time and an
 * amount.
 * @see RFC 9112, section 9.6
 */
export function closeLingering(socket: Socket): void {
  socket.end(() => {
    if (socket.destroyed) return
    const timer = setTimeout(() => socket.destroy(), LINGER_MS_MAX)
    socket.once('close', () => clearTimeout(timer))
    let discardedBytes = 0
    // The first listener is node's parser, which has stopped.
    socket.removeAllListeners('data')
    socket.on('data', (part: Buffer) => {
      discardedBytes += part.length
      if (discardedBytes > DISCARDED_BYTES_MAX) socket.destroy()
    })
    // A socket that both sides have ended destroys itself.
    Reflect.set(socket, '_paused', false)
    socket.resume()
  })
}
