import type { Actor, AuditAction } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import { type AuditRow, insertAuditRow } from '../store/audit-rows.js'
import type { Work } from '../store/work.js'
import { appendAnonymous, appendRefresh, appendRefusal } from './refusals.js'
import { withoutSecrets } from './secret.js'

/** Characters of a text in the audit log; longer ones, a caller's above all, are cut. */
export const AUDIT_TEXT_CHARS_MAX = 500

type DetailValue = string | number | boolean | null

/** Further facts, in addition to actor, time and action. */
type AuditDetail = Readonly<Record<string, DetailValue | readonly DetailValue[]>>

/** An action that was done, or refused. */
export interface AuditEvent {
  readonly action: AuditAction
  /** Id of the object of the action; a number is written as text. */
  readonly subject?: string | number | undefined
  readonly workspaceId?: string | undefined
  readonly integrationId?: string | undefined
  /** Absent = `ok`. */
  readonly outcome?: 'ok' | 'refused' | undefined
  readonly detail?: AuditDetail | undefined
}

/**
 * Appends an event to the audit log, in one transaction with the change it records, so that neither
 * exists without the other; of many similar refusals or refreshes only some ({@link appendRefusal},
 * {@link appendRefresh}). Text that looks like a credential is removed, and long texts are cut.
 */
export function* appendAudit(actor: Actor, at: EpochMs, event: AuditEvent): Work<void> {
  const row: Omit<AuditRow, 'sequence'> = {
    at,
    actor: tidied(actor.who),
    action: event.action,
    subject: event.subject === undefined ? null : tidied(String(event.subject)),
    workspaceId: event.workspaceId ?? null,
    integrationId: event.integrationId ?? null,
    fromAddress: actor.address,
    requestId: actor.requestId === null ? null : tidied(actor.requestId),
    outcome: event.outcome ?? 'ok',
    detail: event.detail === undefined ? null : JSON.stringify(event.detail, tidiedValue),
  }
  if (row.outcome === 'refused' && row.fromAddress !== null) yield* appendRefusal(row)
  else if (row.actor === 'anonymous') yield* appendAnonymous(row)
  else if (row.action === 'token.refresh' && row.outcome === 'ok') yield* appendRefresh(row)
  else yield* insertAuditRow(row)
}

function tidiedValue(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? tidied(value) : value
}

function tidied(text: string): string {
  const known = withoutSecrets(text)
  return known.length > AUDIT_TEXT_CHARS_MAX ? `${known.slice(0, AUDIT_TEXT_CHARS_MAX)}…` : known
}
