// Workload: searches by a key that may see two of four accounts, for words that occur only in the
// other two and for words that occur nowhere, each with a different second term every time, so that
// no cache answers; and matches of the same words among the newest rows that the key may see. One
// connection, one request at a time, both kinds in random order.
// Data: the demo's company (corpus.ts) with half of 400 invented words added to its hidden rows,
// each to the same number of rows; the other half occurs nowhere. Engine: uws, where it loads.
// Read: the area under the curve by which the best, the middle or the mean time of a word separates
// the two kinds: 0.5 = not at all, 1 = always.
// Run: npm run bench -- hidden [--rows N] [--seed S] [--record]
import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, randomOf } from '../src/demo/random.js'
import { Database } from '../src/store/sqlite/sqlite-driver.js'
import { startServer } from './child.js'
import { Client } from './client.js'
import { copyCorpus, openCorpus, RESTRICTED_ACCOUNTS, WORKSPACE_ID } from './corpus.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf } from './statistics.js'

/** Upper bound of the area under the curve. */
const AUC_MAX = 0.6

/** Number of words and requests. */
export interface HiddenOptions {
  /** Words of each kind. */
  readonly wordCount: number
  /** Requests for each word. */
  readonly searchCount: number
  readonly matchCount: number
  /** Rows that a match scores, about. */
  readonly matchedRows: number
}

/** How well response times separate words of hidden rows from absent words, by statistic. */
export interface HiddenFigures {
  readonly search: Areas
  readonly match: Areas
  /** Hidden rows that contain each word. */
  readonly rowsPerWord: number
  readonly options: HiddenOptions
}

