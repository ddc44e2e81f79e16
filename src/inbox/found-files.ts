import { type BigIntStats, constants } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import type { EpochMs } from '../instant.js'
import { stampOf } from '../threads/import-task.js'
import { codeOf, type HeldFolder } from './held-folder.js'

/** Entries of a folder that one scan reads: a folder with more is hostile. */
const ENTRIES_MAX = 100_000

/** Files of a folder that one scan keeps; the others follow when these are imported. */
const FILES_MAX = 1_000

/** Names of misplaced entries that one notice lists. */
const REPORTED_NAMES_MAX = 10

/** A folder with the file of one import; see claim.ts. */
export const CLAIM_PREFIX = '.claimed-'

/** The options of a folder's files; see import-settings.ts. */
export const SETTINGS_NAME = 'import.json'

/** Folders of imported files, and of those that failed. */
export const ARCHIVES: readonly string[] = ['done', 'failed']

/** Suffixes of the names of unfinished files, in lower case. */
const PARTIAL_ENDS = ['.part', '.partial', '.filepart', '.tmp', '.crdownload', '.download', '~']

/** A bank file in a folder. */
export interface FoundFile {
  /** The bytes of its name, which need not be UTF-8. */
  readonly raw: Buffer
  /** Its name as text, decoded as UTF-8 or else as Latin-1. */
  readonly name: string
  readonly bytes: number
  /** Equal as long as the file is neither written nor replaced. */
  readonly stamp: string
  /** The last write, by the clock of its file system. */
  readonly writtenAtMs: EpochMs
  /** The last write, rename or change of permissions, by the same clock. */
  readonly changedAtMs: EpochMs
}

/** The relevant entries of a workspace's folder. */
export interface FolderListing {
  /** Regular files without the suffix of unfinished ones, the oldest first. */
  readonly files: readonly FoundFile[]
  /** Names of the folders of claims. */
  readonly claims: readonly string[]
  /** Whether an import.json exists, of any kind: its options must not be ignored silently. */
  readonly hasSettings: boolean
  /** Names of the first links, folders and devices, which are not imported. */
  readonly irregular: readonly string[]
}

/** Lists a workspace's folder. @throws the file system's error */
export async function listFolder(folder: HeldFolder): Promise<FolderListing> {
  const files: FoundFile[] = []
  const claims: string[] = []
  const irregular: string[] = []
  let hasSettings = false
  for await (const { raw, name, isFile, isFolder } of entriesOf(folder)) {
    if (name === SETTINGS_NAME) hasSettings = true
    else if (isFolder && name.startsWith(CLAIM_PREFIX)) claims.push(name)
    else if (isPartial(name) || (isFolder && ARCHIVES.includes(name))) continue
    else if (!isFile) irregular.push(name)
    else if (files.length < FILES_MAX) {
      const found = await fileAt(folder, raw, name)
      if (found !== undefined) files.push(found)
    }
  }
  files.sort((a, b) => a.writtenAtMs - b.writtenAtMs || (a.name < b.name ? -1 : 1))
  return { files, claims, hasSettings, irregular: irregular.slice(0, REPORTED_NAMES_MAX) }
}

/** Names of the folders in a folder, and of its other entries; hidden ones are left out. */
export async function listRoot(
  root: HeldFolder,
): Promise<{ readonly folders: readonly string[]; readonly others: readonly string[] }> {
  const folders: string[] = []
  const others: string[] = []
  for await (const { name, isFolder } of entriesOf(root)) {
    if (isPartial(name)) continue
    if (isFolder) folders.push(name)
    else if (others.length < REPORTED_NAMES_MAX) others.push(name)
  }
  return { folders: folders.sort(), others }
}

/** Whether a name is that of a hidden or an unfinished file. */
function isPartial(name: string): boolean {
  const lower = name.toLowerCase()
  return lower.startsWith('.') || PARTIAL_ENDS.some((end) => lower.endsWith(end))
}

interface FolderEntry {
  readonly raw: Buffer
  readonly name: string
  readonly isFile: boolean
  readonly isFolder: boolean
}

/** The first entries of a folder, in the order of the file system. */
async function* entriesOf(folder: HeldFolder): AsyncGenerator<FolderEntry> {
  // One character for each byte keeps the bytes of every name, whatever its encoding.
  const listed = await opendir(folder.at('.').toString(), { encoding: 'latin1', bufferSize: 256 })
  let count = 0
  for await (const entry of listed) {
    count += 1
    if (count > ENTRIES_MAX) return
    const raw = Buffer.from(entry.name, 'latin1')
    const name = textOf(raw)
    yield { raw, name, isFile: entry.isFile(), isFolder: entry.isDirectory() }
  }
}

function textOf(raw: Buffer): string {
  const text = raw.toString('utf8')
  return Buffer.from(text).equals(raw) ? text : raw.toString('latin1')
}

async function fileAt(
  folder: HeldFolder,
  raw: Buffer,
  name: string,
): Promise<FoundFile | undefined> {
  try {
    const stats = await lstat(folder.at(raw), { bigint: true })
    if (!isRegular(stats)) return undefined
    const writtenAtMs = Number(stats.mtimeMs)
    const changedAtMs = Math.max(writtenAtMs, Number(stats.ctimeMs))
    const bytes = Number(stats.size)
    return { raw, name, bytes, stamp: stampOf(stats), writtenAtMs, changedAtMs }
  } catch (error) {
    // Another process has taken the file.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whether it is a file, not a link, folder, pipe or device. */
export function isRegular({ mode }: Pick<BigIntStats, 'mode'>): boolean {
  return (Number(mode) & constants.S_IFMT) === constants.S_IFREG
}
