import { lowerBound } from '../lower-bound.js'
import { type BitSet, bitAt, bitCount, fullWords } from '../ordinals/bit-set.js'
import type { OrderedCodes } from '../snapshot/ordered-column.js'
import type { Segment } from '../snapshot/snapshot.js'
import { keepInSet } from './keep.js'
import { LruCache } from './lru-cache.js'
import { aliveRankedRows, countsWithout, type RankDirectory, rankedRowsOf } from './ranked-rows.js'
import type { Selection } from './select.js'

/** A selection of a segment's rows, as input for its live rows. */
export interface LiveQuery {
  /** undefined = every row. */
  readonly selection: Selection | undefined
  /** The selection's sort key; undefined = in the order of the ordinals. */
  readonly key: OrderedCodes | undefined
  /** Identifies the selection among those of the segment. */
  readonly name: string
}

/** The used member of a segment. */
type Rows = Pick<Segment, 'rowCount'>

/** The live rows of a selection once `deletedCount` rows of the segment were deleted. */
type LiveSelection = { readonly deletedCount: number } & (
  | { readonly ordinals: Uint32Array }
  | { readonly count: number; readonly counts: RankDirectory }
)

/**
 * Live rows of the selections of segments: selection ∩ live rows. Each refresh deletes a few rows,
 * several times a second; cached counts are decremented for those, because recomputing them reads
 * every row of the segment.
 */
export class LiveRows {
  readonly #deleteLogs = new WeakMap<Rows, DeleteLog>()
  readonly #live = new LruCache<LiveSelection>((live) =>
    'ordinals' in live ? live.ordinals.byteLength : live.counts.before.byteLength,
  )

  /** The live rows of the selection, in its order. */
  of(segment: Rows, alive: BitSet, wanted: LiveQuery): Selection {
    const deletes = this.#deleteLogOf(segment)
    const deletedCount = segment.rowCount - alive.count
    const known = this.#live.find(segment, wanted.name) ?? withoutDeletes(wanted)
    // Requests that began earlier may still read an earlier snapshot.
    const isLate =
      !deletes.learn(alive) || (known !== undefined && known.deletedCount > deletedCount)
    if (isLate) return selectionOf(liveSelectionOf(segment, alive, wanted), alive, wanted)
    if (known?.deletedCount === deletedCount) return selectionOf(known, alive, wanted)
    const live =
      (known &&
        afterDeletes(known, deletes.between(known.deletedCount, deletedCount), alive, wanted)) ??
      liveSelectionOf(segment, alive, wanted)
    this.#live.replace(segment, segment.rowCount, wanted.name, live)
    return selectionOf(live, alive, wanted)
  }

  #deleteLogOf(segment: Rows): DeleteLog {
    let deletes = this.#deleteLogs.get(segment)
    if (deletes === undefined) {
      deletes = new DeleteLog(segment.rowCount)
      this.#deleteLogs.set(segment, deletes)
    }
    return deletes
  }
}

/**
 * The whole selection, as before any delete; undefined unless it is a bit set, which has counts.
 */
function withoutDeletes({ selection }: LiveQuery): LiveSelection | undefined {
  if (selection?.kind !== 'bits') return undefined
  const { count, counts } = selection.ranked
  return { deletedCount: 0, count, counts }
}

function selectionOf(live: LiveSelection, { words: alive }: BitSet, wanted: LiveQuery): Selection {
  if ('ordinals' in live) return { kind: 'ordinals', ordinals: live.ordinals }
  const { count, counts } = live
  const order = wanted.key?.order
  return { kind: 'bits', ranked: { words: wordsOf(wanted, alive), alive, count, order, counts } }
}

/** Bits of the selected rows. */
function wordsOf({ selection }: LiveQuery, alive: Uint32Array): Uint32Array {
  return selection?.kind === 'bits' ? selection.ranked.words : alive
}

/** Recomputes the live rows of a selection. */
function liveSelectionOf(
  { rowCount }: Rows,
  alive: BitSet,
  { selection, key }: LiveQuery,
): LiveSelection {
  const deletedCount = rowCount - alive.count
  if (selection?.kind === 'ordinals') {
    return { deletedCount, ordinals: aliveOrdinals(selection.ordinals, alive) }
  }
  const { count, counts } =
    selection === undefined
      ? rankedRowsOf(alive, key?.order, rowCount)
      : aliveRankedRows(selection.ranked, alive.words, rowCount)
  return { deletedCount, count, counts }
}

