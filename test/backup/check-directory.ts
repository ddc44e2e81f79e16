import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { checkDirectory } from '../../src/backup/check-directory.js'
import { LOG_BYTES_LARGE } from '../../src/backup/check-file.js'
import type { CheckFinding } from '../../src/backup/finding.js'
import { writeSnapshotFile } from '../../src/snapshot/snapshot-file.js'
import { cachePath, type DataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { CONTROL_MIGRATIONS } from '../../src/store/sqlite/control-schema.js'
import { openDatabase } from '../../src/store/sqlite/database.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { backedUpDirectory } from '../fixtures/backups.js'
import { spawnNode } from '../fixtures/child-process.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const WRITER = new URL('../fixtures/numbered-writer.js', import.meta.url).pathname
const LAYOUT = '0'.repeat(32)

function findings(directory: DataDirectory): CheckFinding[] {
  return Array.from(checkDirectory({ directory, layout: LAYOUT, onFile: () => undefined }))
}

/** Content of each file in the directory. */
function contentOf({ path }: DataDirectory): Map<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  const isFile = (name: string): boolean => statSync(join(path, name)).isFile()
  return new Map(
    names.map((name) => [name, isFile(name) ? readFileSync(join(path, name), 'latin1') : '']),
  )
}

function writeTo(path: string, sql: string): void {
  const connection = new Database(path)
  connection.pragma('foreign_keys = OFF')
  connection.exec(sql)
  connection.close()
}

function writeCacheFor(directory: DataDirectory, uid: unknown): void {
  const value = { bytes: new Uint8Array(new SharedArrayBuffer(5_000)) }
  writeSnapshotFile(cachePath(directory, 'w'), { layout: LAYOUT, tag: { version: { uid } }, value })
}

function uidOf(directory: DataDirectory): unknown {
  const connection = new Database(workspacePath(directory, 'w'))
  const uid = connection.prepare('SELECT uid FROM workspace').pluck().get()
  connection.close()
  return uid
}

test('a sound directory has no findings and stays unchanged', async (t) => {
  const { directory } = await backedUpDirectory(t)
  writeCacheFor(directory, uidOf(directory))
  const before = contentOf(directory)
  const found = findings(directory)
  t.same(
    found.map(({ level, subject }) => `${level} ${subject}`),
    ['ok workspaces/v.db', 'ok workspaces/w.db', 'ok control.db', 'ok cache', 'ok permissions'],
  )
  t.match(found[0], { what: /3 accounts, 302 transactions, sequence 308/ })
  t.same(contentOf(directory), before)
})

type Planted = readonly [
  plant: (directory: DataDirectory) => void | Promise<void>,
  expected: { level: 'warn' | 'fail'; subject: string | RegExp; what: RegExp; advice: RegExp },
]

const W = 'workspaces/w.db'

