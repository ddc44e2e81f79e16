import type { Sessions } from '../browser/sessions.js'
import type { SignIn } from '../browser/sign-in.js'
import type { PacedQueue } from '../http/paced-queue.js'
import type { EpochMs } from '../instant.js'
import type { IssuerSource } from './issuer.js'
import type { ShownAccount } from './pages/consent-page.js'

/** The parts that the authorization servers answer from. */
export interface OAuthParts extends IssuerSource {
  readonly clock: () => EpochMs
  readonly sessions: Sessions
  readonly signIn: SignIn
  /** The queue of token requests. */
  readonly queue: PacedQueue
  /** The current accounts of a workspace; undefined = they cannot be read at present. */
  readonly accountsOf: (workspaceId: string) => Promise<readonly ShownAccount[] | undefined>
  /** Requests a minute from one address; absent = `ISSUER_REQUESTS_PER_MINUTE_MAX`. */
  readonly requestsPerMinute?: number | undefined
}