interface Areas {
  readonly best: number
  readonly middle: number
  readonly mean: number
  /** Of all requests. */
  readonly medianMs: number
}

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measureHidden(
  settings: Settings,
  options: HiddenOptions,
): Promise<HiddenFigures> {
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'hidden')
  const path = copyCorpus(corpus, scratch)
  try {
    const random = randomOf(settings.seed)
    const words = inventedWords(random, 2 * options.wordCount)
    const hidden = words.slice(0, options.wordCount)
    const rowsPerWord = hideWords(path, hidden)
    const bookedAfter = startOfNewest(path, options.matchedRows)
    const serve = ['serve', '--data-dir', scratch, '--port', '0', '--json', '--preload']
    const server = await startServer('program/main.js', serve)
    const client = new Client(server.port)
    try {
      const session = { client, key: corpus.restrictedKey, words, hidden, random, bookedAfter }
      await warmUp(session)
      settings.say('  searches')
      const search = await areasOf(session, searchPath, options.searchCount)
      settings.say('  matches')
      const match = await areasOf(session, matchPath, options.matchCount)
      return { search, match, rowsPerWord, options }
    } finally {
      client.close()
      await server.stop()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Distinct words of seven letters with few letters in common. */
function inventedWords(random: Random, count: number): string[] {
  const words = new Set<string>()
  while (words.size < count) {
    const letters = Array.from({ length: 7 }, (_, i) =>
      random.pick([...(i % 2 === 0 ? 'bdfgklmnprstvwz' : 'aeiou')]),
    )
    words.add(letters.join(''))
  }
  return [...words]
}

/** Adds a word to each hidden row, each word to as many. @returns rows per word */
function hideWords(path: string, words: readonly string[]): number {
  const file = new Database(path)
  try {
    file.exec('CREATE TEMP TABLE hidden (place INTEGER PRIMARY KEY, word TEXT)')
    const insert = file.prepare('INSERT INTO hidden VALUES (?, ?)')
    words.forEach((word, place) => {
      insert.run(place, word)
    })
    const seen = RESTRICTED_ACCOUNTS.join()
    const { changes } = file
      .prepare(
        `UPDATE transactions SET purpose = coalesce(purpose, '') || ' ' ||
           (SELECT word FROM hidden WHERE place = transactions.id % ${words.length})
         WHERE account_id NOT IN (${seen})`,
      )
      .run()
    return Math.floor(changes / words.length)
  } finally {
    file.close()
  }
}

/** @returns a time before which all but some `count` rows that the key may see are booked */
function startOfNewest(path: string, count: number): string {
  const file = new Database(path, { readonly: true })
  try {
    const row = file
      .prepare(
        `SELECT booking_date AS ms FROM transactions WHERE account_id IN (${RESTRICTED_ACCOUNTS})
         ORDER BY booking_date DESC LIMIT 1 OFFSET ?`,
      )
      .get(count) as { readonly ms: number } | undefined
    return new Date(row?.ms ?? 0).toISOString()
  } finally {
    file.close()
  }
}

interface Session {
  readonly client: Client
  readonly key: string
  readonly words: readonly string[]
  /** The words that are in hidden rows. */
  readonly hidden: readonly string[]
  readonly random: Random
  readonly bookedAfter: string
}

/** A different text each time, of the same length and frequency whatever the word is. */
function searchPath(word: string, round: number): string {
  const second = round.toString(36).padStart(2, '0')
  return `transactions/search?limit=0&query=${word}+${second}`
}

/** The same path in every round: rankings are not cached. */
function matchPath(word: string, _round: number, { bookedAfter }: Session): string {
  return `transactions/match?limit=1&threshold=0.9&bookedAfter=${bookedAfter}&query=${word}`
}

/** Runs until code is compiled and the key has its index of visible rows. */
async function warmUp(session: Session): Promise<void> {
  for (let i = 0; i < 2_000; i++) {
    await timed(session, searchPath(`warm${i}`, i))
    if (i % 10 === 0) await timed(session, matchPath('warm', i, session))
  }
}

async function areasOf(
  session: Session,
  pathOf: (word: string, round: number, session: Session) => string,
  count: number,
): Promise<Areas> {
  const { words, hidden, random } = session
  const times = new Map(words.map((word) => [word, new Float64Array(count)]))
  for (let round = 0; round < count; round++) {
    for (const word of shuffled(words, random)) {
      const list = times.get(word)
      if (list !== undefined) list[round] = await timed(session, pathOf(word, round, session))
    }
  }
  const areaOf = (made: (list: Float64Array) => number): number => {
    const [own, others] = [true, false].map((isHidden) =>
      words
        .filter((word) => hidden.includes(word) === isHidden)
        .map((word) => made(times.get(word) ?? new Float64Array(0))),
    )
    const area = areaUnderCurve(own ?? [], others ?? [])
    return Math.max(area, 1 - area)
  }
  return {
    best: areaOf((list) => Math.min(...list)),
    middle: areaOf((list) => medianOf([...list])),
    mean: areaOf((list) => list.reduce((sum, ms) => sum + ms, 0) / list.length),
    medianMs: medianOf([...times.values()].flatMap((list) => [...list])),
  }
}

async function timed({ client, key }: Session, path: string): Promise<number> {
  const fields = { Authorization: `Bearer ${key}` }
  const sentMs = performance.now()
  const { status, fields: answered } = await client.ask({
    path: `/v1/${WORKSPACE_ID}/${path}`,
    fields,
  })
  const tookMs = performance.now() - sentMs
  assert(status === 200 && answered['x-total-count'] === '0', `${path}: ${status}, found nothing`)
  return tookMs
}

function shuffled(words: readonly string[], random: Random): string[] {
  const list = [...words]
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const word = list[i]
    list[i] = list[j] ?? ''
    list[j] = word ?? ''
  }
  return list
}

/** Probability that a value of one list exceeds one of the other; ties count half. */
export function areaUnderCurve(own: readonly number[], others: readonly number[]): number {
  let sum = 0
  for (const value of own) {
    for (const other of others) sum += value > other ? 1 : value === other ? 0.5 : 0
  }
  return sum / (own.length * others.length)
}

/** The figures as Markdown. */
export function reportHidden({ search, match, rowsPerWord, options }: HiddenFigures): string {
  const { wordCount, searchCount, matchCount } = options
  const worst = ({ best, middle, mean }: Areas): number => Math.max(best, middle, mean)
  const target = (what: string, areas: Areas): Target => ({
    what: `area under the curve, ${what}`,
    measured: worst(areas),
    unit: '',
    bound: AUC_MAX,
    direction: 'at most',
  })
  const rowOf = (name: string, count: number, areas: Areas): string[] => [
    ...[name, String(count), shown(areas.medianMs)],
    ...[shown(areas.best), shown(areas.middle), shown(areas.mean)],
  ]
  const head = [
    'operation',
    'requests a word',
    'median ms',
    'AUC, best',
    'AUC, middle',
    'AUC, mean',
  ]
  const rows = [rowOf('searches', searchCount, search), rowOf('matches', matchCount, match)]
  const said =
    `${wordCount} words in ${rowsPerWord} hidden rows each, and as many in none; matches score ` +
    `the newest ${options.matchedRows} rows that the key may see.`
  const targets = [target('searches', search), target('matches', match)]
  return `${said}\n\n${targetTable(targets)}\n\n${table(head, rows)}`
}
