// Workload: programs that keep copies of a served workspace whose file another process writes to.
//   copy    pages of 250 from the beginning, one after the other, beside a writer that makes 500
//           changes a second; then, without it, what has changed, until the copy is complete
//   told    many callers wait for the next change; one row is updated; from the commit to the
//           answer of each, several times
//   reads   pages, filtered pages and single transactions beside a change a second, without waiting
//           callers and with them
// The waiting callers would have machines of their own: they are one process at idle priority
// (child.ts), because a thousand answers at once would otherwise delay the readers' process, too.
// Data: a copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7.
// Check: the complete copy has exactly the ids and amounts of the file.
// Read: memory of the server after the copy, and the bounds of changes-report.ts; no peer.
// Run: npm run bench -- changes [--rows N] [--seconds S] [--record]
import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TransactionChanges } from '../src/domain/transaction-change.js'
import { type ServerProcess, startCallers, startServer } from './child.js'
import { Client } from './client.js'
import { copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { mixedTargets } from './live.js'
import { memoryFigures, untilAtRest } from './process-figures.js'
import { Readers, type ReadFigures } from './readers.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'
import { openWriter } from './until-shown.js'

/** All figures of the bench. */
export interface ChangesFigures {
  readonly rowCount: number
  readonly copy: CopyFigures
  readonly callerCount: number
  /** Milliseconds from a commit to the answer of a waiting caller, of all rounds together. */
  readonly told: Quantiles
  /** CPU time of the server for an answer and the next request; NaN = not reported. */
  readonly wokenUs: number
  readonly quiet: ReadFigures
  readonly waiting: ReadFigures
}

/** A copy beside a writer. */
export interface CopyFigures {
  readonly pageCount: number
  readonly seconds: number
  readonly pageMs: Quantiles
  /** Of the server, before the copy and after it; undefined = not reported by the system. */
  readonly memoryBytes: readonly [before: number | undefined, after: number | undefined]
}

/** Options that differ between a full run and a smoke run. */
export interface ChangesOptions {
  readonly callerCount: number
  readonly roundCount: number
  /** Seconds of each of the two compared periods of reads. */
  readonly readSeconds: number
}

const CHANGES_PER_COMMIT = 10
const COMMITS_PER_SECOND = 50

/** Time in which all callers have begun to wait, and from one change to the next. */
const GATHER_MS = 1_000

/** A served workspace. */
interface Served {
  readonly server: ServerProcess
  readonly path: string
  readonly apiKey: string
  readonly seed: number
}

/** Runs the bench over a copy of the corpus, which is deleted at the end. */
export async function measureChanges(
  settings: Settings,
  options: ChangesOptions,
): Promise<ChangesFigures> {
  const { say, seed } = settings
  const { callerCount, roundCount, readSeconds } = options
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'changes')
  const path = copyCorpus(corpus, scratch)
  say('loading')
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [scratch, WORKSPACE_ID, budget])
  const served: Served = { server, path, apiKey: corpus.apiKey, seed }
  let readers: Readers | undefined
  let crowd: Crowd | undefined
  try {
    await untilAtRest(server.pid)
    say('a copy beside a writer')
    const { cursor, ...copy } = await measureCopy(served)
    readers = await Readers.start(server, await mixedTargets(corpus, server.port))
    say('reads without waiting callers')
    await readers.readFor(readSeconds)
    const quiet = await readBesideChanges(path, readers, readSeconds)
    say('waiting callers')
    crowd = await Crowd.start(served, callerCount, await lastCursor(served, cursor))
    const told: number[] = []
    for (let i = 0; i < roundCount; i++) {
      told.push(...(await crowd.tell()))
      await wait(GATHER_MS)
    }
    say('reads with waiting callers')
    const telling = crowd.tellUntil(wait(readSeconds * 1_000))
    const waiting = await readers.readFor(readSeconds)
    const answerCount = (await telling) * callerCount
    const wokenUs = ((waiting.serverBusy - quiet.serverBusy) * readSeconds * 1e6) / answerCount
    const { rowCount } = corpus
    return { rowCount, copy, callerCount, told: quantilesOf(told), wokenUs, quiet, waiting }
  } finally {
    await crowd?.stop()
    await readers?.stop()
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function measureCopy({
  server,
  path,
  apiKey,
  seed,
}: Served): Promise<CopyFigures & { readonly cursor: string }> {
  const client = new Client(server.port)
  const fields = { Authorization: `Bearer ${apiKey}` }
  const pace = [CHANGES_PER_COMMIT, COMMITS_PER_SECOND, seed].map(String)
  const writer = await startServer('bench/live-writer.js', [path, ...pace])
  const before = memoryFigures(server.pid)?.residentBytes
  const amounts = new Map<number, number>()
  const pageMs: number[] = []
  let cursor = ''
  const readToEnd = async (waitSeconds = 0): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      const startedMs = performance.now()
      const { status, body } = await client.ask({ path: pathOf(cursor, waitSeconds), fields })
      pageMs.push(performance.now() - startedMs)
      assert.equal(status, 200, body.toString())
      const page = JSON.parse(body.toString()) as TransactionChanges
      apply(amounts, page)
      ;({ cursor, hasMore } = page)
    }
  }
  const startedMs = performance.now()
  await readToEnd()
  const seconds = (performance.now() - startedMs) / 1_000
  const copyPages = pageMs.length
  const after = memoryFigures(server.pid)?.residentBytes
  await writer.stop()
  const lastId = writeLast(path)
  while (amounts.get(lastId) !== LAST_AMOUNT) await readToEnd(30)
  client.close()
  assertEqualFile(amounts, path)
  return {
    ...{ cursor, pageCount: copyPages, seconds, memoryBytes: [before, after] },
    pageMs: quantilesOf(pageMs.slice(0, copyPages)),
  }
}

