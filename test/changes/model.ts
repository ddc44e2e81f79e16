// The running service against a model: other programs write to the file while requests are
// answered; once the service has caught up, its answers equal those of the naive twin over the
// file.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type Connection, Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { type Change, carryOut, changes, rowsOfFile } from '../fixtures/changes.js'
import type { Reply } from '../fixtures/contract-check.js'
import { naiveAccount, naiveCategory, naiveList, naiveTransaction } from '../fixtures/naive.js'
import { matchedWorkspaces, naiveMatches, referencesFor } from '../fixtures/naive-match.js'
import { listQueries, searchQueries } from '../fixtures/queries.js'
import { queryText } from '../fixtures/query-text.js'
import { bodyOf, overOneEngine, type RunningService } from '../fixtures/service.js'
import { runHere } from '../fixtures/terminal.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

/** One workspace of the service, and the other programs. */
interface Bench {
  readonly service: RunningService
  readonly workspaceId: string
  readonly key: string
  readonly file: WorkspaceFile
  readonly writer: Connection
}

/** A request and its expected answer. */
interface ExpectedAnswer {
  readonly target: string
  readonly expected: unknown
  /** Absent = the answer is not a list. */
  readonly total?: number
}

class Write implements fc.AsyncCommand<object, Bench> {
  constructor(readonly change: Change) {}

  check = (): boolean => true

  run = async (_: object, { writer }: Bench): Promise<void> => carryOut(writer, this.change)

  toString = (): string => JSON.stringify(this.change)
}

/** Lines of NDJSON through `kontor import`: a new row, an update of row 1 if any, a new account. */
class Import implements fc.AsyncCommand<object, Bench> {
  constructor(readonly number: number) {}

  check = (): boolean => true

  run = async (_: object, { service, workspaceId, file }: Bench): Promise<void> => {
    const purpose = `imported Überweisung ${this.number}`
    const account = { iban: 'DE02120300000000202051' }
    // An import refuses the id of a deleted row.
    const first = file.isDeletedId('transaction', 1) ? {} : { id: 1 }
    const lines = [
      {
        ...first,
        account,
        amount: -this.number,
        currency: 'EUR',
        purpose,
        category: { name: 'Neu' },
      },
      { account, amount: this.number, currency: 'EUR', purpose },
    ]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const words = ['--workspace', workspaceId, '--data-dir', service.directory.path]
    const { code, stderr } = await runHere(
      ['import', ...words, '--update', '--format', 'ndjson', '-'],
      {
        stdin: [Buffer.from(text)],
      },
    )
    assert.equal(code, 0, stderr)
  }

  toString = (): string => `import ${this.number}`
}

/**
 * Sends requests while the service may be behind: each answer is a whole state, whichever it is.
 */
class Glance implements fc.AsyncCommand<object, Bench> {
  constructor(readonly target: string) {}

  check = (): boolean => true

  run = async (_: object, { service, workspaceId, key }: Bench): Promise<void> => {
    const reply = await service.ask(`/v1/${workspaceId}${this.target}`, { key })
    assert.equal(reply.status, 200, reply.text)
    const total = Number(reply.fields['x-total-count'])
    assert.equal((bodyOf(reply) as unknown[]).length, Math.min(total, 250))
  }

  toString = (): string => `glance at ${this.target}`
}

/** Waits until the file's state is served, and sends requests of all kinds. */
class Compare implements fc.AsyncCommand<object, Bench> {
  constructor(readonly seed: number) {}

  check = (): boolean => true

  run = async (_: object, bench: Bench): Promise<void> => {
    const questions = expectedAnswersOf(rowsOfFile(bench.file), this.seed)
    for (const question of questions) await untilAnswered(bench, question)
    // Concurrent requests, now that the state is served.
    await Promise.all(
      questions.map(async (question) => assertAnswers(question, await ask(bench, question))),
    )
  }

  toString = (): string => `compare ${this.seed}`
}

/** No test depends on the speed of the machine. */
const UNHURRIED = { matchBudgetMs: 60_000 }

