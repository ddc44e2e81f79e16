import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { join, relative, sep } from 'node:path'

/** The compiled program: `src/` and `workers/` stand beside each other. */
const PROGRAM = join(import.meta.dirname, '../..')

/**
 * Rooms of `src/` that no snapshot is made by: nothing that snapshot/ imports, or a worker that has
 * to do with snapshots, however indirectly, is in one of them (test/snapshot/layout-version.ts). A
 * new room is not listed, and so counts.
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
  return ['src', 'workers']
    .flatMap((folder) => readdirSync(join(PROGRAM, folder), { withFileTypes: true }))
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

/**
 * What two programs share when they make the same bytes of the same workspace file: a digest over
 * the code itself, since a number that somebody has to raise is forgotten. It covers
 * {@link layoutFiles}; the byte order, as columns are cached as they lie in memory; and the
 * versions of Unicode and ICU, which decide how texts are folded and sorted. It is wrong to the
 * safe side: a changed comment means one rebuild.
 *
 * Takes about 5 ms. Ask once when the process starts and hand the answer around: asked later, it
 * tells of files that an upgrade may have replaced under a running program, whose snapshots are
 * still of the old layout.
 * @returns 32 lower-case hex digits
 * @throws the file system's error when the program's files cannot be read
 */
export function layoutVersion(): string {
  const digest = createHash('sha256')
  for (const path of layoutFiles()) {
    const content = readFileSync(join(PROGRAM, path))
    digest.update(`${path}\n${content.length}\n`).update(content)
  }
  const { unicode, icu } = process.versions
  digest.update(`${endianness()}\n${unicode}\n${icu}`)
  return digest.digest('hex').slice(0, 32)
}
