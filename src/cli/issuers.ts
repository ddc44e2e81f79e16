import type { Sessions } from '../browser/sessions.js'
import type { SignIn } from '../browser/sign-in.js'
import type { Handler } from '../http/engine/exchange.js'
import { PacedQueue } from '../http/paced-queue.js'
import type { ShownAccount } from '../oauth/pages/consent-page.js'
import { createIssuerAnswers } from '../oauth/routes.js'
import type { ControlStore } from '../store/control-store.js'
import { readWorkspace } from '../store/open-workspace.js'
import { StoreError } from '../store/store-error.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import type { ServiceOptions } from './service-options.js'

/**
 * Time from one token request to the next: reads run in between, however many ask for tokens. The
 * 450 or so a second that remain are four times the refreshes of 100,000 tokens of a quarter of an
 * hour.
 */
const TOKEN_REST_MS = 2

/** The parts that the authorization servers share with the rest of the service. */
interface IssuerParts {
  readonly catalog: WorkspaceCatalog
  readonly control: ControlStore
  readonly sessions: Sessions
  readonly signIn: SignIn
}

/** The authorization servers of all workspaces. @returns the handler of a path, or undefined */
export function openIssuers(
  { catalog, ...parts }: IssuerParts,
  { baseUrl, clock, issuerRequestsPerMinute }: ServiceOptions,
): (path: string) => Handler | undefined {
  return createIssuerAnswers({
    ...{ ...parts, baseUrl, clock, queue: new PacedQueue(TOKEN_REST_MS) },
    workspaceExists: (workspaceId, uid) => catalog.has(workspaceId, uid),
    accountsOf: (workspaceId) => shownAccounts(catalog, workspaceId),
    requestsPerMinute: issuerRequestsPerMinute,
  })
}

/** Without loading the workspace; undefined = it cannot be read now. */
async function shownAccounts(
  catalog: WorkspaceCatalog,
  workspaceId: string,
): Promise<readonly ShownAccount[] | undefined> {
  try {
    const address = await catalog.find(workspaceId)
    if (address === undefined) return undefined
    const accounts = await readWorkspace(address, (state) => state.accounts(), { busyTimeoutMs: 0 })
    return accounts.map(({ id, name, iban }) => ({ id, name, iban }))
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}
