import { createHmac, timingSafeEqual } from 'node:crypto'
import { type EpochMs, formatInstant } from '../instant.js'
import { type AuditRow, insertAuditRow } from '../store/audit-rows.js'
import {
  auditKey,
  deleteOldestAuditRows,
  type OldestAuditRows,
  oldestAuditRows,
} from '../store/audit-trim-rows.js'
import type { Work } from '../store/work.js'
import type { AuditContext } from './audited-change.js'

/**
 * Removes the older rows of the audit log, and leaves one with their count per action, their period
 * and the actor of the removal; signed, so that a change of it is detected.
 * @returns the removed counts; undefined when no row is older, and nothing is written then
 * @throws StoreError
 */
export function trimAudit(
  { control, nowMs: at, actor }: AuditContext,
  beforeMs: EpochMs,
): Promise<OldestAuditRows | undefined> {
  return control.alone(function* () {
    const trimmed = yield* oldestAuditRows(beforeMs)
    if (trimmed === undefined) return undefined
    const { rowCount, last, actions } = trimmed
    const summary = {
      before: formatInstant(beforeMs),
      ...{ rows: rowCount, last },
      from: formatInstant(trimmed.firstAt),
      to: formatInstant(trimmed.lastAt),
      actions,
    }
    const signature = yield* signatureOf({ at, actor: actor.who, summary })
    yield* insertAuditRow({
      ...{ at, actor: actor.who, action: 'audit.trim', outcome: 'ok' },
      ...{ subject: null, workspaceId: null, integrationId: null },
      ...{ fromAddress: actor.address, requestId: actor.requestId },
      detail: JSON.stringify({ ...summary, signature }),
    })
    yield* deleteOldestAuditRows(last)
    return trimmed
  })
}

/** Whether the row of a trim is unchanged since {@link trimAudit} of this control.db wrote it. */
export async function isTrimGenuine(
  { control }: Pick<AuditContext, 'control'>,
  { at, actor, detail }: Pick<AuditRow, 'at' | 'actor' | 'detail'>,
): Promise<boolean> {
  // The file accepts only JSON, and members keep their order.
  const { signature, ...summary } = JSON.parse(detail ?? '{}') as Record<string, unknown>
  if (typeof signature !== 'string') return false
  const expected = Buffer.from(await control.look(() => signatureOf({ at, actor, summary })))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function* signatureOf(event: {
  readonly at: EpochMs
  readonly actor: string
  readonly summary: object
}): Work<string> {
  return createHmac('sha256', yield* auditKey())
    .update(JSON.stringify(event))
    .digest('hex')
}
