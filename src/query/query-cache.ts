import type { RowSet } from '../free-text/row-set.js'
import type { ScannedRows } from '../match/scan.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import type { NormalForms } from '../text/normal-forms.js'
import { LiveRows } from './live-rows.js'
import { LruCache } from './lru-cache.js'
import type { OwnCounterparts } from './own-transfers.js'
import type { Selection } from './select.js'
import { type Summary, summaryBytes } from './summary.js'
import type { CurrencySum } from './sums.js'
import { VisibleTexts } from './visible-texts.js'

/** Code of a category by the normal forms of its name. */
export interface NamedCode extends NormalForms {
  readonly code: number
}

/** The rows that a match scans. */
export interface MatchWindow {
  /** Newest first, in the form that threads get. */
  readonly rows: ScannedRows
  /** The segments, by their numbers in `rows`. */
  readonly segments: readonly Segment[]
}

/** A page of changes as it is sent. */
export interface ChangesBody {
  readonly changeCount: number
  readonly bytes: Uint8Array
}

/**
 * Caches of selections, live rows, searches, windows, sums and pages of changes, as Lucene's
 * LRUQueryCache has them: the second page of a filtered or searched list costs the page alone.
 */
export class QueryCache {
  /** Selections in sorted order, of all rows of a segment, deleted or not. */
  readonly selected = new LruCache<Selection>((selection) =>
    selection.kind === 'ordinals'
      ? selection.ordinals.byteLength
      : selection.ranked.words.byteLength + selection.ranked.counts.before.byteLength,
  )
  /** Live rows of the selections, per segment. */
  readonly liveRows = new LiveRows()
  /**
   * Rows found by searches, per text index of a segment; separate for different visible accounts.
   */
  readonly searched = new LruCache<RowSet>((rows) =>
    rows.kind === 'ordinals' ? rows.ordinals.byteLength : rows.bits.words.byteLength,
  )
  /** Texts of the rows that credentials with a list of accounts may see. */
  readonly visibleTexts: VisibleTexts
  /** Windows of matches, per snapshot. */
  readonly windows = new LruCache<MatchWindow>(
    ({ rows: { ordinals, spans } }) => ordinals.byteLength + spans.byteLength,
  )
  /** Sums of queries, per snapshot. */
  readonly summed = new LruCache<readonly CurrencySum[]>((sums) => sums.length * CURRENCY_SUM_BYTES)
  /** Sums of groups, per snapshot. */
  readonly summaries = new LruCache<Summary>(summaryBytes)
  /** Pages of changes for which callers wait, per snapshot. */
  readonly changes = new LruCache<ChangesBody>(({ bytes }) => bytes.byteLength)
  /** Groups of summaries in other orders than their own, per snapshot. */
  readonly groupOrders = new LruCache<Uint32Array>(({ byteLength }) => byteLength)
  /** Counterparts that are own accounts, by segment. */
  readonly ownCounterparts: OwnCounterparts = new WeakMap()
  /** Normal forms of the category names of a snapshot. */
  readonly categoryNames = new WeakMap<Snapshot['categories'], readonly NamedCode[]>()

  /** @param visibleTexts empty by default */
  constructor(visibleTexts = new VisibleTexts()) {
    this.visibleTexts = visibleTexts
  }
}

/** An object, a text and two small BigInts. */
const CURRENCY_SUM_BYTES = 200