/** Maximum rows removed one by one: a search for each takes half a microsecond. */
const REMOVED_ROWS_MAX = 1_024

/** The live rows once these rows are deleted as well; undefined = they are too many. */
function afterDeletes(
  live: LiveSelection,
  deleted: Uint32Array,
  alive: BitSet,
  wanted: LiveQuery,
): LiveSelection | undefined {
  const deletedCount = live.deletedCount + deleted.length
  if ('ordinals' in live) return { deletedCount, ordinals: aliveOrdinals(live.ordinals, alive) }
  const { selection, key } = wanted
  const gone =
    selection?.kind === 'bits'
      ? deleted.filter((row) => bitAt(selection.ranked.words, row) === 1)
      : deleted
  if (gone.length > REMOVED_ROWS_MAX) return undefined
  const { count, counts } = live
  if (gone.length === 0) return { deletedCount, count, counts }
  const positions = key === undefined ? gone : gone.map((row) => positionOf(key, row))
  return { deletedCount, count: count - gone.length, counts: countsWithout(counts, positions) }
}

/** The live ordinals; the same array when all are alive. */
function aliveOrdinals(ordinals: Uint32Array, { words }: BitSet): Uint32Array {
  let count = 0
  for (let i = 0; i < ordinals.length; i++) count += bitAt(words, ordinals[i]!)
  if (count === ordinals.length) return ordinals
  const rows = ordinals.slice()
  return rows.slice(0, keepInSet(rows, rows.length, words))
}

/** Position of the row in the order of the key. */
function positionOf({ codes, order }: OrderedCodes, row: number): number {
  const code = codes[row]!
  return lowerBound(0, order.length, (position) => {
    const other = order[position]!
    const difference = codes[other]! - code
    // Of equal codes the greater ordinal comes first.
    return difference < 0 || (difference === 0 && other > row)
  })
}

/**
 * The rows of a segment in the order in which deletes were seen: of n deleted rows, the first n.
 * Rows never come back, so each live bit set of a segment is a subset of those before it.
 */
class DeleteLog {
  #rows = new Uint32Array(0)
  #count = 0
  /** Bits of the last of the bit sets that have followed each other. */
  #words: Uint32Array
  /** All bit sets that have followed each other. */
  readonly #known = new WeakSet<BitSet>()

  constructor(rowCount: number) {
    this.#words = fullWords(rowCount)
  }

  /**
   * Appends the rows that were deleted since the last bit set. @returns false when the bit set does
   * not follow the last one
   */
  learn(alive: BitSet): boolean {
    if (this.#known.has(alive)) return true
    const deleted = this.#deletedUntil(alive.words)
    if (deleted === undefined) return false
    this.#append(deleted)
    this.#words = alive.words
    this.#known.add(alive)
    return true
  }

  /** The rows that were deleted after the first `from`. @param to at most as many as there are */
  between(from: number, to: number): Uint32Array {
    return this.#rows.subarray(from, to)
  }

  /**
   * Rows that are live in the last bit set and deleted in this one; undefined = a row is the
   * reverse.
   */
  #deletedUntil(words: Uint32Array): Uint32Array | undefined {
    const rows: number[] = []
    for (let i = 0; i < words.length; i++) {
      const held = this.#words[i]! // as long
      const now = words[i]!
      if (held === now) continue
      if ((now & ~held) !== 0) return undefined
      for (let rest = held & ~now; rest !== 0; rest &= rest - 1) {
        rows.push((i << 5) + bitCount((rest & -rest) - 1))
      }
    }
    return Uint32Array.from(rows)
  }

  #append(deleted: Uint32Array): void {
    const needed = this.#count + deleted.length
    if (needed > this.#rows.length) {
      const grown = new Uint32Array(Math.max(needed, this.#rows.length * 2))
      grown.set(this.#rows.subarray(0, this.#count))
      this.#rows = grown
    }
    this.#rows.set(deleted, this.#count)
    this.#count = needed
  }
}
