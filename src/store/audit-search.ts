import type { AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { AuditRow } from './audit-rows.js'
import { all, first, type Work } from './work.js'

/** Conditions of a search in the audit log; absent = any. */
export interface AuditSearch {
  readonly workspaceId?: string | undefined
  readonly action?: AuditAction | undefined
  /** Part of the actor, case-insensitive. */
  readonly actor?: string | undefined
  readonly outcome?: AuditRow['outcome'] | undefined
  /** From this moment on. */
  readonly sinceMs?: EpochMs | undefined
  /** Before this moment. */
  readonly untilMs?: EpochMs | undefined
  /** Only rows with a smaller sequence. */
  readonly beforeSequence?: number | undefined
}

/** Limits of one search. */
export interface AuditBounds {
  /** Maximum number of returned rows. */
  readonly limit: number
  /** Maximum number of examined rows. */
  readonly scannedMax: number
}

/** Result of a search, newest first. */
export interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** `beforeSequence` of the next search; undefined = there are no older rows to examine. */
  readonly nextBefore: number | undefined
}

type Candidate = Pick<AuditRow, 'sequence' | 'at' | 'actor' | 'action' | 'outcome'>

/** Excluded from the index of actions, because most rows have it. */
const UNINDEXED: AuditAction = 'token.refresh'

/**
 * Searches the audit log from its end. The cost is bounded, whatever the conditions: at most
 * `scannedMax` rows are examined in the order of an index (that of the action, unless it is a
 * refresh, of the workspace or of the log itself); the caller continues with `nextBefore`.
 */
export function* searchAuditRows(
  search: AuditSearch,
  { limit, scannedMax }: AuditBounds,
): Work<AuditPage> {
  const candidates = yield* candidatesOf(search, scannedMax)
  const sinceMs = search.sinceMs ?? Number.NEGATIVE_INFINITY
  const untilMs = search.untilMs ?? Number.POSITIVE_INFINITY
  const actor = search.actor?.toLowerCase() ?? ''
  const passing = candidates.filter(
    (row) =>
      row.at >= sinceMs &&
      row.at < untilMs &&
      (search.action === undefined || row.action === search.action) &&
      (search.outcome === undefined || row.outcome === search.outcome) &&
      row.actor.toLowerCase().includes(actor),
  )
  const rows: AuditRow[] = []
  for (const { sequence } of passing.slice(0, limit)) {
    const row = yield* rowOf(sequence)
    if (row !== undefined) rows.push(row)
  }
  const isMore = passing.length > limit
  const last = isMore ? rows.at(-1) : candidates.at(-1)
  const isEnd = !isMore && (candidates.length < scannedMax || (last?.at ?? 0) < sinceMs)
  return { rows, nextBefore: isEnd ? undefined : last?.sequence }
}

/** The newest rows that the indexes can select. */
function* candidatesOf(search: AuditSearch, scannedMax: number): Work<Candidate[]> {
  const { action = null, workspaceId = null, beforeSequence, untilMs } = search
  const beforeTime = untilMs === undefined ? undefined : yield* firstSequenceFrom(untilMs)
  const isIndexed = action !== null && action !== UNINDEXED
  const before = Math.min(beforeSequence ?? Infinity, beforeTime ?? Infinity)
  // One of several statements, because SQLite chooses an index when it prepares one.
  const conditions = [
    ...(isIndexed ? ['action = @action', `action <> '${UNINDEXED}'`] : []),
    ...(workspaceId === null ? [] : ['workspace_id = @workspaceId']),
    'sequence < @before',
  ]
  const sql = `SELECT sequence, at, actor, action, outcome FROM audit
    WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT @scannedMax`
  const values = { before: Math.min(before, Number.MAX_SAFE_INTEGER), scannedMax }
  return yield* all<Candidate>(sql, {
    ...values,
    ...(isIndexed ? { action } : {}),
    ...(workspaceId === null ? {} : { workspaceId }),
  })
}

/**
 * Sequence of the first row at or after a moment, by binary search: rows are in order of time as
 * long as the clock is never set back. One past the last row when there is none.
 */
function* firstSequenceFrom(atMs: EpochMs): Work<number> {
  const sql = 'SELECT at FROM audit WHERE sequence >= @sequence ORDER BY sequence LIMIT 1'
  const last = yield* first<{ sequence: number }>(
    'SELECT sequence FROM audit ORDER BY sequence DESC LIMIT 1',
  )
  let low = 0
  let high = (last?.sequence ?? 0) + 1
  while (low < high) {
    const sequence = Math.floor((low + high) / 2)
    const row = yield* first<{ at: EpochMs }>(sql, { sequence })
    if (row !== undefined && row.at < atMs) low = sequence + 1
    else high = sequence
  }
  return low
}

function rowOf(sequence: number): Work<AuditRow | undefined> {
  return first<AuditRow>(
    `SELECT sequence, at, actor, action, subject, workspace_id AS "workspaceId",
      integration_id AS "integrationId", from_address AS "fromAddress", request_id AS "requestId",
      outcome, detail FROM audit WHERE sequence = @sequence`,
    { sequence },
  )
}
