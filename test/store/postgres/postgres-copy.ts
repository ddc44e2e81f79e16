// A copy of a store to another engine and back has the same rows, and continues like the original.
import { strict as assert } from 'node:assert'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { holdAttempts } from '../../../src/store/attempt-rows.js'
import { insertClient } from '../../../src/store/client-rows.js'
import { copyStore, type StoreSink, type StoreSource } from '../../../src/store/copy-store.js'
import {
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../../../src/store/data-directory.js'
import { insertIntegration } from '../../../src/store/integration-rows.js'
import { insertOperator } from '../../../src/store/operator-rows.js'
import { PostgresSink, PostgresSource } from '../../../src/store/postgres/postgres-copy.js'
import { insertSession } from '../../../src/store/session-rows.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { SqliteSink, SqliteSource } from '../../../src/store/sqlite/sqlite-copy.js'
import { type Connection, Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { StoreError } from '../../../src/store/store-error.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { type Change, carryOut, changes } from '../../fixtures/changes.js'
import { NOW_MS } from '../../fixtures/control.js'
import {
  hashOfNumber,
  someClientRow,
  someIntegrationRow,
  UNIT_GROUPS,
} from '../../fixtures/control-units.js'
import { cheapPassword } from '../../fixtures/oauth-fixture.js'
import { connected, emptyDatabase, migratedDatabase, PROGRAM } from '../../fixtures/postgres.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { runHere } from '../../fixtures/terminal.js'
import { type WorkspaceRows, workspaceRows, writeWorkspace } from '../../fixtures/workspaces.js'

/** Counted anew by a copy: nothing refers to it. */
const NOT_COPIED = ['key_version']

/** Rows that refer to none are refused by PostgreSQL. */
const sound = changes.filter(({ name }) => name !== 'forget to check')

function open(path: string): Connection {
  const file = new Database(path)
  file.pragma('foreign_keys = ON')
  return file
}

/** All rows of all tables of a file, in their order; positions in the file do not count. */
function rowsOf(path: string): Record<string, unknown[]> {
  const file = open(path)
  try {
    const tables = file
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[]
    const found = tables
      .filter((table) => !NOT_COPIED.includes(table))
      .map((table) => [table, file.prepare(`SELECT * FROM ${table}`).all()] as const)
    return Object.fromEntries(
      found.map(([table, rows]) => [table, table === 'sqlite_sequence' ? seqsOf(rows) : rows]),
    )
  } finally {
    file.close()
  }
}

/** Tables without an id have none to count. */
function seqsOf(rows: readonly unknown[]): unknown[] {
  const seqs = rows as readonly { name: string; seq: number }[]
  return seqs.filter(({ seq }) => seq > 0).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function storeRows(folder: string): Record<string, unknown> {
  const names = readdirSync(join(folder, 'workspaces')).filter((name) => name.endsWith('.db'))
  const workspaces = names.map((name) => [name, rowsOf(join(folder, 'workspaces', name))])
  return { ...Object.fromEntries(workspaces), control: rowsOf(join(folder, 'control.db')) }
}

/** Statements and entries as imports keep them. */
function keepStatements(file: Connection): void {
  file.exec(`INSERT OR IGNORE INTO statement_entries
    SELECT id, randomblob(16), randomblob(32), '[{"a":"ä"}]' FROM accounts LIMIT 3`)
  file.exec(`INSERT INTO statements
    SELECT id, randomblob(16), 'EUR', '-12', '99', 7, 9, randomblob(50) FROM accounts LIMIT 3`)
}

async function fillWorkspace(path: string, rows: WorkspaceRows, steps: readonly Change[]) {
  await writeWorkspace(path, rows)
  const file = open(path)
  keepStatements(file)
  for (const step of steps) carryOut(file, step)
  file.close()
}

/** Every unit of work that writes, so that each table has rows. */
async function fillControl({ controlPath }: DataDirectory, seed: number): Promise<void> {
  const control = ControlFile.open(controlPath)
  await control.alone(function* () {
    for (const a of [2, 0, 1]) yield* insertIntegration(someIntegrationRow(a, a))
    for (const a of [1, 3, 0, 2]) yield* insertClient(someClientRow(a, a % 3, a))
  })
  const ids = { apiKey: [], mcpKey: [], operator: [], grant: [] }
  for (let i = 0; i < 4; i += 1) {
    for (const units of Object.values(UNIT_GROUPS)) {
      for (const [j, make] of units.entries()) {
        const [a, b, c] = [seed + i, seed + j, i + j].map((number) => number % 6)
        const unit = make({ a: a ?? 0, b: b ?? 0, c: c ?? 0, at: NOW_MS + i * 1_000 + j }, ids)
        const isDone = await tried(async () => control[unit.way](unit.work))
        const kept = unit.kind === undefined ? undefined : (ids[unit.kind] as number[])
        if (unit.isNew === true && typeof isDone === 'number') kept?.push(isDone)
      }
    }
  }
  await addLast(control)
  control.close()
}

/** Sessions and attempts, which the units above remove. */
async function addLast(control: ControlFile): Promise<void> {
  const key = hashOfNumber(1_000)
  await control.atomically(function* () {
    const operator = { name: 'last', password: cheapPassword('p'), createdAt: NOW_MS }
    const operatorId = yield* insertOperator(operator)
    const session = { hash: key, operatorId, createdAt: NOW_MS, expiresAt: NOW_MS + 1 }
    yield* insertSession(session)
    yield* holdAttempts({ kind: 'name', key }, NOW_MS)
  })
}

async function tried(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) return undefined
    if (error instanceof Error && error.message === 'mine') return undefined
    throw error
  }
}

async function copy(source: StoreSource, target: StoreSink) {
  try {
    return await copyStore(source, target, () => undefined)
  } finally {
    await source.close()
    await target.close()
  }
}

interface Folders {
  readonly from: string
  readonly to: string
}

async function copyThrough(t: Test, { from, to }: Folders): Promise<void> {
  const [one, two] = [await migratedDatabase(t), await migratedDatabase(t)]
  const first = await copy(new SqliteSource(from), await PostgresSink.open(one, PROGRAM))
  const second = await copy(await PostgresSource.open(one), await PostgresSink.open(two, PROGRAM))
  const third = await copy(await PostgresSource.open(two), new SqliteSink(to))
  assert.deepEqual(second, first)
  assert.deepEqual(third, first)
}

test('a store through two databases and back is the same', async (t) => {
  const root = t.testdir()
  let run = 0
  await assertProperty(
    fc.asyncProperty(
      workspaceRows({ maxLength: 20 }),
      fc.array(sound, { maxLength: 12 }),
      fc.nat({ max: 5 }),
      async (rows, steps, seed) => {
        run += 1
        const folders = { from: join(root, `${run}-from`), to: join(root, `${run}-to`) }
        const directory = makeDataDirectory(folders.from)
        await fillWorkspace(workspacePath(directory, 'acme'), rows, steps)
        await fillWorkspace(workspacePath(directory, 'other'), SAMPLE, steps.slice(6))
        await fillControl(directory, seed)
        await copyThrough(t, folders)
        assert.deepEqual(storeRows(folders.to), storeRows(folders.from))
      },
    ),
    { numRuns: 3 },
  )
  t.pass('equal')
})

test('every table of control data that units write has rows', async (t) => {
  const directory = makeDataDirectory(join(t.testdir(), 'data'))
  await fillControl(directory, 1)
  const rows = rowsOf(directory.controlPath)
  const empty = Object.keys(rows).filter((table) => rows[table]?.length === 0)
  t.strictSame(empty, [])
})

test('a copy into a store with rows is refused', async (t) => {
  const from = join(t.testdir(), 'from')
  const directory = makeDataDirectory(from)
  await writeWorkspace(workspacePath(directory, 'w'), SAMPLE)
  ControlFile.open(directory.controlPath).close()
  const url = await migratedDatabase(t)
  await copy(new SqliteSource(from), await PostgresSink.open(url, PROGRAM))
  for (const target of [new SqliteSink(from), await PostgresSink.open(url, PROGRAM)]) {
    await t.rejects(copy(new SqliteSource(from), target), { message: /empty/ })
  }
  t.throws(() => new SqliteSource(join(from, 'no')), { message: /there is no data directory/ })
})

test('a failed copy leaves nothing', async (t) => {
  const folder = t.testdir()
  const from = join(folder, 'from')
  const path = workspacePath(makeDataDirectory(from), 'w')
  await writeWorkspace(path, SAMPLE)
  const file = open(path)
  file.exec("UPDATE transactions SET purpose = 'a' || char(0) || 'b' WHERE id = 2")
  file.close()
  const url = await emptyDatabase(t)
  await t.rejects(copy(new SqliteSource(from), await PostgresSink.open(url, PROGRAM)), {
    message: /workspace w: purpose of row 2 of transactions has the character/,
  })
  const connection = await connected(t, url)
  t.strictSame(await connection.query('SELECT * FROM kontor.workspaces'), [])
  const to = join(folder, 'to')
  await t.rejects(copy(new SqliteSource(from), new SqliteSink(to)))
  t.notOk(existsSync(join(to, 'workspaces')))
  t.notOk(existsSync(join(to, 'control.db')))
})

test('the command copies into a database and back', async (t) => {
  const folder = t.testdir()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const directory = makeDataDirectory(from)
  await writeWorkspace(workspacePath(directory, 'w'), SAMPLE)
  await fillControl(directory, 2)
  const url = await emptyDatabase(t)
  const table = 'WORKSPACE  ACCOUNTS  TRANSACTIONS\nw          3         302\n'
  for (const [one, other] of [
    [from, url],
    [url, to],
  ] as const) {
    const ran = await runHere(['store', 'copy', '--from', one, '--to', other])
    t.strictSame(ran, { code: 0, stdout: table, stderr: '' })
  }
  t.strictSame(storeRows(to), storeRows(from))
})
