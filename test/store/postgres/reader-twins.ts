// The readers of both engines give the same answers after any writes by plain SQL.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresReader } from '../../../src/store/postgres/postgres-reader.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import type { Connection } from '../../../src/store/sqlite/sqlite-driver.js'
import { SqliteReader } from '../../../src/store/sqlite/sqlite-reader.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'
import type {
  SealedVersion,
  WorkspaceReader,
  WorkspaceState,
} from '../../../src/store/workspace.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { makeWorkspace } from '../../fixtures/postgres-workspace.js'
import {
  FIRST_WRITES,
  type SharedTransaction,
  sharedTransaction,
  sqlOf,
} from '../../fixtures/shared-writes.js'

const CHANGES_MAX = 6

/** Both engines, side by side, with a workspace of their own. */
interface Twins {
  readonly sqlite: Connection
  readonly postgres: PostgresConnection
  readonly workspace: number
}

async function write(twins: Twins, { writes }: SharedTransaction): Promise<void> {
  const { sqlite, postgres, workspace } = twins
  sqlite.exec('BEGIN')
  await postgres.query('BEGIN')
  for (const one of writes) {
    if (typeof one === 'string') continue
    if (isRefused(sqlite, sqlOf(one, undefined))) continue
    await postgres.query(sqlOf(one, workspace))
  }
  sqlite.exec('COMMIT')
  await copyLog(twins)
  await postgres.query('COMMIT')
}

function isRefused(sqlite: Connection, sql: string): boolean {
  try {
    sqlite.exec(sql)
    return false
  } catch (error) {
    return error instanceof Error
  }
}

/** The order of a statement's changes is the engine's own (change-log.ts): both get SQLite's. */
async function copyLog({ sqlite, postgres, workspace }: Twins): Promise<void> {
  const sql = 'SELECT max(sequence) AS last FROM kontor.changes WHERE mark = 5 AND workspace = $1'
  const [copied] = await postgres.query<{ last: number | null }>(sql, [workspace])
  const after = copied?.last ?? 0
  await postgres.query('DELETE FROM kontor.changes WHERE workspace = $1 AND sequence > $2', [
    workspace,
    after,
  ])
  const changes = sqlite
    .prepare('SELECT * FROM changes WHERE sequence > ?')
    .all(after) as LoggedChange[]
  for (const change of changes) {
    const { sequence, entity, entity_id, kind, account_before, account_after } = change
    await postgres.query('INSERT INTO kontor.changes VALUES ($1, $2, 5, $3, $4, $5, $6, $7)', [
      ...[workspace, sequence, entity, entity_id, kind, account_before, account_after],
    ])
  }
}

interface LoggedChange {
  readonly sequence: number
  readonly entity: string
  readonly entity_id: number
  readonly kind: string
  readonly account_before: number | null
  readonly account_after: number | null
}

async function all<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

/** All answers about a state. */
async function answersOf(state: WorkspaceState, known: readonly SealedVersion[]) {
  const { sequence } = await state.version()
  const sequences = Array.from({ length: sequence + 2 }, (_, i) => i)
  const followed: unknown[] = []
  for (const one of known) followed.push(await followedFrom(state, one))
  const logged: Float64Array[] = []
  for (const after of sequences.slice(0, -1)) logged.push(await state.loggedChanges(after))
  const written: number[][] = []
  for (const upTo of sequences) {
    for (const count of [0, 1, 3, 1_000]) written.push(await state.idsWritten(upTo, count))
  }
  return {
    ...{ sequence, followed, logged, written },
    accounts: await state.accounts(),
    categories: await state.categories(),
    count: await state.transactionCount(),
    newest: await all(state.transactions('newest')),
    oldest: await all(state.transactions('oldest')),
    some: await state.transactionsOf([3, 99, 1, 2, 3]),
  }
}

async function followedFrom(state: WorkspaceState, known: SealedVersion): Promise<unknown> {
  const written = await state.writtenSince(known, CHANGES_MAX)
  if (written.kind === 'lost') return written
  const { ids, version } = written
  return { ids, sequence: version.sequence, rows: await all(written.transactions) }
}

async function sealedOf(reader: WorkspaceReader): Promise<SealedVersion> {
  return reader.read(async (state) => ({
    version: await state.version(),
    seal: await state.seal(),
  }))
}

test('both readers give the same answers after any writes', async (t) => {
  const url = await migratedDatabase(t)
  const postgres = await connected(t, url)
  const folder = t.testdir()
  const seen = { rows: 0, written: 0, tooMany: 0 }
  let made = 0
  const property = fc.asyncProperty(
    fc.array(sharedTransaction, { minLength: 1, maxLength: 4 }),
    async (transactions) => {
      const path = join(folder, `${made}.db`)
      const sqlite = openDatabase(path, WORKSPACE_MIGRATIONS)
      const workspace = await makeWorkspace(postgres, `w${made++}`)
      const readers = [new SqliteReader(path), new PostgresReader(url, workspace)] as const
      try {
        const known: [SealedVersion[], SealedVersion[]] = [[], []]
        for (const one of [{ isKept: true, writes: FIRST_WRITES }, ...transactions]) {
          for (const i of [0, 1] as const) known[i].push(await sealedOf(readers[i]))
          await write({ sqlite, postgres, workspace }, one)
        }
        const [expected, found] = [
          await readers[0].read((state) => answersOf(state, known[0])),
          await readers[1].read((state) => answersOf(state, known[1])),
        ]
        assert.deepEqual(found, expected)
        seen.rows += expected.count
        for (const followed of expected.followed) {
          const isTooMany = JSON.stringify(followed).includes('too_many')
          seen[isTooMany ? 'tooMany' : 'written'] += 1
        }
      } finally {
        for (const reader of readers) reader.close()
        sqlite.close()
      }
    },
  )
  await assertProperty(property, { numRuns: 25 })
  for (const [what, count] of Object.entries(seen)) t.ok(count > 10, `${count} ${what}`)
})
