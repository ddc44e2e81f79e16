import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { CommandError, messageOf } from '../errors.js'
import type { Terminal } from './terminal.js'

/** The name of standard input in messages. */
const STDIN_NAME = 'standard input'

/** A file to be imported, or standard input. */
export interface ImportSource {
  /** The name in messages. */
  readonly name: string
  /** Only its extension hints at the format; undefined for a pipe, which has none. */
  readonly fileName: string | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Checks whether a file can be read, without reading it.
 * @param path `-` = standard input
 * @returns whether it is a pipe
 * @throws CommandError `failed` that names the file
 */
export async function checkSource(path: string): Promise<boolean> {
  if (path === '-') return true
  try {
    const found = await stat(path)
    if (found.isDirectory()) {
      throw new CommandError('failed', `${path} is a directory; name the files in it`)
    }
    if (found.isFile() && found.size === 0) throw new CommandError('failed', `${path} is empty`)
    await access(path, constants.R_OK)
    return !found.isFile()
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(path, error)
  }
}

/**
 * The file, or standard input; nothing is opened before the first chunk is requested.
 * @param isPipe see {@link checkSource}
 */
export function openSource(path: string, isPipe: boolean, terminal: Terminal): ImportSource {
  const fileName = isPipe ? undefined : path
  if (path !== '-') {
    return { name: path, fileName, chunks: filled(path, () => createReadStream(path)) }
  }
  return { name: STDIN_NAME, fileName, chunks: filled(STDIN_NAME, () => terminal.stdin) }
}

/** The bytes; an error that names the file when there are none or reading fails. */
async function* filled(
  name: string,
  open: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks = open()[Symbol.asyncIterator]()
  let isEmpty = true
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw unreadable(name, error)
      })
      if (next.done === true) break
      isEmpty &&= next.value.length === 0
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
  if (isEmpty) throw new CommandError('failed', `${name} is empty`)
}

function unreadable(name: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new CommandError('failed', `there is no file ${name}`)
  const reason = code === 'EACCES' ? 'permission denied' : messageOf(error)
  return new CommandError('failed', `${name} cannot be read: ${reason}`, { cause: error })
}
