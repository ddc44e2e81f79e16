import { link, lstat, rename, unlink } from 'node:fs/promises'
import { extname } from 'node:path'
import { codeOf, type HeldFolder } from './held-folder.js'

/** Numbers that are tried when a name is taken. */
const NUMBERS_MAX = 10_000

/** Bytes of a name with which a number and `.txt` still fit: file systems allow 255. */
const NAME_BYTES_MAX = 235

/**
 * Codes of a file system without hard links, and of a file of another user: Linux permits a hard
 * link to it only to users that may write it.
 */
const IS_WITHOUT_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Moves a file and replaces none. A kill leaves it at one of the two paths, or at both, and the
 * next call with these paths completes the move. Where hard links are not possible, a file that is
 * written to the same path within microseconds may be replaced: Node.js has no call that prevents
 * it.
 * @returns false when the target is another file
 * @throws the file system's error
 */
export async function moveWithoutReplacing(
  from: string | Buffer,
  to: string | Buffer,
): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (IS_WITHOUT_LINKS.has(code)) return renameUnlessThere(from, to)
    if (code !== 'EEXIST') throw error
    if (!(await isSameFile(from, to))) return false
  }
  await unlink(from)
  return true
}

async function renameUnlessThere(from: string | Buffer, to: string | Buffer): Promise<boolean> {
  try {
    await lstat(to)
    return false
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  await rename(from, to)
  return true
}

async function isSameFile(one: string | Buffer, other: string | Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })])
  return a.dev === b.dev && a.ino === b.ino
}

/**
 * Moves a file into a folder under the first name that is free there.
 * @param isFree whether a name may be tried; absent = each
 * @returns the name
 */
export async function moveUnderFreeName(
  from: string | Buffer,
  folder: HeldFolder,
  name: string,
  isFree: (name: string) => Promise<boolean> = async () => true,
): Promise<string> {
  for (const candidate of numberedNames(name)) {
    if (!(await isFree(candidate))) continue
    if (await moveWithoutReplacing(from, folder.at(candidate))) return candidate
  }
  throw new Error(`no name is free for ${name}`)
}

/** `a.csv`, `a (2).csv`, `a (3).csv`, … */
function* numberedNames(name: string): Generator<string> {
  yield name
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let n = 2; n <= NUMBERS_MAX; n++) yield `${stem} (${n})${extension}`
}

/** The name, shortened before its extension if it is too long for file systems. */
export function shortName(name: string): string {
  const excess = Buffer.byteLength(name) - NAME_BYTES_MAX
  if (excess <= 0) return name
  const extension = Buffer.byteLength(extname(name)) > 20 ? '' : extname(name)
  const chars = [...name.slice(0, name.length - extension.length)]
  let bytes = Buffer.byteLength(extension)
  const kept = chars.filter((char) => {
    bytes += Buffer.byteLength(char)
    return bytes <= NAME_BYTES_MAX
  })
  return kept.join('') + extension
}