const PLANTED: Readonly<Record<string, Planted>> = {
  'a file that is no database': [
    (directory) => writeFileSync(workspacePath(directory, 'w'), 'x'.repeat(9_000)),
    {
      level: 'fail',
      subject: W,
      what: /damaged or is not a SQLite/,
      advice: /copy it from a backup/,
    },
  ],
  'a file that is cut short': [
    (directory) => truncateSync(workspacePath(directory, 'w'), 20_480),
    { level: 'fail', subject: W, what: /damaged/, advice: /copy it from a backup/ },
  ],
  'pages of zeros': [
    (directory) => {
      const bytes = readFileSync(workspacePath(directory, 'w'))
      bytes.fill(0, bytes.length - 8_192)
      writeFileSync(workspacePath(directory, 'w'), bytes)
    },
    { level: 'fail', subject: W, what: /damaged/, advice: /backup/ },
  ],
  'a newer schema': [
    (directory) => writeTo(workspacePath(directory, 'w'), 'PRAGMA user_version = 99'),
    {
      ...{ level: 'fail', subject: W, what: /newer than the newest supported one \(\d+\)$/ },
      advice: /^use a newer version of kontor$/,
    },
  ],
  'an older schema': [
    ({ controlPath }) => {
      rmSync(controlPath)
      openDatabase(controlPath, CONTROL_MIGRATIONS.slice(0, 4)).close()
    },
    { level: 'warn', subject: 'control.db', what: /has schema 4/, advice: /migrates it/ },
  ],
  'a missing trigger': [
    (directory) => writeTo(workspacePath(directory, 'w'), 'DROP TRIGGER accounts_inserted'),
    { level: 'fail', subject: W, what: /has no trigger accounts_inserted/, advice: /backup/ },
  ],
  'rows without an account': [
    (directory) =>
      writeTo(workspacePath(directory, 'w'), 'UPDATE transactions SET account_id = 9 WHERE id < 4'),
    {
      level: 'fail',
      subject: W,
      what: /^3 rows of transactions refer/,
      advice: /foreign_keys = ON/,
    },
  ],
  'a gap in the change log': [
    (directory) => writeTo(workspacePath(directory, 'w'), 'DELETE FROM changes WHERE sequence = 9'),
    { level: 'warn', subject: W, what: /"changes" has a gap/, advice: /reloads the file/ },
  ],
  'a damaged control.db': [
    ({ controlPath }) => writeFileSync(controlPath, 'x'.repeat(9_000)),
    { level: 'fail', subject: 'control.db', what: /damaged/, advice: /backup/ },
  ],
  'no control.db': [
    ({ controlPath }) => rmSync(controlPath),
    { level: 'warn', subject: 'control.db', what: /is missing/, advice: /restore/ },
  ],
  'a key without its workspace': [
    (directory) => rmSync(workspacePath(directory, 'w')),
    {
      level: 'warn',
      subject: 'key 1',
      what: /file of workspace w is missing/,
      advice: /kontor keys revoke 1/,
    },
  ],
  'a key of another file': [
    async (directory) => {
      rmSync(workspacePath(directory, 'w'))
      await writeWorkspace(workspacePath(directory, 'w'), SAMPLE)
    },
    {
      level: 'warn',
      subject: 'key 1',
      what: /for another file of workspace w/,
      advice: /kontor keys revoke 1/,
    },
  ],
  'a log without its file': [
    (directory) => writeFileSync(`${workspacePath(directory, 'gone')}-wal`, 'x'),
    { level: 'warn', subject: 'workspaces/gone.db-wal', what: /missing file/, advice: /rm '/ },
  ],
  'a large log': [
    (directory) => {
      // SQLite ignores a log of zeros: it has no header.
      writeFileSync(`${workspacePath(directory, 'w')}-wal`, '')
      truncateSync(`${workspacePath(directory, 'w')}-wal`, LOG_BYTES_LARGE)
    },
    { level: 'warn', subject: W, what: /log has 256 MB/, advice: /holds an old read transaction/ },
  ],
  'a torn cache': [
    (directory) => {
      writeCacheFor(directory, uidOf(directory))
      const bytes = readFileSync(cachePath(directory, 'w'))
      bytes[bytes.length - 100] = 1
      writeFileSync(cachePath(directory, 'w'), bytes)
    },
    { level: 'warn', subject: 'cache/w.frozen', what: /is damaged/, advice: /rm '/ },
  ],
  'a cache of another file': [
    (directory) => writeCacheFor(directory, 'other'),
    { level: 'warn', subject: 'cache/w.frozen', what: /another workspace file/, advice: /rm '/ },
  ],
  'a cache without a workspace': [
    (directory) => {
      writeCacheFor(directory, 'u')
      renameSync(cachePath(directory, 'w'), cachePath(directory, 'gone'))
    },
    { level: 'warn', subject: 'cache/gone.frozen', what: /workspace gone/, advice: /rm '/ },
  ],
  'an unfinished cache': [
    (directory) => {
      mkdirSync(directory.cachePath)
      writeFileSync(`${cachePath(directory, 'w')}.0123456789abcdef.part`, '')
    },
    { level: 'warn', subject: /\.part$/, what: /is incomplete/, advice: /rm '/ },
  ],
  'an upload that was interrupted': [
    (directory) => {
      mkdirSync(directory.uploadsPath)
      writeFileSync(join(directory.uploadsPath, 'x'), '')
    },
    {
      level: 'warn',
      subject: 'uploads',
      what: /contains 1 bank files/,
      advice: /import them again/,
    },
  ],
  'a directory that others may read': [
    ({ path }) => chmodSync(path, 0o755),
    { level: 'warn', subject: 'permissions', what: /mode 755/, advice: /chmod -R go= '/ },
  ],
}

for (const [what, [plant, expected]] of Object.entries(PLANTED)) {
  test(`${what} is found, with a remedy`, async (t) => {
    const { directory } = await backedUpDirectory(t)
    await plant(directory)
    const found = findings(directory).filter(({ level }) => level !== 'ok')
    t.match(found[0], expected)
    t.equal(found.length, 1)
  })
}

test('a file with a permanent writer can be checked', async (t) => {
  const { directory } = await backedUpDirectory(t)
  const writer = spawnNode([WRITER, workspacePath(directory, 'w')])
  const ended = once(writer, 'close')
  await once(writer.stdout, 'data')
  for (let i = 0; i < 20; i++) {
    t.same(
      findings(directory).filter(({ level }) => level !== 'ok'),
      [],
    )
  }
  writer.kill('SIGKILL')
  await ended
})
