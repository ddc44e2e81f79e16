import { SELECTION_BYTES_MAX, SELECTION_ROW_BYTES_MAX } from '../limits.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { Selection } from './select.js'

/**
 * Selections in sorted order that were worked out before, so that the second page of a filtered
 * list costs the page alone. A segment never changes, so neither does a selection of it; the least
 * recently used ones go first, and all of a segment's go with the segment.
 */
export class Selections {
  readonly #bySegment = new WeakMap<Segment, Map<string, Selection>>()
  readonly #byteCounts = new WeakMap<Segment, number>()

  /** The selection kept under the key, or undefined. */
  find(segment: Segment, key: string): Selection | undefined {
    const kept = this.#bySegment.get(segment)
    const selection = kept?.get(key)
    if (selection === undefined) return undefined
    // A Map remembers insertion order: leaving and entering again makes it the newest.
    kept?.delete(key)
    kept?.set(key, selection)
    return selection
  }

  /** Keeps a selection that is not kept yet, unless it is too large for its segment's share. */
  keep(segment: Segment, key: string, selection: Selection): void {
    const limit = Math.min(SELECTION_BYTES_MAX, segment.rowCount * SELECTION_ROW_BYTES_MAX)
    const byteCount = bytesOf(key, selection)
    if (byteCount > limit) return
    const kept = this.#bySegment.get(segment) ?? new Map<string, Selection>()
    this.#bySegment.set(segment, kept)
    kept.set(key, selection)
    let total = (this.#byteCounts.get(segment) ?? 0) + byteCount
    for (const [oldest, selected] of kept) {
      if (total <= limit) break
      kept.delete(oldest)
      total -= bytesOf(oldest, selected)
    }
    this.#byteCounts.set(segment, total)
  }
}

/** What an entry takes: its arrays, its key, and the objects around them. */
function bytesOf(key: string, selection: Selection): number {
  const arrays =
    selection.kind === 'listed'
      ? selection.ordinals.byteLength
      : selection.sifting.sieve.words.byteLength + selection.sifting.before.byteLength
  return arrays + key.length + ENTRY_BYTES
}

/** Objects and array headers of one kept selection. */
const ENTRY_BYTES = 500
