import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Fsyncs a file, or the names in a folder. @throws the file system's error */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Writes a new file for its owner alone (0600), and fsyncs it. @throws the file system's error */
export function writeNewFile(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  syncPath(path)
}

/** SHA-256 of a file as 64 lower-case hex digits. @throws the file system's error */
export async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), digest)
  return digest.digest('hex')
}

const READ_BYTES = 1_048_576
