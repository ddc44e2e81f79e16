import { type AuditEvent, appendAudit } from '../auth/audit.js'
import type { Actor, AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import type { Work } from '../store/work.js'

/** The store, moment and actor of a change of control data. */
export interface AuditContext {
  readonly control: Pick<ControlStore, 'look' | 'alone'>
  readonly nowMs: EpochMs
  readonly actor: Actor
}

/** The moment and actor of a change that is a part of other work. */
export type ChangeContext = Pick<AuditContext, 'nowMs' | 'actor'>

/** Runs `write` in one transaction with the audit events that it records. */
export function audited<T>(
  context: AuditContext,
  write: (record: (event: AuditEvent) => Work<void>) => Work<T>,
): Promise<T> {
  const { control, nowMs, actor } = context
  return control.alone(() => write((event) => appendAudit(actor, nowMs, event)))
}

type Fields = Omit<AuditEvent, 'action'>

/** The parts of a change of one row. `Key` identifies the row, and may hold its new values. */
export interface AuditedChangeParts<Key, Row> {
  readonly action: AuditAction
  readonly find: (key: Key) => Work<Row | undefined>
  /** Whether the change was made before: it is neither written nor recorded again then. */
  readonly isDone?: (row: Row) => boolean
  readonly write: (key: Key, nowMs: EpochMs) => Work<unknown>
  /** The rest of the audit event; read before the change is written. */
  readonly fieldsOf: (row: Row, key: Key) => Fields | Work<Fields>
}

/** A function that changes one row. @returns whether there is such a row */
export type AuditedChange<Key> = (context: AuditContext, key: Key) => Promise<boolean>

/** Makes the function of a change that is written and recorded in one transaction. */
export function auditedChange<Key, Row>(parts: AuditedChangeParts<Key, Row>): AuditedChange<Key> {
  return (context, key) => context.control.alone(() => changeRow(parts, context, key))
}

/** The same change as a part of other work. @returns whether there is such a row */
export function* changeRow<Key, Row>(
  { action, find, isDone, write, fieldsOf }: AuditedChangeParts<Key, Row>,
  { nowMs, actor }: ChangeContext,
  key: Key,
): Work<boolean> {
  const row = yield* find(key)
  if (row === undefined) return false
  if (isDone?.(row) === true) return true
  const found = fieldsOf(row, key)
  const fields = Symbol.iterator in found ? yield* found : found
  yield* write(key, nowMs)
  yield* appendAudit(actor, nowMs, { action, ...fields })
  return true
}
