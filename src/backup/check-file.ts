import { join } from 'node:path'
import { messageOf } from '../errors.js'
import type { DataDirectory } from '../store/data-directory.js'
import {
  type BoundCredential,
  type FileState,
  InspectedFile,
  logBytesOf,
  newestSchemaVersion,
} from '../store/sqlite/inspected-file.js'
import { StoreError } from '../store/store-error.js'
import type { CheckFinding } from './finding.js'
import { kindOf } from './manifest.js'

/**
 * A write-ahead log past this size is reported: that of control.db is held to half of it, and
 * SQLite resets any other at a few megabytes unless a reader prevents it.
 */
export const LOG_BYTES_LARGE = 256_000_000

/** The result of checking one file. */
export interface CheckedFile {
  readonly findings: readonly CheckFinding[]
  /** Of a workspace file that can be read. */
  readonly uid: string | undefined
  /** Of a control.db that can be read. */
  readonly credentials: readonly BoundCredential[]
}

/**
 * Checks a SQLite file in full; changes nothing.
 * @param path below the data directory: `control.db`, `workspaces/<id>.db`
 */
export function checkFile(directory: DataDirectory, path: string): CheckedFile {
  const absolute = join(directory.path, path)
  let uid: string | undefined
  let credentials: readonly BoundCredential[] = []
  const findings: CheckFinding[] = []
  try {
    const file = InspectedFile.open(absolute, kindOf(path))
    try {
      file.consistently(() => {
        findings.push(...faultsOf(file, path))
        const state = file.state()
        const isWhole = findings.every(({ level }) => level !== 'fail')
        if (isWhole) findings.unshift(whole(file, path, state))
        uid = state.uid
        const isNewest = state.schemaVersion === newestSchemaVersion(file.kind)
        if (file.kind === 'control' && isNewest) credentials = file.credentialsInForce()
      })
    } finally {
      file.close()
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const message = messageOf(error).replace(`${absolute}: `, '')
    const [, what = message, advice = REPLACE] = HEALTHY.exec(message) ?? []
    findings.push({ level: 'fail', subject: path, what, advice })
  }
  return { findings, uid, credentials }
}

/** A message on a file that may be healthy: replacing it by a backup would lose newer rows. */
const HEALTHY = /^(.*); (use a newer version of kontor|check its permissions|try again later)$/

const REPLACE =
  'stop the service, move the file away with its -wal and -shm, and copy it from a backup'

function whole({ kind }: InspectedFile, path: string, state: FileState): CheckFinding {
  const { schemaVersion, sequence, rows } = state
  const count =
    kind === 'workspace'
      ? `${rows['accounts']} accounts, ${rows['transactions']} transactions, sequence ${sequence}`
      : `${rows['api_keys']} keys`
  const what = `SQLite's integrity check passed; schema ${schemaVersion}, ${count}`
  return { level: 'ok', subject: path, what }
}

function* faultsOf(file: InspectedFile, subject: string): Generator<CheckFinding> {
  for (const what of file.integrityFaults()) {
    yield { level: 'fail', subject, what: `is damaged: ${what}`, advice: REPLACE }
  }
  for (const object of file.missingObjects()) {
    yield { level: 'fail', subject, what: `has no ${object}`, advice: REPLACE }
  }
  for (const { table, parent, count } of file.danglingRows()) {
    const what = `${count} rows of ${table} refer to missing rows of ${parent}`
    const advice =
      'PRAGMA foreign_key_check lists them: fix or delete them, ' +
      'and write with PRAGMA foreign_keys = ON'
    yield { level: 'fail', subject, what, advice }
  }
  const known = newestSchemaVersion(file.kind)
  if (file.schemaVersion() < known) {
    const what = `has schema ${file.schemaVersion()}; this version of kontor uses ${known}`
    yield { level: 'warn', subject, what, advice: 'kontor serve migrates it at its next start' }
  } else if (file.kind === 'workspace' && !file.isChangeLogWhole()) {
    const what = 'the table "changes" has a gap, or ends before the last change'
    const advice =
      'no action needed, the service reloads the file; no program should write to that table'
    yield { level: 'warn', subject, what, advice }
  }
  const logBytes = logBytesOf(file.path)
  if (logBytes >= LOG_BYTES_LARGE) {
    const what = `its write-ahead log has ${Math.round(logBytes / 1_000_000)} MB`
    const advice =
      'a program holds an old read transaction open; end it, and SQLite truncates the log when ' +
      'the last program closes the file'
    yield { level: 'warn', subject, what, advice }
  }
}
