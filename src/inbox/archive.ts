import { chmod, chown, lstat, unlink, writeFile } from 'node:fs/promises'
import { type EpochMs, formatInstant } from '../instant.js'
import { StoreError } from '../store/store-error.js'
import { escapedLines } from '../text/escaped.js'
import type { Claim } from './claim.js'
import { reasonForFolder } from './folder-reason.js'
import { ARCHIVES } from './found-files.js'
import { causeOf, codeOf, type HeldFolder, ignoreForbidden } from './held-folder.js'
import type { ImportResult } from './imports.js'

/** Creates the folders that files are moved to, before a file is claimed. @throws StoreError */
export async function makeArchives(folder: HeldFolder): Promise<void> {
  for (const name of ARCHIVES) {
    try {
      await (await folder.madeFolder(name)).close()
    } catch (error) {
      throw new StoreError(`its folder ${name} cannot be used: ${causeOf(error)}`)
    }
  }
}

/** The result of an import that stored nothing. */
export type FailedResult = Exclude<ImportResult, { readonly kind: 'done' }>

/**
 * Moves an imported file to `done/YYYY-MM/` of its workspace's folder.
 * @param nowMs the month is that of this instant, UTC
 * @returns the path below the folder
 */
export async function moveToDone(
  folder: HeldFolder,
  claim: Claim,
  nowMs: EpochMs,
): Promise<string> {
  const month = formatInstant(nowMs).slice(0, 7)
  const done = await folder.folder('done')
  try {
    const into = await done.madeFolder(month)
    try {
      return `done/${month}/${await claim.moveTo(into)}`
    } finally {
      await into.close()
    }
  } finally {
    await done.close()
  }
}

/**
 * Moves a file that failed to `failed/`, next to a text with the reason.
 * @param reason the text next to it: the reason, and the remedy
 * @returns the path below the folder
 */
export async function moveToFailed(
  folder: HeldFolder,
  claim: Claim,
  reason: string,
): Promise<string> {
  const failed = await folder.folder('failed')
  try {
    let written: string | undefined
    const name = await claim.moveTo(failed, async (candidate) => {
      // Deletes the text of an earlier candidate, whose own name was taken.
      if (written !== undefined) await unlink(failed.at(written))
      written = undefined
      const path = failed.at(`${candidate}.txt`)
      if (!(await isCreated(path, reason))) return false
      written = `${candidate}.txt`
      // The reason gets the file's group and mode; the service's umask would hide it from the
      // sender.
      const { uid } = await lstat(path)
      await chown(path, uid, claim.group).catch(ignoreForbidden)
      await chmod(path, claim.mode & 0o666).catch(ignoreForbidden)
      return true
    })
    return `failed/${name}`
  } finally {
    await failed.close()
  }
}

async function isCreated(path: string | Buffer, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Control characters, line ends and direction marks, with which a name could forge lines. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A name that is safe to show in messages and texts. */
export function shownName(name: string): string {
  return name.replace(UNSHOWN, '�')
}

/** The text next to a file in `failed/`: the reason of the failure, and the remedy. */
export function reasonText(
  { name, workspaceId, nowMs }: { name: string; workspaceId: string; nowMs: EpochMs },
  result: FailedResult,
): string {
  const isCancelled = result.kind === 'cancelled'
  const why = isCancelled ? `the import was cancelled by ${result.by}` : result.reason
  return [
    `${shownName(name)} was not imported (${formatInstant(nowMs)}). Nothing of it was stored.`,
    `Why: ${escapedLines(reasonForFolder(why)).replace(/\.$/, '')}.`,
    'What to do: correct the file, or import.json in the folder of the workspace, and move the\n' +
      `file back to the folder ${workspaceId}. Then delete this text.`,
    'import.json gives the options of the files in its folder, for example\n' +
      '{"account": "DE02120300000000202051", "currency": "EUR", "lenient": true}',
    '',
  ].join('\n\n')
}
