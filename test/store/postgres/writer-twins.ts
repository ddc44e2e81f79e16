// The writers of both engines do the same, whatever an import asks of them.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresWriter } from '../../../src/store/postgres/postgres-writer.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { StoreError } from '../../../src/store/store-error.js'
import type { WorkspaceWriter } from '../../../src/store/workspace-writer.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { type Logged, logOf, makeWorkspace } from '../../fixtures/postgres-workspace.js'
import { assertSameTables } from '../../fixtures/same-tables.js'
import {
  answersOf,
  type CalledTransaction,
  calledTransaction,
  writeFirstRows,
} from '../../fixtures/writer-calls.js'

/** The end of a transaction that a caller gives up. */
const GIVEN_UP = 'given up'

/** What a transaction has returned; one that was refused, why. */
type Called =
  | { readonly returned: readonly unknown[]; readonly answers: unknown }
  | { readonly refusal: string }

/** Runs a transaction. @param afterCall called after each call */
async function run(
  writer: WorkspaceWriter,
  { calls, isGivenUp }: CalledTransaction,
  afterCall: () => void = () => undefined,
): Promise<Called> {
  try {
    return await writer.atomically(async (open) => {
      const returned: unknown[] = []
      for (const call of calls) {
        returned.push(call.run(open))
        afterCall()
      }
      const answers = answersOf(open)
      if (isGivenUp) throw new StoreError(GIVEN_UP)
      return { returned, answers }
    })
  } catch (error) {
    assert(error instanceof StoreError, String(error))
    // The rows of a COPY are refused by a later call, and the fault that is named differs.
    return { refusal: error.message === GIVEN_UP ? GIVEN_UP : 'refused' }
  }
}

/** Both engines, side by side, with a workspace of their own. */
class Twins {
  /** Sequences at which calls that were kept have ended. */
  readonly #ends: number[] = []

  constructor(
    readonly file: WorkspaceFile,
    readonly writer: PostgresWriter,
    readonly postgres: PostgresConnection,
    readonly no: number,
  ) {}

  async begin(): Promise<void> {
    const first = { name: 'first', values: [], run: writeFirstRows }
    await this.run({ calls: [first], isGivenUp: false, isUpgraded: false })
  }

  /** @returns what both have answered */
  async run(transaction: CalledTransaction): Promise<Called> {
    const ends: number[] = []
    const afterCall = (): void => void ends.push(this.file.version().sequence)
    const expected = await run(this.file, transaction, afterCall)
    if (!('refusal' in expected)) this.#ends.push(...ends)
    const found = await run(this.writer, transaction)
    assert.deepEqual(found, expected)
    await this.#compareRows()
    if (transaction.isUpgraded) await this.#upgrade()
    return expected
  }

  async #compareRows(): Promise<void> {
    const sqlite = new Database(this.file.path)
    const changes =
      'SELECT sequence, entity, entity_id AS id, kind, account_before AS before, ' +
      'account_after AS after FROM changes'
    const expected = sqlite.prepare(changes).all() as LoggedChange[]
    const found = await logOf(this.postgres, this.no)
    assert.deepEqual(this.#lines(found), this.#lines(expected))
    assert.equal(this.writer.version().sequence, this.file.version().sequence)
    const { mark } = this.writer.version()
    assert.equal(mark, found.at(-1)?.mark)
    sqlite.close()
    await assertSameTables(this.file.path, this.postgres, this.no)
  }

  /** The log in the order of the calls; a call logs its rows in an order of the engine's own. */
  #lines(log: readonly LoggedChange[]): string[] {
    return log
      .map(({ sequence, kind, entity, id, before, after }) => {
        const call = this.#ends.findIndex((end) => end >= sequence)
        return `${String(call).padStart(3)} ${kind} ${entity} ${id} ${before} ${after}`
      })
      .sort()
  }

  /** Marks the rows as an upgrade does (EARLIER_ROWS of workspace-schema.ts). */
  async #upgrade(): Promise<void> {
    const last = '(SELECT coalesce(max(id), 0) FROM'
    const sqlite = new Database(this.file.path)
    sqlite.exec(`UPDATE workspace SET earlier_rows_last = ${last} transactions)`)
    sqlite.close()
    await this.postgres.query(
      `UPDATE kontor.workspaces SET earlier_rows_last =
      ${last} kontor.transactions WHERE workspace = no) WHERE no = $1`,
      [this.no],
    )
  }
}

type LoggedChange = Omit<Logged, 'mark'>

test('both writers give the same answers, rows and log after any calls', async (t) => {
  const url = await migratedDatabase(t)
  const postgres = await connected(t, url)
  const folder = t.testdir()
  const seen = { kept: 0, refused: 0, givenUp: 0 }
  let made = 0
  const property = fc.asyncProperty(
    fc.array(calledTransaction, { minLength: 1, maxLength: 6 }),
    async (transactions) => {
      const no = await makeWorkspace(postgres, `w${made++}`)
      const file = WorkspaceFile.open(join(folder, `${no}.db`))
      const writer = await PostgresWriter.open(url, no)
      try {
        const twins = new Twins(file, writer, postgres, no)
        await twins.begin()
        for (const transaction of transactions) {
          const called = await twins.run(transaction)
          if (!('refusal' in called)) seen.kept += 1
          else if (called.refusal === GIVEN_UP) seen.givenUp += 1
          else seen.refused += 1
        }
      } finally {
        writer.close()
        file.close()
      }
    },
  )
  await assertProperty(property, { numRuns: 25 })
  for (const [what, count] of Object.entries(seen)) t.ok(count >= 3, `${count} ${what}`)
})
