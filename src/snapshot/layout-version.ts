import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { join, relative, sep } from 'node:path'

/** The compiled program, which has `src/`. */
const PROGRAM = join(import.meta.dirname, '../..')

/**
 * Folders of `src/` that have no part in snapshots: neither snapshot/ nor a worker for snapshots
 * imports a file of them, however indirectly (test/snapshot/layout-version.ts). A new folder is not
 * listed, and so counts.
 */
const ROOMS_WITHOUT_PART: readonly string[] = [
  'auth',
  'backup',
  'cli',
  'dashboard',
  'demo',
  'http',
  'main.js',
  'mcp',
  'oauth',
  'openapi',
  'query',
  'statements',
  'wire',
]

/**
 * Compiled files that may decide a byte of a snapshot, as paths from the program's root, ascending.
 * @throws the file system's error when the program is not laid out as it is built
 */
export function layoutFiles(): string[] {
  return readdirSync(join(PROGRAM, 'src'), { withFileTypes: true })
    .filter((entry) => !ROOMS_WITHOUT_PART.includes(entry.name))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isDirectory()) return [path]
      return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) =>
        join(path, name),
      )
    })
    .filter((path) => path.endsWith('.js'))
    .map((path) => relative(PROGRAM, path).split(sep).join('/'))
    .sort()
}

/** {@link codeDigest} of the code that build.mjs has bundled; not there in dist/src. */
declare const BUNDLED_CODE_DIGEST: string | undefined

/**
 * Version of the layout of snapshots: equal for two programs that make the same bytes of the same
 * workspace file. It is a digest of the code itself, because a number that has to be raised by hand
 * is forgotten. It covers {@link layoutFiles}; the byte order, as columns are cached as they lie in
 * memory; and the versions of Unicode and ICU, which decide how texts are folded and sorted. It
 * errs on the safe side: a changed comment means one rebuild.
 *
 * Call it once when the process starts and pass the result on: outside the bundle it takes tens of
 * milliseconds, and would later read files that an upgrade may have replaced under a running
 * program, whose snapshots still have the old layout.
 * @returns 32 lower-case hex digits
 * @throws the file system's error when the program's files cannot be read
 */
export function layoutVersion(): string {
  const code = typeof BUNDLED_CODE_DIGEST === 'string' ? BUNDLED_CODE_DIGEST : codeDigest()
  const { unicode, icu } = process.versions
  const parts = [code, endianness(), unicode, icu].join('\n')
  return createHash('sha256').update(parts).digest('hex').slice(0, 32)
}

/** Digest of {@link layoutFiles}. @throws the file system's error when they cannot be read */
export function codeDigest(): string {
  const digest = createHash('sha256')
  for (const path of layoutFiles()) {
    const content = readFileSync(join(PROGRAM, path))
    digest.update(`${path}\n${content.length}\n`).update(content)
  }
  return digest.digest('hex')
}
