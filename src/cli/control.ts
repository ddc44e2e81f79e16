import type { AdminContext } from '../admin/admin-context.js'
import { unconfirmedText } from '../admin/confirmation.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import type { AccountRow } from '../store/columns.js'
import { openStore } from '../store/open-store.js'
import { readWorkspace } from '../store/open-workspace.js'
import type { Store } from '../store/store.js'
import type { WorkspaceAddress } from '../store/workspace.js'
import { programVersion } from './program-version.js'
import type { Output } from './terminal.js'

/** The parts of a command's call that are needed to open the store. */
interface OpeningCall {
  readonly flags: { readonly 'data-dir': string; readonly store: string | undefined }
  readonly clock: () => EpochMs
  readonly stderr: Pick<Output, 'write'>
}

/** How a store is opened for a command. */
interface Opening {
  /** Whether the command may be the first one in a new data directory. */
  readonly makesDirectory?: boolean
}

/**
 * Calls `use` with the store that the flags select, and closes it. Waits until every node has
 * confirmed the change, or prints a warning that names the others.
 * @throws StoreError, and any error of `use`
 */
export async function withStore<T>(
  { flags, clock, stderr }: OpeningCall,
  use: (store: Store) => Promise<T>,
  opening: Opening = {},
): Promise<T> {
  const { 'data-dir': dataDir, store: url } = flags
  const store = await openStore({ dataDir, url, program: programVersion(), clock, ...opening })
  try {
    const result = await use(store)
    const warning = unconfirmedText(await store.confirmed())
    if (warning !== undefined) await stderr.write(`kontor: ${warning}\n`)
    return result
  } finally {
    await store.close()
  }
}

/** The context for functions of admin/, with the CLI as actor and the present time. */
export function adminOf(store: Store): AdminContext {
  const { catalog, control, directory } = store
  return { catalog, control, directory, nowMs: store.clock(), actor: CLI_ACTOR }
}

/** Calls `use` with the store for the CLI as actor. @throws StoreError, and any error of `use` */
export function withAdmin<T>(
  call: OpeningCall,
  use: (admin: AdminContext) => T | Promise<T>,
): Promise<T> {
  return withStore(call, async (store) => use(adminOf(store)))
}

/**
 * Refuses `--store`, for commands that need a data directory.
 * @param sentence what the command does, and the program that does so for a database
 * @throws CommandError usage
 */
export function refuseStore(flags: OpeningCall['flags'], sentence: string): void {
  if (flags.store !== undefined) throw new CommandError('usage', `--store: ${sentence}`)
}

/**
 * The uid of a workspace; null when its file cannot be read now.
 * @param accountIds ids that have to exist, as far as the file can be read: a credential for an
 *   unused id would open the account that gets it later; null = all
 * @throws CommandError when there is no such workspace, or the workspace has no such account
 */
export async function requireWorkspace(
  { catalog }: Pick<Store, 'catalog'>,
  workspaceId: string,
  accountIds: readonly number[] | null,
): Promise<string | null> {
  const address = await catalog.find(workspaceId)
  const uid = await catalog.uidOf(workspaceId)
  if (address === undefined || uid === undefined) throw noWorkspace(workspaceId)
  if (uid !== null && accountIds !== null) {
    requireAccounts(await accountsOf(address), workspaceId, accountIds)
  }
  return uid
}

/** The error about a missing workspace. */
export function noWorkspace(workspaceId: string): CommandError {
  const named = JSON.stringify(workspaceId)
  return new CommandError(
    'failed',
    `there is no workspace ${named}; kontor workspaces list shows all`,
  )
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

/** The workspace of a key or an integration. */
interface Bound {
  readonly workspaceId: string
  /** null = it is not bound to a workspace yet. */
  readonly workspaceUid: string | null
}

/**
 * Finds keys and integrations whose workspace was deleted or replaced. Reads each workspace once,
 * so that a listing is consistent.
 */
export async function orphansAmong(
  { catalog }: Pick<Store, 'catalog'>,
  rows: readonly Bound[],
): Promise<(row: Bound) => boolean> {
  const bound = rows.filter(({ workspaceUid }) => workspaceUid !== null)
  const uids = new Map<string, string | null | undefined>()
  for (const workspaceId of new Set(bound.map((row) => row.workspaceId))) {
    uids.set(workspaceId, await catalog.uidOf(workspaceId))
  }
  return ({ workspaceId, workspaceUid }) => {
    const uid = uids.get(workspaceId)
    return workspaceUid !== null && uid !== null && uid !== workspaceUid
  }
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
