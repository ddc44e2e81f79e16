import { SELECTION_BYTES_MAX, SELECTION_ROW_BYTES_MAX } from '../limits.js'
import type { Selection } from './select.js'

/**
 * Selections in sorted order that were worked out before, so that the second page of a filtered
 * list costs the page alone. They are kept for what they are of, a segment or the rows of it that
 * are alive: neither changes, so neither does a selection of it. The least recently used ones go
 * first, and all go with what they are of.
 */
export class Selections {
  readonly #byOwner = new WeakMap<object, Kept>()

  /**
   * The selection kept under the key, or what `make` returns, then kept; one too large for its
   * owner's share is not kept.
   * @param owner what the selection is of   @param rowCount how many rows that has, dead or alive
   */
  findOrKeep(owner: object, rowCount: number, key: string, make: () => Selection): Selection {
    const kept = this.#byOwner.get(owner)
    const known = kept?.selections.get(key)
    if (known !== undefined) {
      // A Map remembers insertion order: leaving and entering again makes it the newest.
      kept?.selections.delete(key)
      kept?.selections.set(key, known)
      return known
    }
    const made = make()
    this.#keep(owner, rowCount, key, made)
    return made
  }

  #keep(owner: object, rowCount: number, key: string, selection: Selection): void {
    const limit = Math.min(SELECTION_BYTES_MAX, rowCount * SELECTION_ROW_BYTES_MAX)
    const byteCount = bytesOf(key, selection)
    if (byteCount > limit) return
    const kept = this.#byOwner.get(owner) ?? { selections: new Map(), byteCount: 0 }
    this.#byOwner.set(owner, kept)
    kept.selections.set(key, selection)
    kept.byteCount += byteCount
    for (const [oldest, selected] of kept.selections) {
      if (kept.byteCount <= limit) break
      kept.selections.delete(oldest)
      kept.byteCount -= bytesOf(oldest, selected)
    }
  }
}

interface Kept {
  readonly selections: Map<string, Selection>
  byteCount: number
}

/**
 * What an entry takes: its arrays, its key, and about as much again for the objects around them.
 */
function bytesOf(key: string, selection: Selection): number {
  const arrays =
    selection.kind === 'listed'
      ? selection.ordinals.byteLength
      : selection.sifting.sieve.words.byteLength + selection.sifting.before.byteLength
  return arrays + key.length + ENTRY_BYTES
}

/** Objects and array headers of one kept selection. */
const ENTRY_BYTES = 500
