import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../errors.js'
import { type EpochMs, formatInstant } from '../instant.js'
import { syncPath } from './durable.js'
import { type Manifest, readManifest } from './manifest.js'

// A folder of backups:
//
//   2026-11-22T22-30-00-000Z/     a complete backup; nothing else ever has such a name
//     manifest.json
//     control.db
//     workspaces/acme.db
//   .partial-0123456789abcdef/    being written or deleted, or left by a killed process
//   .lock                         held by the process that writes or deletes
//                                 (store/sqlite/folder-lock.ts)

/** Name of the file by which a folder of backups is locked. */
export const LOCK_NAME = '.lock'

const BACKUP_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/
const PARTIAL_NAME = /^\.partial-[0-9a-f]{16}$/

/** A complete backup in a folder of backups. */
export interface WholeBackup {
  readonly name: string
  readonly path: string
  readonly manifest: Manifest
}

/** The complete backups of a folder, newest name first; folders without a manifest are skipped. */
export function wholeBackups(folder: string): WholeBackup[] {
  return readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name))
    .sort()
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name)
      try {
        return [{ name, path, manifest: readManifest(path) }]
      } catch (error) {
        if (error instanceof CommandError) return []
        throw error
      }
    })
}

/** Creates a folder for a partial backup. @throws the file system's error */
export function makePartial(folder: string): string {
  const path = join(folder, partialName())
  mkdirSync(path, { mode: 0o700 })
  return path
}

/**
 * Renames a partial backup that is complete and on disk to its final name.
 * @param at the start of the backup; the next free millisecond is used
 * @returns its path
 */
export function completePartial(folder: string, partial: string, at: EpochMs): string {
  let freeAt = at
  while (existsSync(join(folder, backupName(freeAt)))) freeAt += 1
  const path = join(folder, backupName(freeAt))
  renameSync(partial, path)
  syncPath(folder)
  return path
}

/** Removes the partial backups of killed processes. Requires the lock of the folder. */
export function removePartials(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => PARTIAL_NAME.test(entry))) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Deletes all backups but the newest. Requires the lock of the folder.
 * @param keep how many stay, at least 1
 * @param newest path of a backup that stays, whatever the clock was when the others were made
 * @returns names of the deleted ones, oldest first
 */
export function rotate(folder: string, keep: number, newest: string): string[] {
  const others = wholeBackups(folder).filter(({ path }) => path !== newest)
  const old = others.slice(keep - 1).reverse()
  for (const { path } of old) {
    // A process killed while deleting leaves nothing that has the name of a complete backup.
    const partial = join(folder, partialName())
    renameSync(path, partial)
    rmSync(partial, { recursive: true, force: true })
  }
  if (old.length > 0) syncPath(folder)
  return old.map(({ name }) => name)
}

function partialName(): string {
  return `.partial-${randomBytes(8).toString('hex')}`
}

/** No colons: some file systems and `scp` refuse them. */
function backupName(at: EpochMs): string {
  return formatInstant(at).replaceAll(/[:.]/g, '-')
}
