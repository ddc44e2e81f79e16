/**
 * Bytes that all arriving bodies may hold in memory together: a thousand forms at their longest. A
 * body belongs to a connection, which any client may open and leave open.
 */
const ARRIVING_BODIES_BYTES_MAX = 64 * 2 ** 20

/** A request body that is arriving. */
export interface ArrivingBody {
  /** Refuses the body, to make room for others; its bytes are no longer held. */
  evict(): void
}

/**
 * Counts the bytes of incomplete bodies; one for all connections of an engine. When there is no
 * room, the body that has held bytes for the longest time is refused: a body sent without a pause
 * is complete long before clients that hold theirs back could evict it.
 */
export class BodyBudget {
  #bytes = 0
  /** Oldest first. */
  readonly #held = new Map<ArrivingBody, number>()

  constructor(private readonly bytesMax = ARRIVING_BODIES_BYTES_MAX) {}

  /** @returns false when the body alone does not fit; nothing is counted then */
  take(body: ArrivingBody, bytes: number): boolean {
    if ((this.#held.get(body) ?? 0) + bytes > this.bytesMax) return false
    for (const oldest of this.#held.keys()) {
      if (this.#bytes + bytes <= this.bytesMax) break
      if (oldest === body) continue
      this.release(oldest)
      oldest.evict()
    }
    this.#bytes += bytes
    this.#held.set(body, (this.#held.get(body) ?? 0) + bytes)
    return true
  }

  /** The body is complete, or given up; a second call has no effect. */
  release(body: ArrivingBody): void {
    this.#bytes -= this.#held.get(body) ?? 0
    this.#held.delete(body)
  }
}
