import { type TextIndex, textIndexBytes } from '../free-text/text-index.js'
import type { LiveSegment, Snapshot } from '../snapshot/snapshot.js'
import {
  type PartTask,
  rowsOfAccounts,
  type VisiblePart,
  visiblePartBytes,
} from '../snapshot/visible-rows.js'

/**
 * Minimum visible rows of a segment for an index of their own: fewer are searched one by one in a
 * few milliseconds, by another thread where these are many (`scanCost`).
 */
const PART_ROWS_MIN = 4_096

/**
 * Searches of a segment's parts after which an unused part is evicted for another, and after which
 * a part that could not be kept is retried: building one takes as long as thousands of searches.
 */
const UNUSED_SEARCHES_MAX = 200

/**
 * Parts of text indexes, each with the rows of some accounts, for credentials that may see only
 * these. Together they may take as many bytes as the index that they are parts of; parts of keys
 * without common accounts take about that.
 */
export class VisibleTexts {
  readonly #byText = new WeakMap<TextIndex, PartCache>()
  /** Parts are built one at a time, because the thread that builds them also loads workspaces. */
  #isMaking = false

  /** @param partRowsMin minimum visible rows of a part; 4,096 by default */
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
   * Has the next missing part of the accounts built, if there is one; searches run without it until
   * then. @param make resolves with the part; rejections are logged by the caller
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

interface CachedPart {
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
  readonly parts: Map<string, CachedPart>
  /**
   * {@link PartCache.searchCount} from which on a part that was not built, or not kept, may be
   * built.
   */
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

/** Number of rows in several lists. */
export function rowCountOf(lists: readonly Uint32Array[]): number {
  return lists.reduce((sum, rows) => sum + rows.length, 0)
}