/** An amount that no other transaction has. */
const LAST_AMOUNT = 123_456_789

/** Writes the last change, which shows that the service has read all before it. @returns the id */
function writeLast(path: string): number {
  const connection = openWriter(path)
  const id = Number(connection.prepare('SELECT max(id) FROM transactions').pluck().get())
  const sql = 'UPDATE transactions SET amount_unscaled = ?, amount_scale = 0 WHERE id = ?'
  connection.prepare(sql).run(LAST_AMOUNT, id)
  connection.close()
  return id
}

/** Reads beside a change a second, for which no caller waits. */
async function readBesideChanges(
  path: string,
  readers: Readers,
  seconds: number,
): Promise<ReadFigures> {
  const writer = openWriter(path)
  const update = writer.prepare(
    `UPDATE transactions SET amount_unscaled = amount_unscaled + 1
      WHERE id = (SELECT max(id) FROM transactions)`,
  )
  const timer = setInterval(() => update.run(), GATHER_MS)
  try {
    return await readers.readFor(seconds)
  } finally {
    clearInterval(timer)
    writer.close()
  }
}

/** The cursor behind all changes since an earlier one, of which the last is made here. */
async function lastCursor({ server, path, apiKey }: Served, earlier: string): Promise<string> {
  const lastId = writeLast(path)
  const client = new Client(server.port)
  const fields = { Authorization: `Bearer ${apiKey}` }
  let cursor = earlier
  for (let isLast = false; !isLast; ) {
    const { body } = await client.ask({ path: pathOf(cursor, 30), fields })
    const page = JSON.parse(body.toString()) as TransactionChanges
    cursor = page.cursor
    isLast = page.changes.some((change) => {
      const isUpsert = change.kind === 'upsert' && change.transaction.id === lastId
      return isUpsert && change.transaction.amount === LAST_AMOUNT
    })
  }
  client.close()
  return cursor
}

function pathOf(cursor: string, waitSeconds = 0): string {
  const since = cursor === '' ? '' : `&since=${cursor}`
  return `/v1/${WORKSPACE_ID}/transactions/changes?limit=250&wait=${waitSeconds}${since}`
}

function apply(amounts: Map<number, number>, { changes }: TransactionChanges): void {
  for (const change of changes) {
    if (change.kind === 'delete') amounts.delete(change.id)
    else amounts.set(change.transaction.id, change.transaction.amount)
  }
}

/** @throws AssertionError when the copy is not the file */
function assertEqualFile(amounts: ReadonlyMap<number, number>, path: string): void {
  const connection = openWriter(path)
  const sql = 'SELECT id, amount_unscaled, amount_scale FROM transactions'
  let count = 0
  for (const row of connection.prepare(sql).raw().iterate()) {
    const [id = 0, unscaled = 0, scale = 0] = row as number[]
    assert.equal(amounts.get(id), unscaled / 10 ** scale, `transaction ${id}`)
    count += 1
  }
  connection.close()
  assert.equal(amounts.size, count)
}

/** Callers that wait for the next change, a connection each, in a process of their own. */
class Crowd {
  private constructor(private readonly callers: ServerProcess) {}

  /** @returns when all wait */
  static async start(
    { server, path, apiKey }: Served,
    count: number,
    cursor: string,
  ): Promise<Crowd> {
    const target = `${pathOf('', 30)}&since=`
    const words = [String(server.port), target, apiKey, cursor, String(count), path]
    const callers = await startCallers('bench/waiting-callers.js', words)
    await wait(GATHER_MS)
    return new Crowd(callers)
  }

  /** Updates one row. @returns milliseconds from the commit to the answer of each */
  async tell(): Promise<number[]> {
    const line = this.callers.nextLine()
    process.kill(this.callers.pid, 'SIGUSR2')
    const { toldMs } = JSON.parse(await line) as { toldMs: number[] }
    return toldMs
  }

  /** A change a second until a promise is fulfilled. @returns the number of changes */
  async tellUntil(end: Promise<unknown>): Promise<number> {
    let isOver = false
    void end.then(() => {
      isOver = true
    })
    let count = 0
    for (; !isOver; count++) await Promise.all([this.tell(), wait(GATHER_MS)])
    return count
  }

  stop(): Promise<void> {
    return this.callers.stop()
  }
}
