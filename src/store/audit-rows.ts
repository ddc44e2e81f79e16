import type { AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import { all, run, type Work } from './work.js'

/** An action of an actor, or its refusal. Triggers of the file forbid changes and removals. */
export interface AuditRow {
  /** Ascending in the order of commits. */
  sequence: number
  at: EpochMs
  /** `cli`, `inbox`, `operator:NAME`, `client:ID`, `key:ID` or `anonymous`. */
  actor: string
  action: AuditAction
  /** Id of the object of the action. */
  subject: string | null
  workspaceId: string | null
  integrationId: string | null
  fromAddress: string | null
  requestId: string | null
  outcome: 'ok' | 'refused'
  /**
   * JSON object, never with a secret in it. `further` = number of further refusals with the same
   * fingerprint in the same minute, which have no row of their own.
   */
  detail: string | null
}

/** Appends a row. */
export function* insertAuditRow(row: Omit<AuditRow, 'sequence'>): Work<void> {
  const sql = `INSERT INTO audit (at, actor, action, subject, workspace_id, integration_id,
    from_address, request_id, outcome, detail) VALUES (@at, @actor, @action, @subject,
    @workspaceId, @integrationId, @fromAddress, @requestId, @outcome, @detail)`
  yield* run(sql, row)
}

/** Conditions for rows of the audit log. */
export interface AuditConditions {
  readonly workspaceId?: string | undefined
  readonly action?: AuditAction | undefined
  readonly sinceMs?: EpochMs | undefined
  readonly limit: number
}

/** The newest rows that meet the conditions, newest first. */
export function listAuditRows(conditions: AuditConditions): Work<AuditRow[]> {
  const sql = `SELECT sequence, at, actor, action, subject, workspace_id AS "workspaceId",
    integration_id AS "integrationId", from_address AS "fromAddress", request_id AS "requestId",
    outcome, detail FROM audit
    WHERE (CAST(@workspaceId AS TEXT) IS NULL OR workspace_id = @workspaceId)
      AND (CAST(@action AS TEXT) IS NULL OR action = @action)
      AND (CAST(@sinceMs AS BIGINT) IS NULL OR at >= @sinceMs)
    ORDER BY sequence DESC LIMIT @limit`
  const { workspaceId = null, action = null, sinceMs = null, limit } = conditions
  return all<AuditRow>(sql, { workspaceId, action, sinceMs, limit })
}
