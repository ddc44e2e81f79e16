// Workload: sums by group over all rows (GET /transactions/summary), one caller; each request has
// another filter that all rows pass, so that none is kept from an earlier one. Then the same
// request again, which is; and readers with pauses, alone and next to callers of sums.
// Data: the demo's company, or a shop with 300,000 customers (--corpus shop).
// Check: the number of groups, and three pages of each grouping, against plain BigInt sums.
// Read: p50 of one group and of two against their bounds, and what readers notice.
// Run: npm run bench -- summary [--corpus shop] [--rows N] [--seconds S] [--record]
import { strict as assert } from 'node:assert'
import { type Random, randomOf } from '../src/demo/random.js'
import { formatInstant } from '../src/instant.js'
import { formatSum, type Sum, sumOf } from '../src/money.js'
import type { TransactionRow } from '../src/store/columns.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { type Corpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { untilAtRest } from './process-figures.js'
import { Readers, type ReadFigures } from './readers.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf, type Quantiles, quantilesOf } from './statistics.js'
import { readTargets } from './workloads.js'

/** Upper bounds of the median time of a request that groups by one field, and by two. */
const ONE_MS_MAX = 50
const TWO_MS_MAX = 120

/** Upper bound of the readers' p99 next to callers of sums, over p99 alone. */
const GROWTH_MAX = 2
const TURN_OBSTACLE =
  'a sum takes turns of a quarter of a millisecond, and a read may have to wait for several.'

/** The groupings that are measured; those of periods and names are the largest. */
const GROUPINGS = [
  ...['month', 'day', 'category', 'parentCategory', 'account', 'counterpart', 'direction'],
  ...['month,category', 'day,category', 'counterpart,month', 'counterpart,category', 'day,account'],
] as const

type Grouping = (typeof GROUPINGS)[number]

/** Groups of a page of the check, and of a timed one. */
const PAGE_GROUPS = 250

/** Number of requests. */
export interface SummaryOptions {
  /** For each grouping. */
  readonly requestCount: number
  /** Concurrent callers of sums next to the readers. */
  readonly callerCount: number
}

interface GroupingFigures {
  readonly grouping: Grouping
  readonly groupCount: number
  readonly firstMs: Quantiles
  /** Of a request whose sums are kept. */
  readonly keptMs: Quantiles
}

/** All figures of the bench; one entry of the readers per round. */
export interface SummaryFigures {
  readonly rowCount: number
  readonly groupings: readonly GroupingFigures[]
  readonly alone: readonly ReadFigures[]
  readonly contended: readonly ReadFigures[]
  readonly options: SummaryOptions
}

/** Measures over the corpus, after checking the answers. */
export async function measureSummaries(
  settings: Settings,
  options: SummaryOptions,
): Promise<SummaryFigures> {
  const corpus = await openCorpus(settings)
  const { say, seed, seconds, rounds } = settings
  const words = [corpus.directory.path, WORKSPACE_ID, String(Number.MAX_SAFE_INTEGER)]
  const server = await startServer('bench/live-server.js', words)
  const caller = new SummaryCaller(server, corpus.apiKey)
  let readers: Readers | undefined
  try {
    await untilAtRest(server.pid)
    say('checking')
    await checkSums(caller, corpus, randomOf(seed))
    const groupings: GroupingFigures[] = []
    for (const grouping of GROUPINGS) {
      groupings.push(await timeGrouping(caller, grouping, options.requestCount))
      say(`  ${grouping}: p50 ${groupings.at(-1)?.firstMs.p50.toFixed(1)} ms`)
    }
    readers = await Readers.start(server, readTargets(corpus, randomOf(seed)))
    await readers.readFor(seconds)
    const figures = { alone: [] as ReadFigures[], contended: [] as ReadFigures[] }
    for (let round = 0; round < rounds; round++) {
      figures.alone.push(await readers.readFor(seconds))
      figures.contended.push(await readNextTo(readers, caller, { seconds, ...options }))
    }
    return { rowCount: corpus.rowCount, groupings, ...figures, options }
  } finally {
    await readers?.stop()
    caller.close()
    await server.stop()
  }
}

