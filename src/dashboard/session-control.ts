import type { AuditContext } from '../admin/audited-change.js'
import type { DashboardParts } from './parts.js'

/** A session ended between the look at it and the transaction, which wrote nothing. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError'
}

/**
 * Control data for what one session does. The session is looked at again in each transaction:
 * other transactions may have run since the request was admitted. Rejects with SessionEndedError.
 * @param cookies the Cookie field of the request
 */
export function controlOfSession(
  { control, sessions }: Pick<DashboardParts, 'control' | 'sessions'>,
  cookies: string,
): AuditContext['control'] {
  return {
    look: (work) => control.look(work),
    alone: (work) =>
      control.alone(function* () {
        if ((yield* sessions.current(cookies)) === undefined) throw new SessionEndedError()
        return yield* work()
      }),
  }
}
