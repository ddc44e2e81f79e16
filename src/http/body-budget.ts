/**
 * Bytes that all bodies on their way in may take in memory together: a thousand forms at their
 * longest. A body belongs to a connection, which any stranger may open and leave open.
 */
const ARRIVING_BODIES_BYTES_MAX = 64 * 2 ** 20

/** A body on its way in. */
export interface ArrivingBody {
  /** It is refused, for others need the room; its bytes are no longer held. */
  giveWay(): void
}

/**
 * Counts the bytes of bodies that are not whole yet; one for all connections of an engine. When
 * there is no room, the body that has held bytes for the longest time gives way: a body that is
 * sent without a pause is whole long before strangers who hold theirs back could drive it out.
 */
export class BodyBudget {
  #bytes = 0
  /** Oldest first. */
  readonly #held = new Map<ArrivingBody, number>()

  constructor(private readonly bytesMax = ARRIVING_BODIES_BYTES_MAX) {}

  /** @returns false when there is no room for it alone; nothing is counted then */
  take(body: ArrivingBody, bytes: number): boolean {
    if ((this.#held.get(body) ?? 0) + bytes > this.bytesMax) return false
    for (const oldest of this.#held.keys()) {
      if (this.#bytes + bytes <= this.bytesMax) break
      if (oldest === body) continue
      this.release(oldest)
      oldest.giveWay()
    }
    this.#bytes += bytes
    this.#held.set(body, (this.#held.get(body) ?? 0) + bytes)
    return true
  }

  /** The body is whole, or given up; once more does no harm. */
  release(body: ArrivingBody): void {
    this.#bytes -= this.#held.get(body) ?? 0
    this.#held.delete(body)
  }
}
