import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../errors.js'
import { type Cache, cacheFault } from '../snapshot/cache.js'
import {
  cachePath,
  type DataDirectory,
  workspaceExists,
  workspaceIds,
} from '../store/data-directory.js'
import type { BoundCredential } from '../store/sqlite/inspected-file.js'
import { type CheckedFile, checkFile } from './check-file.js'
import { checkPermissions } from './check-permissions.js'
import type { CheckFinding } from './finding.js'

/** The directory to check, and the surroundings of the check. */
export interface CheckOptions {
  readonly directory: DataDirectory
  /** layoutVersion() of this program. */
  readonly layout: string
  /** Called with the path of each file before it is read in full. */
  readonly onFile: (path: string) => void
}

/**
 * Checks everything in a data directory, also while a service uses it, and changes nothing: each
 * SQLite file in full, the files that credentials were made for, the cache, the remains of
 * interrupted processes, and permissions. Yields one finding `ok` for each part without another.
 */
export function* checkDirectory(options: CheckOptions): Generator<CheckFinding> {
  const { directory, onFile } = options
  const uids = new Map<string, string | undefined>()
  for (const id of workspaceIds(directory)) {
    const path = `workspaces/${id}.db`
    onFile(path)
    const checked = checkFile(directory, path)
    uids.set(id, checked.uid)
    yield* checked.findings
  }
  yield* checkControl(options, uids)
  yield* checkLogs(directory, uids)
  yield* okUnlessAny(checkCache(options, uids), 'cache', 'all snapshot files are valid')
  yield* checkUploads(directory)
  yield* okUnlessAny(checkPermissions(directory), 'permissions', 'accessible to the owner only')
}

/** Workspace id -> uid of its file; undefined = it cannot be read. */
type Uids = ReadonlyMap<string, string | undefined>

function* checkControl({ directory, onFile }: CheckOptions, uids: Uids): Generator<CheckFinding> {
  const subject = 'control.db'
  if (!existsSync(directory.controlPath)) {
    const advice = 'kontor serve creates it; if there were keys, restore it from a backup'
    yield { level: 'warn', subject, what: 'is missing, so there are no keys', advice }
    return
  }
  onFile(subject)
  const checked: CheckedFile = checkFile(directory, subject)
  yield* checked.findings
  for (const credential of checked.credentials) {
    const what = orphanage(credential, uids)
    // A workspace that was created after the others were listed.
    const isNew =
      !uids.has(credential.workspaceId) && workspaceExists(directory, credential.workspaceId)
    if (what !== undefined && !isNew) yield orphanFinding(credential, what)
  }
}

function orphanage({ workspaceId, workspaceUid }: BoundCredential, uids: Uids): string | undefined {
  if (!uids.has(workspaceId)) return `the file of workspace ${workspaceId} is missing`
  const uid = uids.get(workspaceId)
  if (workspaceUid === null || uid === undefined || uid === workspaceUid) return undefined
  return `it was created for another file of workspace ${workspaceId}`
}

function orphanFinding({ kind, id, name }: BoundCredential, why: string): CheckFinding {
  const revoke =
    kind === 'key' ? `kontor keys revoke ${id}` : `kontor integrations deactivate ${id}`
  return {
    level: 'warn',
    subject: `${kind} ${id}`,
    what: `${JSON.stringify(name)} gives no access: ${why}`,
    advice: `restore that file, or run ${revoke}`,
  }
}

/** SQLite would apply a leftover WAL to any later file of that name. */
function* checkLogs(directory: DataDirectory, uids: Uids): Generator<CheckFinding> {
  for (const name of readdirSync(join(directory.path, 'workspaces'))) {
    const id = /^(.*)\.db-wal$/.exec(name)?.[1]
    if (id === undefined || uids.has(id)) continue
    const subject = `workspaces/${name}`
    yield {
      level: 'warn',
      subject,
      what: 'is the write-ahead log of a missing file',
      advice: `unless you want to restore ${id}.db, ${removal(directory, subject)}`,
    }
  }
}

function* checkCache({ directory, layout }: CheckOptions, uids: Uids): Generator<CheckFinding> {
  if (!existsSync(directory.cachePath)) return
  for (const name of readdirSync(directory.cachePath).sort()) {
    const what = cacheFaultOf({ directory, layout, name }, uids)
    if (what === undefined) continue
    const advice = `kontor serve replaces it; or ${removal(directory, `cache/${name}`)}`
    yield { level: 'warn', subject: `cache/${name}`, what, advice }
  }
}

function cacheFaultOf(
  { directory, layout, name }: Pick<CheckOptions, 'directory' | 'layout'> & { name: string },
  uids: Uids,
): string | undefined {
  if (name.endsWith('.part')) return 'is incomplete: it is being written, or its process was killed'
  const id = /^(.*)\.frozen$/.exec(name)?.[1]
  if (id === undefined) return undefined
  if (!uids.has(id)) return `belongs to the missing workspace ${id}`
  const uid = uids.get(id)
  if (uid === undefined) return undefined
  const cache: Cache = { path: cachePath(directory, id), layout }
  const fault = cacheFault(cache, uid)
  return fault === undefined ? undefined : `cannot be used: ${fault}`
}

function* checkUploads(directory: DataDirectory): Generator<CheckFinding> {
  if (!existsSync(directory.uploadsPath)) return
  let count: number
  try {
    count = readdirSync(directory.uploadsPath).length
  } catch (error) {
    const advice = `chown it to the user that runs the service`
    yield { level: 'warn', subject: 'uploads', what: messageOf(error), advice }
    return
  }
  if (count === 0) return
  yield {
    level: 'warn',
    subject: 'uploads',
    what: `contains ${count} bank files: they are being imported, or their import was interrupted`,
    advice: 'the next start of kontor serve deletes them; import them again',
  }
}

function removal(directory: DataDirectory, path: string): string {
  return `rm '${join(directory.path, path)}'`
}

function* okUnlessAny(
  findings: Iterable<CheckFinding>,
  subject: string,
  what: string,
): Generator<CheckFinding> {
  let count = 0
  for (const finding of findings) {
    count += 1
    yield finding
  }
  if (count === 0) yield { level: 'ok', subject, what }
}
