/**
 * Bytes that all bodies on their way in may take in memory together: a thousand forms at their
 * longest. A body belongs to a connection, which any stranger may open and leave open.
 */
export const ARRIVING_BODIES_BYTES_MAX = 64 * 2 ** 20

/** Counts the bytes of bodies that are not whole yet; one for all connections of an engine. */
export class BodyBudget {
  #bytes = 0

  constructor(private readonly bytesMax = ARRIVING_BODIES_BYTES_MAX) {}

  /** @returns false when there is no room; nothing is counted then */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.bytesMax) return false
    this.#bytes += bytes
    return true
  }

  /** Takes back what {@link BodyBudget.take} has counted, once a body is whole or given up. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
