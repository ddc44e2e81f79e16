import { type TextIndex, textIndexBytes } from '../free-text/text-index.js'
import type { LiveSegment, Snapshot } from '../snapshot/snapshot.js'
import {
  type PartTask,
  rowsOfAccounts,
  type VisiblePart,
  visiblePartBytes,
} from '../snapshot/visible-rows.js'

/**
 * Visible rows of a segment from which on they get an index of their own: fewer are looked at one
 * by one in less than half a millisecond.
 */
const PART_ROWS_MIN = 4_096

/**
 * Searches of a segment's parts after which a part that none of them was of gives way to another,
 * and after which what could not be kept is tried again: making one takes as long as thousands of
 * searches.
 */
const UNUSED_SEARCHES_MAX = 200

/**
 * Parts of text indexes by the accounts that they have the rows of, for credentials that may see
 * these alone. Together they take as many bytes as the index that they are parts of: those of keys
 * that share no account take about that.
 */
export class VisibleTexts {
  readonly #byText = new WeakMap<TextIndex, PartCache>()
  /** One at a time, for the thread that makes them loads workspaces, too. */
  #isMaking = false

  /** @param partRowsMin visible rows from which on there is a part; 4,096 unless told otherwise */
  constructor(private readonly partRowsMin = PART_ROWS_MIN) {}

  /** The part of the accounts' rows; undefined = there is none, or none yet. */
  find(text: TextIndex, accountCodes: readonly number[]): VisiblePart | undefined {
    const cache = this.#byText.get(text)
    if (cache === undefined) return undefined
    cache.searchCount += 1
    const kept = cache.parts.get(accountCodes.join())
    if (kept === undefined) return undefined
    kept.usedAt = cache.searchCount
    return kept.part
  }

  /**
   * Has the next part made that searches of the accounts lack, if there is one; they go without
   * until then. @param make resolves with the part; what it rejects with is the log's affair
   */
  prepare(
    { segments }: Pick<Snapshot, 'segments'>,
    accountCodes: readonly number[],
    make: (task: PartTask) => Promise<VisiblePart>,
  ): void {
    if (this.#isMaking) return
    const lacking = segments.find((live) => this.#lacksPart(live, accountCodes))
    if (lacking?.text === undefined) return
    const { segment, text } = lacking
    const { rowCount, accountPostings, eitherPostings, categoryCodes, parentCodes } = segment
    const rows = { rowCount, accountPostings, eitherPostings, categoryCodes, parentCodes }
    const cache = this.#partsOf(text)
    const key = accountCodes.join()
    cache.nextTries.set(key, cache.searchCount + UNUSED_SEARCHES_MAX)
    this.#isMaking = true
    const over = (): void => {
      this.#isMaking = false
    }
    make({ segment: rows, text, accountCodes }).then((part) => {
      over()
      keepPart(cache, key, part)
    }, over)
  }

  #lacksPart({ segment, text }: LiveSegment, accountCodes: readonly number[]): boolean {
    if (text === undefined) return false
    const visibleCount = rowCountOf(rowsOfAccounts(segment, accountCodes))
    if (visibleCount < this.partRowsMin || visibleCount === segment.rowCount) return false
    const cache = this.#byText.get(text)
    const key = accountCodes.join()
    if (cache === undefined) return true
    return !cache.parts.has(key) && cache.searchCount >= (cache.nextTries.get(key) ?? 0)
  }

  #partsOf(text: TextIndex): PartCache {
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const cache: PartCache = {
      bytesMax: textIndexBytes(text),
      byteCount: 0,
      searchCount: 0,
      parts: new Map(),
      nextTries: new Map(),
    }
    this.#byText.set(text, cache)
    return cache
  }
}

interface KeptPart {
  readonly part: VisiblePart
  readonly byteCount: number
  /** {@link PartCache.searchCount} of the last search of it. */
  usedAt: number
}

/** The parts of one index. */
interface PartCache {
  readonly bytesMax: number
  byteCount: number
  searchCount: number
  readonly parts: Map<string, KeptPart>
  /** {@link PartCache.searchCount} from which on a part may be made that was not, or not kept. */
  readonly nextTries: Map<string, number>
}

function keepPart(cache: PartCache, key: string, part: VisiblePart): void {
  const byteCount = visiblePartBytes(part)
  const unused = [...cache.parts]
    .filter(([, { usedAt }]) => cache.searchCount - usedAt > UNUSED_SEARCHES_MAX)
    .sort(([, a], [, b]) => a.usedAt - b.usedAt)
  for (const [oldKey, old] of unused) {
    if (cache.byteCount + byteCount <= cache.bytesMax) break
    cache.parts.delete(oldKey)
    cache.byteCount -= old.byteCount
  }
  if (cache.byteCount + byteCount > cache.bytesMax) return
  cache.parts.set(key, { part, byteCount, usedAt: cache.searchCount })
  cache.byteCount += byteCount
  cache.nextTries.delete(key)
}

/** Rows of several lists. */
export function rowCountOf(lists: readonly Uint32Array[]): number {
  return lists.reduce((sum, rows) => sum + rows.length, 0)
}
