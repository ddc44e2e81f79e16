// The logs of both engines are equal after any writes by plain SQL.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import type { Connection } from '../../../src/store/sqlite/sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { type Logged, logOf, makeWorkspace } from '../../fixtures/postgres-workspace.js'
import {
  FIRST_WRITES,
  type SharedWrite,
  sharedTransaction,
  sqlOf,
} from '../../fixtures/shared-writes.js'

/** Both engines, side by side, with a workspace of their own. */
class Twins {
  #sequence = 0

  constructor(
    readonly sqlite: Connection,
    readonly postgres: PostgresConnection,
    readonly workspace: number,
  ) {}

  /** Runs a statement on both. @returns whether they accepted it */
  async write(write: SharedWrite): Promise<boolean> {
    const before = this.#sqliteLog(0).length
    const inSqlite = this.#tryInSqlite(sqlOf(write, undefined))
    const inPostgres = await this.#tryInPostgres(sqlOf(write, this.workspace))
    const sql = sqlOf(write, undefined)
    assert.equal(inPostgres === undefined, inSqlite === undefined, `${sql}: ${inPostgres}`)
    const logged = await logOf(this.postgres, this.workspace, this.#sequence)
    assert.deepEqual(setOf(logged), setOf(this.#sqliteLog(before)), sql)
    const changed = new Set(logged.map(({ kind, entity, id }) => `${kind} ${entity} ${id}`))
    assert.equal(changed.size, logged.length, `each change is logged once: ${sql}`)
    assert.deepEqual(
      logged.map(({ sequence }) => sequence),
      logged.map((_, i) => this.#sequence + i + 1),
    )
    this.#sequence += logged.length
    return inSqlite === undefined
  }

  async control(sql: string): Promise<void> {
    this.sqlite.exec(sql)
    await this.postgres.query(sql)
    if (!sql.startsWith('ROLLBACK')) return
    const log = await logOf(this.postgres, this.workspace)
    this.#sequence = log.at(-1)?.sequence ?? 0
    assert.equal(log.length, this.#sequence, 'a roll-back takes its numbers back')
  }

  async compareRows(): Promise<void> {
    for (const [table, columns] of Object.entries(COMPARED)) {
      const order = `ORDER BY ${columns}`
      const expected = this.sqlite.prepare(`SELECT ${columns} FROM ${table} ${order}`).all()
      const found = await this.postgres.query(
        `SELECT ${columns} FROM kontor.${table} WHERE workspace = $1 ${order}`,
        [this.workspace],
      )
      assert.deepEqual(found, expected, table)
    }
  }

  #sqliteLog(after: number): Omit<Logged, 'mark' | 'sequence'>[] {
    const sql = `SELECT entity, entity_id AS id, kind, account_before AS before,
      account_after AS after FROM changes ORDER BY sequence LIMIT -1 OFFSET ?`
    return this.sqlite.prepare(sql).all(after) as Logged[]
  }

  #tryInSqlite(sql: string): string | undefined {
    try {
      this.sqlite.exec(sql)
      return undefined
    } catch (error) {
      return String(error)
    }
  }

  async #tryInPostgres(sql: string): Promise<string | undefined> {
    await this.postgres.query('SAVEPOINT tried')
    try {
      await this.postgres.query(sql)
      await this.postgres.query('RELEASE tried')
      return undefined
    } catch (error) {
      await this.postgres.query('ROLLBACK TO tried')
      await this.postgres.query('RELEASE tried')
      return String(error)
    }
  }
}

const COMPARED = {
  accounts: 'id, name',
  categories: 'id, name, parent_id',
  transactions: 'id, account_id, category_id, parent_category_id, purpose',
  deleted_ids: 'entity, first, last',
}

/**
 * The changes of one statement, in an order of their own: SQLite logs row by row in the order of
 * its scan, and a row twice that loses two references. A reader sees the state after a commit.
 */
function setOf(logged: readonly Omit<Logged, 'mark' | 'sequence'>[]): string[] {
  const isDeleted = ({ entity, id }: { entity: string; id: number }): boolean =>
    logged.some((other) => other.kind === 'delete' && other.entity === entity && other.id === id)
  const lines = logged
    .filter((change) => change.kind !== 'update' || !isDeleted(change))
    .map(({ kind, entity, id, before, after }) => `${kind} ${entity} ${id} ${before} ${after}`)
  return [...new Set(lines)].sort()
}

test('any writes leave the same log and rows in both engines', async (t) => {
  const postgres = await connected(t, await migratedDatabase(t))
  const counts = { accepted: 0, refused: 0 }
  let made = 0
  const property = fc.asyncProperty(
    fc.array(sharedTransaction, { minLength: 1, maxLength: 6 }),
    async (transactions) => {
      const sqlite = openDatabase(':memory:', WORKSPACE_MIGRATIONS)
      try {
        const workspace = await makeWorkspace(postgres, `w${made++}`)
        const twins = new Twins(sqlite, postgres, workspace)
        for (const { isKept, writes } of [
          { isKept: true, writes: FIRST_WRITES },
          ...transactions,
        ]) {
          await twins.control('BEGIN')
          let hasSavepoint = false
          for (const write of writes) {
            if (typeof write !== 'string') {
              counts[(await twins.write(write)) ? 'accepted' : 'refused'] += 1
              continue
            }
            if (write === 'ROLLBACK TO s' && !hasSavepoint) continue
            hasSavepoint = true
            await twins.control(write)
          }
          await twins.control(isKept ? 'COMMIT' : 'ROLLBACK')
        }
        await twins.compareRows()
      } finally {
        await postgres.query('ROLLBACK')
        sqlite.close()
      }
    },
  )
  await assertProperty(property, { numRuns: 40 })
  t.ok(counts.accepted > 200, `${counts.accepted} statements were accepted`)
  t.ok(counts.refused > 50, `${counts.refused} were refused`)
})
