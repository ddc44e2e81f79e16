import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'

const ROOT = resolve(import.meta.dirname, '../../..')

interface LockedPackage {
  readonly gypfile?: boolean
  readonly dev?: boolean
  readonly integrity?: string
  readonly resolved?: string
}

const { packages }: { readonly packages: Readonly<Record<string, LockedPackage | undefined>> } =
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** All packages except kontor itself, whose path is ''. */
const locked = Object.entries(packages).filter(([path]) => path !== '')

/**
 * Upper bound of the production packages, those for other platforms included.
 * docs/operating/security.md lists them; raise the bound for a reason only.
 */
const PRODUCTION_PACKAGES_MAX = 120

test('npm ci does not compile the SQLite binding, which ships binaries', async (t) => {
  // The package says `gypfile: false`, which npm install does not write into the lock file. Without
  // it npm ci runs node-gyp, and where there is no compiler leaves the package out.
  const wanted = 'add "gypfile": false to node_modules/better-sqlite3 in package-lock.json'
  t.equal(packages['node_modules/better-sqlite3']?.gypfile, false, wanted)
})

test('production has few packages, and none for builds only', async (t) => {
  const production = locked.filter(([, { dev } = {}]) => dev !== true).map(([path]) => path)
  t.ok(production.length <= PRODUCTION_PACKAGES_MAX, `${production.length} packages`)
  t.ok(production.length > 50, 'packages are counted')
  const builders = /node_modules\/(typia|@typia\/.*|typescript|ts-patch|yargs)$/
  t.same(
    production.filter((path) => builders.test(path)),
    [],
  )
})

test('npm ci verifies every package, from any registry', async (t) => {
  for (const [path, { integrity, resolved } = {}] of locked) {
    if (!integrity?.startsWith('sha512-')) t.fail(`${path} has no sha512`)
    if (resolved !== undefined) t.fail(`${path} names a registry`)
  }
  t.pass(`${locked.length} packages`)
})
