import { constants } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { sep } from 'node:path'
import { codeOf } from './held-folder.js'

/** Codes of a process or descriptor that is gone or not visible to this user. */
const IS_UNKNOWN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])

/**
 * Finds the files below a folder that processes have open for writing. It sees only the processes
 * whose descriptors /proc shows to this user: its own or, for root, all; none without /proc.
 * @param folder a path without links
 * @returns paths
 */
export async function pathsOpenForWriting(
  folder: string,
  proc = '/proc',
): Promise<ReadonlySet<string>> {
  const below = folder.endsWith(sep) ? folder : folder + sep
  const paths = new Set<string>()
  for (const process of await namesIn(proc)) {
    if (!/^\d+$/.test(process)) continue
    for (const descriptor of await namesIn(`${proc}/${process}/fd`)) {
      const path = await unlessUnknown(readlink(`${proc}/${process}/fd/${descriptor}`))
      if (path === undefined || !path.startsWith(below) || paths.has(path)) continue
      const file = `${proc}/${process}/fdinfo/${descriptor}`
      if (isForWriting(await unlessUnknown(readFile(file, 'latin1')))) paths.add(path)
    }
  }
  return paths
}

/** @param text the content of fdinfo for a descriptor; undefined = it is closed */
function isForWriting(text: string | undefined): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(text ?? '')?.[1]
  if (flags === undefined) return text !== undefined
  return (Number.parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR)) !== 0
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessUnknown(readdir(folder))) ?? []
}

async function unlessUnknown<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (IS_UNKNOWN.has(codeOf(error) ?? '')) return undefined
    throw error
  }
}
