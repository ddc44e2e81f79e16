import { SELECTION_ENTRY_ORDINALS, SELECTION_ORDINALS_MAX, SELECTIONS_KEPT_MIN } from '../limits.js'
import type { Segment } from '../snapshot/snapshot.js'

/**
 * Selections in sorted order that were worked out before, so that the second page of a filtered
 * list costs the page alone. A segment never changes, so neither does a selection of it; the least
 * recently used ones go first, and all of a segment's go with the segment.
 */
export class Selections {
  readonly #bySegment = new WeakMap<Segment, Map<string, Uint32Array>>()
  readonly #costs = new WeakMap<Segment, number>()

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
    const costMax = Math.min(
      SELECTION_ORDINALS_MAX,
      segment.rowCount * 2 + SELECTIONS_KEPT_MIN * SELECTION_ENTRY_ORDINALS,
    )
    if (costOf(selection) > costMax) return
    const kept = this.#bySegment.get(segment) ?? new Map<string, Uint32Array>()
    this.#bySegment.set(segment, kept)
    kept.set(key, selection)
    let cost = (this.#costs.get(segment) ?? 0) + costOf(selection)
    for (const [oldest, ordinals] of kept) {
      if (cost <= costMax) break
      kept.delete(oldest)
      cost -= costOf(ordinals)
    }
    this.#costs.set(segment, cost)
  }
}

/** Memory of a kept selection, in ordinals: an empty one has a key and a place in the map too. */
function costOf(selection: Uint32Array): number {
  return selection.length + SELECTION_ENTRY_ORDINALS
}
