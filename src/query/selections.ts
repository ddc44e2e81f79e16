import { SELECTION_ORDINALS_MAX } from '../limits.js'
import type { Segment } from '../snapshot/snapshot.js'

/**
 * Selections in sorted order that were worked out before, so that the second page of a filtered
 * list costs the page alone. A segment never changes, so neither does a selection of it; the least
 * recently used ones go first, and all of a segment's go with the segment.
 */
export class Selections {
  readonly #bySegment = new WeakMap<Segment, Map<string, Uint32Array>>()
  readonly #ordinalCounts = new WeakMap<Segment, number>()

  /** The selection kept under the key, or undefined. */
  find(segment: Segment, key: string): Uint32Array | undefined {
    const kept = this.#bySegment.get(segment)
    const selection = kept?.get(key)
    if (selection === undefined) return undefined
    // A Map remembers insertion order: leaving and entering again makes it the newest.
    kept?.delete(key)
    kept?.set(key, selection)
    return selection
  }

  /** Keeps a selection; one that is too large for its segment's share is not kept. */
  keep(segment: Segment, key: string, selection: Uint32Array): void {
    const limit = Math.min(SELECTION_ORDINALS_MAX, segment.rowCount * 2)
    if (selection.length > limit) return
    const kept = this.#bySegment.get(segment) ?? new Map<string, Uint32Array>()
    this.#bySegment.set(segment, kept)
    kept.set(key, selection)
    let ordinalCount = (this.#ordinalCounts.get(segment) ?? 0) + selection.length
    for (const [oldest, ordinals] of kept) {
      if (ordinalCount <= limit && kept.size <= SELECTION_ORDINALS_MAX) break
      kept.delete(oldest)
      ordinalCount -= ordinals.length
    }
    this.#ordinalCounts.set(segment, ordinalCount)
  }
}
