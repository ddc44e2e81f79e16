// Workload: suggestions for slips in names, over HTTP, one at a time: slips of one edit, of two, in
// umlauts and double letters, and beginnings; each with the name that was meant. First the query
// that has the texts read, next to a reader of pages; its p99 is compared with that before.
// Data: a shop or the demo's company (corpus.ts), 1,000,000 rows, seed 7. Slips that spell another
// text are left out: they are no slips of it any more. Each name is equally likely, a word as
// likely as it is frequent.
// Read: recall of the first five, the time of an answer, seconds to the first one, memory.
// Run: npm run bench -- suggest [--corpus shop] [--rows N] [--record]
import { strict as assert } from 'node:assert'
import { type Random, randomOf } from '../src/demo/random.js'
import type { Suggestion } from '../src/domain/suggestion.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { isSuggestible, wordsOfPurpose } from '../src/suggestions/suggestion-index.js'
import { type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { openCorpus, WORKSPACE_ID } from './corpus.js'
import { cpuMicroseconds, memoryFigures, untilAtRest } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'
import { respelled, SLIPS, slipped } from './typing-slips.js'

/** The classes of queries, in the order of the report. */
const CLASSES = ['one slip', 'two slips', 'umlauts, double letters', 'beginning', 'word'] as const

type QueryClass = (typeof CLASSES)[number]

/** Queries and pages of a run. */
export interface SuggestOptions {
  /** Queries of each class. */
  readonly queryCount: number
  /** Pages that are read before the texts are. */
  readonly pageCount: number
}

/** Figures of a class. */
interface ClassFigures {
  /** Share of the queries whose first five suggestions have the text that was meant. */
  readonly recall: number
  readonly ms: Quantiles
  /** CPU time of the service per query, all threads; NaN where the system does not report it. */
  readonly cpuMs: number
}

/** All figures of the bench. */
export interface SuggestFigures {
  readonly rowCount: number
  readonly nameCount: number
  readonly classes: Readonly<Record<QueryClass, ClassFigures>>
  /** From the first query to its answer. */
  readonly firstSeconds: number
  /** Resident memory that the texts have added; NaN where the system does not report it. */
  readonly addedBytes: number
  /** Of a page, before and while the texts are read. */
  readonly pageMs: Quantiles
  readonly pageMsWhileRead: Quantiles
}

/** A query, and the text that was meant. */
interface LabelledQuery {
  readonly query: string
  readonly text: string
}

/** Runs the whole bench. */
export async function measureSuggestions(
  settings: Settings,
  { queryCount, pageCount }: SuggestOptions,
): Promise<SuggestFigures> {
  const { say, seed } = settings
  const { directory, workspacePath, rowCount, apiKey } = await openCorpus(settings)
  say('queries')
  const texts = textsOf(workspacePath)
  const queries = labelledQueries(texts, queryCount, randomOf(seed))
  const words = ['serve', '--data-dir', directory.path, '--port', '0', '--json']
  const server = await startServer('program/main.js', words)
  const asked = new Served(server, apiKey)
  try {
    say('pages')
    await asked.untilIndexed()
    await untilAtRest(server.pid)
    const pageMs = quantilesOf(await asked.pages(pageCount))
    const before = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
    say('the first query')
    const { seconds, pageTimes } = await asked.first('first')
    await untilAtRest(server.pid)
    const addedBytes = (memoryFigures(server.pid)?.residentBytes ?? Number.NaN) - before
    say('slips')
    const classes: Partial<Record<QueryClass, ClassFigures>> = {}
    for (const name of CLASSES) classes[name] = await asked.figuresOf(queries[name])
    return {
      ...{ rowCount, nameCount: texts.names.length, firstSeconds: seconds, addedBytes, pageMs },
      pageMsWhileRead: quantilesOf(pageTimes),
      classes: classes as Record<QueryClass, ClassFigures>, // of every class by now
    }
  } finally {
    asked.close()
    await server.stop()
  }
}

/** A served workspace as the bench asks it. */
class Served {
  readonly #client: Client

  constructor(
    private readonly server: ServerProcess,
    private readonly apiKey: string,
  ) {
    this.#client = new Client(server.port)
  }

  close(): void {
    this.#client.close()
  }

  async untilIndexed(): Promise<void> {
    while ((await this.#ask('/transactions/search?query=x&limit=0')).status !== 200);
  }

  /** Milliseconds of pages. */
  async pages(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.#timed('/transactions?limit=100'))
    return times
  }

  /** The first query, and pages that are read meanwhile. */
  async first(query: string): Promise<{ readonly seconds: number; readonly pageTimes: number[] }> {
    const startedMs = performance.now()
    let endedMs = Number.NaN
    const answered = this.#suggestions(query).then(() => {
      endedMs = performance.now()
    })
    const pageTimes: number[] = []
    while (Number.isNaN(endedMs)) pageTimes.push(await this.#timed('/transactions?limit=100'))
    await answered
    return { seconds: (endedMs - startedMs) / 1_000, pageTimes }
  }

  async figuresOf(queries: readonly LabelledQuery[]): Promise<ClassFigures> {
    const times: number[] = []
    let hitCount = 0
    const before = cpuMicroseconds(this.server.pid) ?? Number.NaN
    for (const { query, text } of queries) {
      const startedMs = performance.now()
      const suggested = await this.#suggestions(query)
      times.push(performance.now() - startedMs)
      if (suggested.some((one) => one.text.toLowerCase() === text.toLowerCase())) hitCount += 1
    }
    const cpuUs = (cpuMicroseconds(this.server.pid) ?? Number.NaN) - before
    const { length } = queries
    return { recall: hitCount / length, ms: quantilesOf(times), cpuMs: cpuUs / length / 1_000 }
  }

  /** Five suggestions; a query that waits for too long is sent again. */
  async #suggestions(query: string): Promise<readonly Suggestion[]> {
    for (;;) {
      const text = encodeURIComponent(query)
      const { status, body } = await this.#ask(`/transactions/suggestions?query=${text}&limit=5`)
      if (status === 200) return JSON.parse(body.toString()) as Suggestion[]
      assert.equal(status, 503, body.toString())
    }
  }

  async #timed(text: string): Promise<number> {
    const startedMs = performance.now()
    const { status } = await this.#ask(text)
    assert.equal(status, 200)
    return performance.now() - startedMs
  }

  #ask(text: string): ReturnType<Client['ask']> {
    const fields = { Authorization: `Bearer ${this.apiKey}` }
    return this.#client.ask({ path: `/v1/${WORKSPACE_ID}${text}`, fields })
  }
}

