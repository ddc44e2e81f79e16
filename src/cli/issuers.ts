import type { Sessions } from '../browser/sessions.js'
import type { SignIn } from '../browser/sign-in.js'
import type { Handler } from '../http/engine/exchange.js'
import { PacedQueue } from '../http/paced-queue.js'
import type { ShownAccount } from '../oauth/pages/consent-page.js'
import { createIssuerAnswers } from '../oauth/routes.js'
import type { ControlStore } from '../store/control-store.js'
import { type DataDirectory, workspacePath } from '../store/data-directory.js'
import { WorkspaceFile } from '../store/sqlite/workspace-file.js'
import { WorkspacePresence } from '../store/sqlite/workspace-presence.js'
import { StoreError } from '../store/store-error.js'
import type { ServiceOptions } from './service-options.js'

/**
 * Time from one token request to the next: reads run in between, however many ask for tokens. The
 * 450 or so a second that remain are four times the refreshes of 100,000 tokens of a quarter of an
 * hour.
 */
const TOKEN_REST_MS = 2

/** The parts that the authorization servers share with the rest of the service. */
interface IssuerParts {
  readonly control: ControlStore
  readonly sessions: Sessions
  readonly signIn: SignIn
}

/** The authorization servers of a data directory. @returns by path, the handler; or undefined */
export function openIssuers(
  directory: DataDirectory,
  parts: IssuerParts,
  { baseUrl, clock, issuerRequestsPerMinute }: ServiceOptions,
): (path: string) => Handler | undefined {
  const presence = new WorkspacePresence(directory, () => performance.now())
  return createIssuerAnswers({
    ...{ ...parts, baseUrl, clock, queue: new PacedQueue(TOKEN_REST_MS) },
    workspaceExists: (workspaceId, uid) => presence.has(workspaceId, uid),
    accountsOf: (workspaceId) => shownAccounts(directory, workspaceId),
    requestsPerMinute: issuerRequestsPerMinute,
  })
}

/** From the file, so that the workspace need not be loaded; undefined = it cannot be read now. */
function shownAccounts(
  directory: DataDirectory,
  workspaceId: string,
): readonly ShownAccount[] | undefined {
  let file: WorkspaceFile | undefined
  try {
    file = WorkspaceFile.openForReading(workspacePath(directory, workspaceId), 0)
    return file.accounts().map(({ id, name, iban }) => ({ id, name, iban }))
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  } finally {
    file?.close()
  }
}
