import type { AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'

/** What somebody did, or was refused. The file lets nobody change or remove a row. */
export interface AuditRow {
  /** Ascending in the order of commits. */
  sequence: number
  at: EpochMs
  /** `cli`, `operator:NAME`, `client:ID`, `key:ID` or `anonymous`. */
  actor: string
  action: AuditAction
  /** Id of what it was done to. */
  subject: string | null
  workspaceId: string | null
  integrationId: string | null
  fromAddress: string | null
  requestId: string | null
  outcome: 'ok' | 'refused'
  /**
   * JSON object, never with a secret in it. `further` = so many refusals more of the minute that
   * has ended then were like this, and have no row of their own.
   */
  detail: string | null
}

/** @throws StoreError */
export function insertAuditRow(control: ControlFile, row: Omit<AuditRow, 'sequence'>): void {
  const sql = `INSERT INTO audit (at, actor, action, subject, workspace_id, integration_id,
    from_address, request_id, outcome, detail) VALUES (@at, @actor, @action, @subject,
    @workspaceId, @integrationId, @fromAddress, @requestId, @outcome, @detail)`
  control.run(sql, row)
}

/** Which rows of the audit log are wanted. */
export interface AuditWish {
  readonly workspaceId?: string | undefined
  readonly action?: AuditAction | undefined
  readonly sinceMs?: EpochMs | undefined
  readonly limit: number
}

/** The newest rows that are wanted, newest first. */
export function listAuditRows(control: ControlFile, wish: AuditWish): AuditRow[] {
  const sql = `SELECT sequence, at, actor, action, subject, workspace_id AS workspaceId,
    integration_id AS integrationId, from_address AS fromAddress, request_id AS requestId, outcome,
    detail FROM audit
    WHERE (@workspaceId IS NULL OR workspace_id = @workspaceId)
      AND (@action IS NULL OR action = @action) AND (@sinceMs IS NULL OR at >= @sinceMs)
    ORDER BY sequence DESC LIMIT @limit`
  const { workspaceId = null, action = null, sinceMs = null, limit } = wish
  return control.all<AuditRow>(sql, { workspaceId, action, sinceMs, limit })
}
