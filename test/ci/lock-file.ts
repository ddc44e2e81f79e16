import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'

const ROOT = resolve(import.meta.dirname, '../../..')

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly gypfile?: boolean } | undefined>>
}

test('npm ci does not compile the SQLite binding that has its binaries with it', async (t) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile
  // The package says `gypfile: false`, which npm install does not write into the lock file. Without
  // it npm ci runs node-gyp, and where there is no compiler leaves the package out.
  const wanted = 'add "gypfile": false to node_modules/better-sqlite3 in package-lock.json'
  t.equal(packages['node_modules/better-sqlite3']?.gypfile, false, wanted)
})