class SummaryCaller {
  readonly #client: Client
  readonly #fields: Readonly<Record<string, string>>
  #requestCount = 0

  constructor(server: ServerProcess, key: string) {
    this.#client = new Client(server.port)
    this.#fields = { Authorization: `Bearer ${key}` }
  }

  /** A path that no earlier request had: an instant after all rows differs. */
  nextPath(grouping: Grouping, more: string): string {
    this.#requestCount += 1
    const after = formatInstant(AFTER_ALL_ROWS_MS + this.#requestCount)
    const filter = `importedBefore=${after}`
    return `/v1/${WORKSPACE_ID}/transactions/summary?groupBy=${grouping}&${filter}${more}`
  }

  async ask(path: string): Promise<{ total: number; text: string; ms: number }> {
    const sentMs = performance.now()
    const { status, fields, body } = await this.#client.ask({ path, fields: this.#fields })
    const ms = performance.now() - sentMs
    assert.equal(status, 200, path)
    return { total: Number(fields['x-total-count']), text: body.toString(), ms }
  }

  close(): void {
    this.#client.close()
  }
}

/** The year 2200. */
const AFTER_ALL_ROWS_MS = 7_258_118_400_000

interface NaiveGroup {
  count: number
  incoming: Sum
  outgoing: Sum
}

async function checkSums(caller: SummaryCaller, corpus: Corpus, random: Random): Promise<void> {
  const groups = naiveGroups(corpus.workspacePath)
  for (const grouping of GROUPINGS) {
    const expected = groups.get(grouping) ?? new Map<string, NaiveGroup>()
    const path = caller.nextPath(grouping, `&limit=${PAGE_GROUPS}&offset=`)
    for (const place of [0, random.below(expected.size), expected.size - 1]) {
      const { total, text } = await caller.ask(`${path}${place}`)
      assert.equal(total, expected.size, grouping)
      for (const [written] of text.matchAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g)) {
        const group = JSON.parse(written) as Record<string, unknown>
        const known = expected.get(keyOfGroup(group, grouping))
        assert.ok(known !== undefined, `${grouping}: ${written}`)
        const { count, incoming, outgoing } = known
        const sums = [incoming, outgoing, incoming + outgoing].map(formatSum)
        const figures = `"count":${count},"in":${sums[0]},"out":${sums[1]},"net":${sums[2]},`
        assert.ok(written.includes(figures), `${grouping}: ${written}, not ${figures}`)
      }
    }
  }
}

/** Members by which a group is told from others: no two counterparts of a corpus share a name. */
function keyOfGroup(group: Record<string, unknown>, grouping: Grouping): string {
  const values = grouping.split(',').map((field) => {
    const value = group[field] as string | { readonly id?: number; readonly iban?: string }
    if (typeof value !== 'object') return value ?? null
    return value.id ?? value.iban ?? JSON.stringify(value)
  })
  return JSON.stringify([...values, group['currency']])
}

/** By grouping, then by key. */
function naiveGroups(path: string): Map<Grouping, Map<string, NaiveGroup>> {
  const groups = new Map(GROUPINGS.map((name) => [name, new Map<string, NaiveGroup>()]))
  const file = WorkspaceFile.openForReading(path)
  try {
    for (const row of file.transactionsNewestFirst()) {
      const amount = sumOf(BigInt(row.amountUnscaled), row.amountScale)
      for (const [grouping, known] of groups) {
        const values = grouping.split(',').map((field) => naiveValue(row, field))
        const key = JSON.stringify([...values, row.currency])
        const group = known.get(key) ?? { count: 0, incoming: 0n, outgoing: 0n }
        known.set(key, group)
        group.count += 1
        if (amount > 0n) group.incoming += amount
        else group.outgoing += amount
      }
    }
  } finally {
    file.close()
  }
  return groups
}