interface Texts {
  /** Distinct names of counterparts with a letter. */
  readonly names: readonly string[]
  /** Words of some purposes, as often as they occur. */
  readonly words: readonly string[]
}

/** Purposes of which the words are queried. */
const PURPOSES_MAX = 20_000

function textsOf(path: string): Texts {
  const names = new Set<string>()
  const words: string[] = []
  let purposeCount = 0
  const file = WorkspaceFile.openForReading(path)
  for (const { counterpartName, purpose } of file.transactionsNewestFirst()) {
    if (counterpartName !== null && isSuggestible(counterpartName)) names.add(counterpartName)
    if (purpose !== null && purposeCount++ < PURPOSES_MAX) words.push(...wordsOfPurpose(purpose))
  }
  file.close()
  return { names: [...names].filter((name) => name.length >= 6), words }
}

function labelledQueries(
  { names, words }: Texts,
  count: number,
  random: Random,
): Record<QueryClass, LabelledQuery[]> {
  const known = new Set([...names, ...words].map((text) => text.toLowerCase()))
  const once = (text: string): string | undefined => slipped(text, random.pick(SLIPS), random)
  const makers: Record<QueryClass, () => LabelledQuery> = {
    'one slip': () => labelled(random.pick(names), once),
    'two slips': () => labelled(random.pick(names), (text) => once(once(text) ?? text)),
    'umlauts, double letters': () =>
      labelled(random.pick(names), (text) => respelled(text, random)),
    beginning: () => labelled(random.pick(names), (text) => text.slice(0, -2)),
    word: () => labelled(random.pick(words), once),
  }
  function labelled(text: string, change: (text: string) => string | undefined): LabelledQuery {
    return { query: change(text) ?? '', text }
  }
  const entries = CLASSES.map((name): [QueryClass, LabelledQuery[]] => {
    const queries: LabelledQuery[] = []
    while (queries.length < count) {
      const made = makers[name]()
      if (made.query.trim() !== '' && !known.has(made.query.toLowerCase())) queries.push(made)
    }
    return [name, queries]
  })
  return Object.fromEntries(entries) as Record<QueryClass, LabelledQuery[]>
}

/** Bounds of recall, by class; the others have none. */
const RECALLS = { 'one slip': 0.95, 'two slips': 0.8, 'umlauts, double letters': 0.98 } as const

/** The targets of the bench. */
export function suggestTargets(figures: SuggestFigures): Target[] {
  const { classes, firstSeconds, addedBytes, pageMs, pageMsWhileRead } = figures
  const recalls = Object.entries(RECALLS).map(([name, bound]): Target => {
    const { recall } = classes[name as keyof typeof RECALLS]
    return {
      what: `recall at 5, ${name}`,
      measured: recall,
      unit: '',
      bound,
      direction: 'at least',
    }
  })
  const most = (what: string, measured: number, bound: number, unit: string): Target => ({
    ...{ what, measured, bound, unit },
    direction: 'at most',
  })
  const worst = (quantile: keyof Quantiles): number =>
    Math.max(...CLASSES.map((name) => classes[name].ms[quantile]))
  return [
    ...recalls,
    most('p50 of the slowest class', worst('p50'), 5, 'ms'),
    most('p99 of the slowest class', worst('p99'), 25, 'ms'),
    most('until the first answer', firstSeconds, 10, 's'),
    most('memory of the texts', addedBytes / 1e6, 200, 'MB'),
    most('p50 of a page while texts are read', pageMsWhileRead.p50 / pageMs.p50, 1.5, '×'),
  ]
}

/** The report of the bench. */
export function reportSuggestions(figures: SuggestFigures): string {
  const { rowCount, nameCount, classes, pageMs, pageMsWhileRead } = figures
  const rows = CLASSES.map((name) => {
    const { recall, ms, cpuMs } = classes[name]
    return [name, shown(recall), shown(ms.p50), shown(ms.p99), shown(cpuMs)]
  })
  const pages = [
    ['before', shown(pageMs.p50), shown(pageMs.p99)],
    ['while texts are read', shown(pageMsWhileRead.p50), shown(pageMsWhileRead.p99)],
  ]
  return [
    `${shown(rowCount)} rows, ${shown(nameCount)} names`,
    targetTable(suggestTargets(figures)),
    table(['queries', 'recall at 5', 'p50 ms', 'p99 ms', 'CPU ms, mean'], rows),
    table(['pages', 'p50 ms', 'p99 ms'], pages),
  ].join('\n\n')
}
