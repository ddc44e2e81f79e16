import type { AdminContext } from '../admin/admin-context.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import type { AccountRow } from '../store/columns.js'
import { openDataDirectory } from '../store/data-directory.js'
import { catalogOf, readWorkspace } from '../store/open-workspace.js'
import { ControlFile } from '../store/sqlite/control-file.js'
import { WorkspacePresence } from '../store/sqlite/workspace-presence.js'
import type { WorkspaceAddress } from '../store/workspace.js'

/** The parts of a command's call that open the data directory. */
interface OpeningCall {
  readonly flags: { readonly 'data-dir': string }
  readonly clock: () => EpochMs
}

/**
 * Calls `use` with the data directory, for the CLI as actor, and closes it.
 * @throws StoreError, and any error of `use`
 */
export async function withAdmin<T>(
  { flags, clock }: OpeningCall,
  use: (admin: AdminContext) => T | Promise<T>,
): Promise<T> {
  const directory = openDataDirectory(flags['data-dir'])
  const control = ControlFile.open(directory.controlPath)
  try {
    return await use({ directory, control, nowMs: clock(), actor: CLI_ACTOR })
  } finally {
    control.close()
  }
}

/**
 * The uid of a workspace's file; null when it cannot be read now.
 * @param accountIds ids that have to exist, as far as the file can be read: a credential for an
 *   unused id would open the account that gets it later; null = all
 * @throws CommandError when the data directory has no such workspace, or the workspace no such
 *   account
 */
export async function requireWorkspace(
  dataDir: string,
  workspaceId: string,
  accountIds: readonly number[] | null,
): Promise<string | null> {
  const catalog = catalogOf(openDataDirectory(dataDir))
  const address = await catalog.find(workspaceId)
  const uid = await catalog.uidOf(workspaceId)
  if (address === undefined || uid === undefined) {
    throw new CommandError(
      'failed',
      `there is no workspace ${JSON.stringify(workspaceId)}; kontor workspaces list shows all`,
    )
  }
  if (uid !== null && accountIds !== null) {
    requireAccounts(await accountsOf(address), workspaceId, accountIds)
  }
  return uid
}

function accountsOf(address: WorkspaceAddress): Promise<AccountRow[]> {
  return readWorkspace(address, (state) => state.accounts())
}

function requireAccounts(
  accounts: readonly AccountRow[],
  workspaceId: string,
  wanted: readonly number[],
): void {
  const known = new Map(
    accounts.map(({ id, name }) => [id, name === null ? `${id}` : `${id} (${name})`]),
  )
  const missing = wanted.find((id) => !known.has(id))
  if (missing === undefined) return
  const listed = Array.from(known.values()).slice(0, ACCOUNTS_LISTED_MAX)
  const more = known.size > listed.length ? ' and others' : ''
  const are = known.size === 1 ? 'its only account is' : 'its accounts are'
  const has = listed.length === 0 ? 'it has none yet' : `${are} ${listed.join(', ')}${more}`
  const fault = `workspace ${workspaceId} has no account ${missing}`
  throw new CommandError('failed', `--accounts: ${fault}; ${has}`)
}

/** Accounts that a message names. */
const ACCOUNTS_LISTED_MAX = 20

/**
 * Returns a predicate of keys and integrations: whether the file they were made for is no longer
 * the workspace's. Reads each file once.
 */
export function orphansOf(
  dataDir: string,
): (row: { readonly workspaceId: string; readonly workspaceUid: string | null }) => boolean {
  // No file is read twice: a listing shows one moment.
  const presence = new WorkspacePresence(openDataDirectory(dataDir), () => 0)
  return ({ workspaceId, workspaceUid }) =>
    workspaceUid !== null && !presence.has(workspaceId, workspaceUid)
}

/** Reads the id of a row, as listed. @throws CommandError usage */
export function readRowId(text: string, what: string, listing: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0
  if (Number.isSafeInteger(id) && id >= 1) return id
  throw new CommandError('usage', `${text} is not a valid ${what} id; ${listing} shows the ids`)
}

/** @throws CommandError when no row was found */
export function requireFound(isFound: boolean, what: string, id: string, listing: string): void {
  if (isFound) return
  throw new CommandError('failed', `there is no ${what} ${id}; ${listing} shows all`)
}
