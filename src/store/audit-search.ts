import type { AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import { lowerBound } from '../lower-bound.js'
import type { AuditRow } from './audit-rows.js'
import type { ControlFile } from './sqlite/control-file.js'

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
export function searchAuditRows(
  control: ControlFile,
  search: AuditSearch,
  { limit, scannedMax }: AuditBounds,
): AuditPage {
  const candidates = candidatesOf(control, search, scannedMax)
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
  const rows = passing.slice(0, limit).flatMap(({ sequence }) => rowOf(control, sequence) ?? [])
  const isMore = passing.length > limit
  const last = isMore ? rows.at(-1) : candidates.at(-1)
  const isEnd = !isMore && (candidates.length < scannedMax || (last?.at ?? 0) < sinceMs)
  return { rows, nextBefore: isEnd ? undefined : last?.sequence }
}

/** The newest rows that the indexes can select. */
function candidatesOf(control: ControlFile, search: AuditSearch, scannedMax: number): Candidate[] {
  const { action = null, workspaceId = null, beforeSequence, untilMs } = search
  const beforeTime = untilMs === undefined ? undefined : firstSequenceFrom(control, untilMs)
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
  return control.all<Candidate>(sql, {
    ...values,
    ...(isIndexed ? { action } : {}),
    ...(workspaceId === null ? {} : { workspaceId }),
  })
}

/**
 * Sequence of the first row at or after a moment, by binary search: rows are in order of time as
 * long as the clock is never set back. One past the last row when there is none.
 */
function firstSequenceFrom(control: ControlFile, atMs: EpochMs): number {
  const sql = 'SELECT at FROM audit WHERE sequence >= ? ORDER BY sequence LIMIT 1'
  const last = control.first<{ sequence: number }>(
    'SELECT sequence FROM audit ORDER BY sequence DESC LIMIT 1',
  )
  return lowerBound(0, (last?.sequence ?? 0) + 1, (sequence) => {
    const row = control.first<{ at: EpochMs }>(sql, sequence)
    return row !== undefined && row.at < atMs
  })
}

function rowOf(control: ControlFile, sequence: number): AuditRow | undefined {
  return control.first<AuditRow>(
    `SELECT sequence, at, actor, action, subject, workspace_id AS workspaceId,
      integration_id AS integrationId, from_address AS fromAddress, request_id AS requestId,
      outcome, detail FROM audit WHERE sequence = ?`,
    sequence,
  )
}
