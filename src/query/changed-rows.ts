import { lowerBound } from '../lower-bound.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import { LOG_CHUNK_CHANGES_MAX, visitChanges } from '../snapshot/change-log.js'
import { accountOfId, placeOfId, type Segment, type Snapshot } from '../snapshot/snapshot.js'
import { listTransactions } from './list.js'
import { type AnyRun, type Listing, ordinalAt, rankedOrdinalAt } from './listing.js'
import { pageOf } from './page.js'
import type { QueryCache } from './query-cache.js'
import type { TransactionBounds, TransactionQuery } from './transaction-query.js'

/**
 * Steps in which a position advances past changes that its view does not have. A position that
 * followed each of them would reveal that other accounts have changed; one that followed none would
 * leave the log.
 */
const UNSEEN_CHANGES_STEP = LOG_CHUNK_CHANGES_MAX

/** A position in the changes of one view. */
export interface ChangePosition {
  /** The reader has every change up to this sequence, as far as its copy has come. */
  readonly sequence: number
  /** Ids from this one on are copied; 0 = the copy is complete. */
  readonly copiedFrom: number
}

/** The accounts whose changes a caller is sent; null = all current and future ones. */
export type AccountView = ReadonlySet<number> | null

/** A transaction as it is now, or the id of one that has left the view. */
export type SentChange =
  | { readonly segment: Segment; readonly ordinal: Ordinal }
  | { readonly deletedId: number }

/** A page of changes, and the position behind it. */
export interface ChangesPage {
  readonly sent: readonly SentChange[]
  readonly position: ChangePosition
  /** Whether the snapshot has more changes behind the page. */
  readonly hasMore: boolean
}

/** What a copy reads: rows in descending order of their ids. */
export interface CopySource {
  readonly snapshot: Snapshot
  readonly queryCache: QueryCache
  readonly view: AccountView
  readonly bounds: TransactionBounds
}

const BY_ID: TransactionQuery = { sortBy: '_id', order: 'desc' }

/**
 * The next page of a copy. Rows that are written meanwhile are sent again, as changes since the
 * copy began, so that it is consistent at its end.
 * @param from undefined = from the beginning
 */
export function copyPage(
  source: CopySource,
  from: ChangePosition | undefined,
  limit: number,
): ChangesPage {
  const { snapshot, queryCache, view, bounds } = source
  const listing = listTransactions(snapshot, queryCache, BY_ID, bounds)
  const offset = from === undefined ? 0 : countFrom(listing, from.copiedFrom)
  const sent = pageOf(listing, offset, limit).flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => ({
      segment: run.segment,
      // The run's rows are ordinals of its segment.
      ordinal: ordinalAt(run, i) as Ordinal,
    })),
  )
  const sequence = from?.sequence ?? quietSequence(snapshot, view)
  const last = sent.at(-1)
  if (last === undefined) return followingPage(snapshot, view, sequence, limit)
  if (offset + sent.length >= listing.total) {
    return { ...followingPage(snapshot, view, sequence, 0), sent }
  }
  const copiedFrom = last.segment.ids[last.ordinal] ?? 0
  return { sent, position: { sequence, copiedFrom }, hasMore: true }
}

/** Number of rows of a listing in descending order of ids that have this id or a greater one. */
function countFrom({ parts }: Listing, id: number): number {
  const runs = parts.flatMap((part): readonly AnyRun[] => ('runs' in part ? part.runs : [part]))
  return runs.reduce((sum, run) => {
    const isFrom = (i: number): boolean => (run.segment.ids[rankedOrdinalAt(run, i)] ?? 0) >= id
    return sum + lowerBound(0, run.count, isFrom)
  }, 0)
}

/**
 * The next page of the changes after a sequence, in the order of commits: each transaction once, as
 * it is in the snapshot. Sequence and order follow from changes of the view alone.
 * @param after not before the log
 * @param limit 0 = the position, and whether there are changes behind it
 */
export function followingPage(
  snapshot: Snapshot,
  view: AccountView,
  after: number,
  limit: number,
): ChangesPage {
  const sent = new Map<number, SentChange>()
  let sequence = after
  let hasMore = false
  visitSeen(snapshot, view, after, (changeSequence, id, wasSeen) => {
    const change = sent.get(id) ?? sentChangeOf(snapshot, view, id, wasSeen)
    if (change !== undefined) {
      hasMore = sent.size === limit && !sent.has(id)
      if (hasMore) return false
      // Behind the others, where the newest of its commits is.
      sent.delete(id)
      sent.set(id, change)
    }
    sequence = changeSequence
    return true
  })
  if (!hasMore) sequence = Math.max(sequence, quietFloor(snapshot))
  return { sent: [...sent.values()], position: { sequence, copiedFrom: 0 }, hasMore }
}

/**
 * A later sequence than that of the snapshot's last change in the view, or the same. It changes
 * with the view, and otherwise only once in {@link UNSEEN_CHANGES_STEP} changes.
 */
function quietSequence(snapshot: Snapshot, view: AccountView): number {
  let last = quietFloor(snapshot)
  visitSeen(snapshot, view, last, (sequence) => {
    last = sequence
    return true
  })
  return last
}

function quietFloor({ log, version: { sequence } }: Snapshot): number {
  return Math.max(log.after, sequence - (sequence % UNSEEN_CHANGES_STEP))
}

/**
 * What a reader of the view is sent for a change of a transaction; undefined = nothing. A row that
 * is out of sight now was deleted from the view by the change that found it there.
 */
function sentChangeOf(
  snapshot: Snapshot,
  view: AccountView,
  id: number,
  wasSeen: boolean,
): SentChange | undefined {
  const place = placeOfId(snapshot, id)
  if (place !== undefined && isSeen(snapshot, view, place)) return place
  return wasSeen ? { deletedId: id } : undefined
}

function isSeen(
  snapshot: Snapshot,
  view: AccountView,
  { segment, ordinal }: NonNullable<ReturnType<typeof placeOfId>>,
): boolean {
  if (view === null) return true
  const accountId = snapshot.idDictionary.accountIds[segment.accountCodes[ordinal] ?? -1] ?? 0
  return view.has(accountId) && accountOfId(snapshot, accountId) !== undefined
}

/** Passes the changes of transactions that were in the view before or after them. */
function visitSeen(
  { log }: Snapshot,
  view: AccountView,
  after: number,
  visit: (sequence: number, id: number, wasSeen: boolean) => boolean,
): void {
  const sees = seeingOf(view)
  visitChanges(log, after, (sequence, id, before, now) => {
    const wasSeen = sees(before)
    return wasSeen || sees(now) ? visit(sequence, id, wasSeen) : true
  })
}

/** Whether an account is in the view; 0 is no account. Remembers the last one: they repeat. */
function seeingOf(view: AccountView): (accountId: number) => boolean {
  if (view === null) return (accountId) => accountId !== 0
  let last = 0
  let isLastSeen = false
  return (accountId) => {
    if (accountId !== last) {
      last = accountId
      isLastSeen = view.has(accountId)
    }
    return isLastSeen
  }
}
