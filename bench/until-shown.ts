// Time from a change of a file to the first answer that contains it.
import { setTimeout as wait } from 'node:timers/promises'
import { randomOf } from '../src/demo/random.js'
import { type Connection, Database } from '../src/store/sqlite/sqlite-driver.js'
import type { Answered, Client, Target } from './client.js'
import { untilAtRest } from './process-figures.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** A served file with a writer and a client. */
export interface Served {
  readonly pid: number
  readonly client: Client
  readonly path: string
  readonly apiKey: string
  /** Path of the workspace's operations, such as `/v1/demo`. */
  readonly base: string
}

/** A change and the answer that shows it. */
interface Showing {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
  /** Path below that of the workspace, with query. */
  readonly path: string
  readonly isShown: (answer: Answered) => boolean
}

/** One kind of large change and its durations. */
export interface LargeChange {
  readonly name: string
  /** The writer's transaction. */
  readonly writeMs: number
  /** From the end of the commit to the end of the first answer that shows it. */
  readonly shownMs: number
}

/** A change not shown by then is an error of the service, not a figure. */
const SHOWN_MS_MAX = 30_000

/** Pause between two requests: little load, and a finer resolution than the figures need. */
const PAUSE_MS = 2

/** A separate connection, as another program would open it. */
export function openWriter(path: string): Connection {
  const connection = new Database(path, { timeout: 5_000 })
  connection.pragma('synchronous = NORMAL')
  return connection
}

/** Updates one transaction after the other, each at a random moment. */
export async function measureSingleChanges(
  served: Served,
  count: number,
  seed: number,
): Promise<Quantiles> {
  const writer = openWriter(served.path)
  const random = randomOf(seed)
  const ids = Number(writer.prepare('SELECT max(id) FROM transactions').pluck().get())
  const present = writer.prepare('SELECT min(id) FROM transactions WHERE id >= ?').pluck()
  const durations: number[] = []
  for (let i = 0; i < count; i++) {
    const id = Number(present.get(1 + random.below(ids)))
    const purpose = `shown ${seed} ${i}`
    // Longer than the service's polling interval, so that every phase of it is equally likely.
    await wait(random.below(200))
    const { shownMs } = await untilShown(served, writer, {
      sql: 'UPDATE transactions SET purpose = ? WHERE id = ?',
      parameters: [purpose, id],
      path: `/transactions/${id}`,
      isShown: ({ body }) => body.includes(purpose),
    })
    durations.push(shownMs)
  }
  writer.close()
  return quantilesOf(durations)
}

/** Renames, a bulk insert and a bulk delete; each begins when the service is idle. */
export async function measureLargeChanges(
  served: Served,
  insertCount: number,
  say: (line: string) => void,
): Promise<LargeChange[]> {
  const writer = openWriter(served.path)
  const figures: LargeChange[] = []
  for (const [name, showing] of largeChanges(writer, insertCount)) {
    await untilAtRest(served.pid)
    say(name)
    const { writeMs, shownMs } = await untilShown(served, writer, showing())
    figures.push({ name, writeMs, shownMs })
  }
  await untilAtRest(served.pid)
  writer.close()
  return figures
}

type Named = readonly [name: string, showing: () => Showing]

function largeChanges(writer: Connection, insertCount: number): Named[] {
  const account = mostFrequent(writer, 'account_id')
  const category = mostFrequent(writer, 'category_id')
  const countOf = (): number =>
    Number(writer.prepare('SELECT count(*) FROM transactions').pluck().get())
  const counts = (total: number) => (answer: Answered) =>
    Number(answer.fields['x-total-count']) === total
  return [
    [
      'rename the account with the most rows',
      () => ({
        sql: "UPDATE accounts SET name = 'renamed account' WHERE id = ?",
        parameters: [account],
        path: `/accounts/${account}/transactions?limit=1`,
        isShown: ({ body }) => body.includes('renamed account'),
      }),
    ],
    [
      'rename the category with the most rows',
      () => ({
        sql: "UPDATE categories SET name = 'renamed category' WHERE id = ?",
        parameters: [category],
        path: '/transactions?limit=1&category=renamed+category',
        isShown: ({ body }) => body.includes('renamed category'),
      }),
    ],
    [
      `insert ${insertCount} rows`,
      () => {
        const columns = columnList(writer)
        return {
          sql: `INSERT INTO transactions (${columns})
            SELECT ${columns} FROM transactions ORDER BY id DESC LIMIT ?`,
          parameters: [insertCount],
          path: '/transactions?limit=1',
          isShown: counts(countOf() + insertCount),
        }
      },
    ],
    [
      'delete half of the rows',
      () => {
        const odd = writer.prepare('SELECT count(*) FROM transactions WHERE id % 2 = 1').pluck()
        return {
          sql: 'DELETE FROM transactions WHERE id % 2 = ?',
          parameters: [1],
          path: '/transactions?limit=1',
          isShown: counts(countOf() - Number(odd.get())),
        }
      },
    ],
  ]
}

async function untilShown(
  { client, apiKey, base }: Served,
  writer: Connection,
  { sql, parameters, path, isShown }: Showing,
): Promise<Omit<LargeChange, 'name'>> {
  const target: Target = {
    path: `${base}${path}`,
    fields: { Authorization: `Bearer ${apiKey}` },
  }
  const statement = writer.prepare(sql)
  const startedMs = performance.now()
  statement.run(...parameters)
  const committedMs = performance.now()
  for (;;) {
    const answer = await client.ask(target)
    const shownMs = performance.now() - committedMs
    if (isShown(answer)) return { writeMs: committedMs - startedMs, shownMs }
    if (shownMs > SHOWN_MS_MAX) throw new Error(`${sql} is not shown`)
    await wait(PAUSE_MS)
  }
}

function mostFrequent(writer: Connection, column: string): number {
  const sql = `SELECT ${column} FROM transactions WHERE ${column} IS NOT NULL
    GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`
  return Number(writer.prepare(sql).pluck().get())
}

function columnList(writer: Connection): string {
  const columns = writer.pragma('table_info(transactions)') as { name: string }[]
  const kept = columns.filter(({ name }) => name !== 'id' && name !== 'identity')
  return kept.map(({ name }) => name).join(', ')
}
