import type { EpochMs } from '../instant.js'
import { searchAudit } from './audit-log.js'
import type { AuditContext } from './audited-change.js'

/** Sign-ins that are examined: those of a month, and of guessers in between. */
const EXAMINED_MAX = 500

/** Sign-ins of the operator, and of operators with a similar name, that are read. */
const READ_MAX = 20

/** An operator, and the moment of the sign-in whose predecessor is asked for. */
export interface VisitOperator {
  readonly operatorId: number
  readonly operatorName: string
  readonly beganAtMs: EpochMs
}

/**
 * When the operator signed in the last time before this session: the audit log says it, because an
 * ended session is deleted. Undefined = for the first time, or too long ago for a bounded search.
 */
export async function lastVisitMs(
  context: AuditContext,
  { operatorId, operatorName, beganAtMs }: VisitOperator,
): Promise<EpochMs | undefined> {
  const { rows } = await searchAudit(
    context,
    {
      ...{ action: 'session.begin', outcome: 'ok', actor: `operator:${operatorName}` },
      untilMs: beganAtMs + 1,
    },
    { limit: READ_MAX, scannedMax: EXAMINED_MAX },
  )
  // The newest one began this session.
  return rows.filter(({ subject }) => subject === String(operatorId))[1]?.at
}
