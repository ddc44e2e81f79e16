import { type AuditEvent, appendAudit } from '../auth/audit.js'
import type { Actor, AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/sqlite/control-file.js'

/** The file, moment and actor of a change of control.db. */
export interface AuditContext {
  readonly control: ControlFile
  readonly nowMs: EpochMs
  readonly actor: Actor
}

/** Runs `write` in one transaction with the audit events that it records. */
export function audited<T>(
  { control, nowMs, actor }: AuditContext,
  write: (record: (event: AuditEvent) => void) => T,
): T {
  return control.atomically(() => write((event) => appendAudit(control, actor, nowMs, event)))
}

/** The parts of a change of one row. `Key` identifies the row, and may hold its new values. */
interface ChangeParts<Key, Row> {
  readonly action: AuditAction
  readonly find: (control: ControlFile, key: Key) => Row | undefined
  /** Whether the change was made before: it is neither written nor recorded again then. */
  readonly isDone?: (row: Row) => boolean
  readonly write: (control: ControlFile, key: Key, nowMs: EpochMs) => void
  /** The rest of the audit event; read before the change is written. */
  readonly fieldsOf: (row: Row, control: ControlFile, key: Key) => Omit<AuditEvent, 'action'>
}

/** A function that changes one row. @returns whether there is such a row */
export type AuditedChange<Key> = (context: AuditContext, key: Key) => boolean

/** Makes the function of a change that is written and recorded in one transaction. */
export function auditedChange<Key, Row>(parts: ChangeParts<Key, Row>): AuditedChange<Key> {
  const { action, find, isDone, write, fieldsOf } = parts
  return (context, key) =>
    audited(context, (record) => {
      const { control, nowMs } = context
      const row = find(control, key)
      if (row === undefined) return false
      if (isDone?.(row) === true) return true
      const fields = fieldsOf(row, control, key)
      write(control, key, nowMs)
      record({ action, ...fields })
      return true
    })
}