function expectedAnswersOf(rows: WorkspaceRows, seed: number): ExpectedAnswer[] {
  const { accounts, categories, transactions } = rows
  const sample = fc.sample(listQueries(rows), { numRuns: 4, seed })
  const lists = sample.map(({ query }): ExpectedAnswer => {
    const found = naiveList(rows, query, {}).map((row) => naiveTransaction(row, rows))
    const expected = found.slice(0, 250)
    const target = `/transactions?${queryText(query, { limit: 250 })}`
    return { target, expected, total: found.length }
  })
  const asked = fc.sample(searchQueries(rows), { numRuns: 4, seed })
  const searches = asked.map(({ text, query }): ExpectedAnswer => {
    const found = naiveList(rows, query, {}).map((row) => naiveTransaction(row, rows))
    const target = `/transactions/search?${queryText(query, { query: text, limit: 250 })}`
    return { target, expected: found.slice(0, 250), total: found.length }
  })
  const wanted = fc.sample(referencesFor(rows), { numRuns: 3, seed })
  const matches = wanted.map((text): ExpectedAnswer => {
    // Every row: those without anything in common come last.
    const question = { text, filters: {}, bounds: {}, scoreMin: 0, windowRowsMax: 100_000 }
    const found = naiveMatches(rows, question).map(({ row, score }) => ({
      ...naiveTransaction(row, rows),
      score: Number(`${score}e-4`),
    }))
    const target = `/transactions/match?${queryText({}, { query: text, limit: 50, threshold: 0 })}`
    return { target, expected: found.slice(0, 50), total: found.length }
  })
  const singles = [seed, seed + 1].flatMap((place): ExpectedAnswer[] => {
    const row = transactions[place % Math.max(1, transactions.length)]
    if (row === undefined) return []
    return [{ target: `/transactions/${row.id}`, expected: naiveTransaction(row, rows) }]
  })
  const counts = accounts.map(({ id }): ExpectedAnswer => {
    const total = transactions.filter(({ accountId }) => accountId === id).length
    return { target: `/accounts/${id}/transactions?limit=0`, expected: [], total }
  })
  return [
    ...lists,
    ...searches,
    ...matches,
    ...singles,
    ...counts,
    { target: '/accounts', expected: accounts.map(naiveAccount) },
    { target: '/categories', expected: categories.map((row) => naiveCategory(row, categories)) },
  ]
}

function ask({ service, workspaceId, key }: Bench, { target }: ExpectedAnswer): Promise<Reply> {
  return service.ask(`/v1/${workspaceId}${target}`, { key })
}

function assertAnswers({ expected, total, target }: ExpectedAnswer, reply: Reply): void {
  assert.equal(reply.status, 200, `${target}: ${reply.text}`)
  assert.deepEqual(bodyOf(reply), expected, target)
  if (total !== undefined) assert.equal(Number(reply.fields['x-total-count']), total, target)
}

/** Polls; the bench measures how soon a change is shown, not this test. */
async function untilAnswered(bench: Bench, question: ExpectedAnswer): Promise<void> {
  let last: unknown
  for (let i = 0; i < 200; i++) {
    try {
      assertAnswers(question, await ask(bench, question))
      return
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw last
}

const commands = fc.commands(
  [
    changes.map((change) => new Write(change)),
    changes.map((change) => new Write(change)),
    changes.map((change) => new Write(change)),
    fc.integer({ min: 1, max: 9 }).map((number) => new Import(number)),
    fc
      .constantFrom('/transactions?limit=250', '/transactions?limit=250&sortBy=amount')
      .map((target) => new Glance(target)),
    fc.nat({ max: 1_000 }).map((seed) => new Compare(seed)),
  ],
  { maxCommands: 24 },
)

test(
  'after any sequence of changes, the answers equal the content of the file',
  overOneEngine(async (t, service) => {
    let runCount = 0
    await assertProperty(
      fc.asyncProperty(matchedWorkspaces({ maxLength: 30 }), commands, async (rows, life) => {
        runCount += 1
        const workspaceId = `w${runCount}`
        await service.write(workspaceId, rows)
        const path = service.pathOf(workspaceId)
        const writer = new Database(path)
        writer.pragma('foreign_keys = ON')
        const file = WorkspaceFile.openForReading(path)
        const { key } = await service.newKey(workspaceId)
        const bench: Bench = { service, workspaceId, key, file, writer }
        try {
          await new Glance('/transactions?limit=250').run({}, bench)
          await fc.asyncModelRun(() => ({ model: {}, real: bench }), life)
          await new Compare(runCount).run({}, bench)
        } finally {
          file.close()
          writer.close()
        }
      }),
      { numRuns: 15 },
    )
    t.ok(runCount >= 15)
    t.notOk(service.log.some((line) => /fault|cannot be loaded/.test(line)))
  }, UNHURRIED),
)