function naiveValue(row: TransactionRow, field: string): string | number | null {
  const day = row.bookedAt === null ? null : formatInstant(row.bookedAt).slice(0, 10)
  switch (field) {
    case 'day':
      return day
    case 'month':
      return day?.slice(0, 7) ?? null
    case 'category':
      return row.categoryId
    case 'parentCategory':
      return row.parentCategoryId ?? row.categoryId
    case 'account':
      return row.accountId
    case 'direction':
      return row.amountUnscaled === 0 ? null : row.amountUnscaled > 0 ? 'in' : 'out'
    default:
      if (row.counterpartIban) return row.counterpartIban
      return row.counterpartName ? JSON.stringify({ name: row.counterpartName }) : null
  }
}

async function timeGrouping(
  caller: SummaryCaller,
  grouping: Grouping,
  requestCount: number,
): Promise<GroupingFigures> {
  const [firstMs, keptMs] = [[] as number[], [] as number[]]
  let groupCount = 0
  for (let i = 0; i < requestCount * 2; i++) {
    const path = caller.nextPath(grouping, `&limit=${PAGE_GROUPS}`)
    const { total, ms } = await caller.ask(path)
    const again = await caller.ask(path)
    groupCount = total
    // The first half warms up.
    if (i < requestCount) continue
    firstMs.push(ms)
    keptMs.push(again.ms)
  }
  return { grouping, groupCount, firstMs: quantilesOf(firstMs), keptMs: quantilesOf(keptMs) }
}

async function readNextTo(
  readers: Readers,
  caller: SummaryCaller,
  { seconds, callerCount }: { readonly seconds: number; readonly callerCount: number },
): Promise<ReadFigures> {
  const state = { isOver: false }
  const callers = Array.from({ length: callerCount }, async (_, number) => {
    for (let i = number; !state.isOver; i++) {
      await caller.ask(caller.nextPath(GROUPINGS[i % GROUPINGS.length] ?? 'month', ''))
    }
  })
  const figures = await readers.readFor(seconds)
  state.isOver = true
  await Promise.all(callers)
  return figures
}

/** The figures as Markdown. */
export function reportSummaries(figures: SummaryFigures): string {
  const { groupings, alone, contended, rowCount, options } = figures
  const targets = groupings.map(({ grouping, firstMs }): Target => {
    const bound = grouping.includes(',') ? TWO_MS_MAX : ONE_MS_MAX
    const what = `p50 by ${grouping.replace(',', ' and ')}`
    return { what, measured: firstMs.p50, unit: 'ms', bound, direction: 'at most' }
  })
  const p99 = (of: readonly ReadFigures[]): number =>
    medianOf(of.map(({ requestMs }) => requestMs.p99))
  targets.push({
    what: 'p99 of a read next to callers of sums, against alone',
    measured: p99(contended) / p99(alone),
    ...{ unit: '×', bound: GROWTH_MAX, direction: 'at most' },
    obstacle: TURN_OBSTACLE,
  })
  const rows = groupings.map(({ grouping, groupCount, firstMs, keptMs }) => [
    ...[grouping.replace(',', ', '), groupCount.toLocaleString('en')],
    ...[firstMs.p50, firstMs.p99, keptMs.p50, keptMs.p99].map(shown),
  ])
  const head = ['grouped by', 'groups', 'p50 ms', 'p99 ms', 'again, p50 ms', 'again, p99 ms']
  const readRow = (name: string, of: readonly ReadFigures[]): string[] => [
    name,
    ...[
      medianOf(of.map(({ requestsPerSecond }) => requestsPerSecond)),
      medianOf(of.map(({ requestMs }) => requestMs.p50)),
      p99(of),
      medianOf(of.map(({ delayMs }) => delayMs.p99)),
    ].map(shown),
  ]
  const reads = table(
    ['readers', 'reads/s', 'p50 ms', 'p99 ms', 'loop delay, p99 ms'],
    [readRow('alone', alone), readRow(`next to ${options.callerCount} callers of sums`, contended)],
  )
  const said = `${rowCount.toLocaleString('en')} rows; ${PAGE_GROUPS} groups a page.`
  return `${said}\n\n${targetTable(targets)}\n\n${table(head, rows)}\n\n${reads}`
}
