// What every contender of the search bench does, and how it is timed.
import { strict as assert } from 'node:assert'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryFigures } from './process-figures.js'

/** Rows of a first page. */
export const PAGE_ROWS = 100

/** What a page is sorted by, descending; ties by id, descending; rows without the key last. */
export type SearchSort = '_id' | 'bookingDate'
export const SEARCH_SORTS: readonly SearchSort[] = ['_id', 'bookingDate']

/** How many rows a search finds, and the ids of its first page. */
export interface Answer {
  readonly total: number
  readonly ids: readonly number[]
}

/** The answer in either order. */
export type Answers = Readonly<Record<SearchSort, Answer>>

/** A search as a caller types it, and what the scan has found for it. */
export interface SearchQuery {
  readonly text: string
  readonly answers: Answers
  /** Every term is a whole word of every row that is found. */
  readonly ofWholeWords: boolean
}

/** Searches of one kind. */
export interface SearchClass {
  readonly name: string
  /** Narrow enough to be told apart from a list. */
  readonly isSelective: boolean
  readonly queries: readonly SearchQuery[]
}

/** All classes that one contender is asked. */
export interface SearchClasses {
  readonly compared: readonly SearchClass[]
  /** What is hardest for kontor; nobody else is asked. */
  readonly adversarial: readonly SearchClass[]
}

/** A contender, ready to be asked. */
export interface SearchEngine {
  /** Milliseconds of making the index, of rows that are in memory already. */
  readonly buildMs: number
  /** Bytes of the index; undefined = only the process's memory tells. */
  readonly indexBytes: number | undefined
  /** Whether the engine finds what the rule says for this search. */
  answers(query: SearchQuery): boolean
  answer(text: string, sort: SearchSort): Answer
}

/** Timed searches of one query in one order. */
export interface Timing {
  readonly className: string
  readonly text: string
  readonly sort: SearchSort
  readonly total: number
  readonly durationsMs: readonly number[]
}

/** What one contender has shown. */
export interface EngineFigures {
  readonly buildMs: number
  readonly indexBytes: number | undefined
  /** Of the process, after a collection of garbage. */
  readonly residentBytes: number | undefined
  readonly timings: readonly Timing[]
}

/** How often each search is timed. */
export interface TimingOptions {
  /** At least so often, and until {@link REPEATED_MS} are over. */
  readonly rounds: number
  /** A search is not repeated once its rounds have taken so long. */
  readonly queryMsMax: number
}

/** Short searches are repeated for so long: code that has run ten times is not what it will be. */
const REPEATED_MS = 20

/**
 * Asks everything that the engine can answer, compares with what the scan has found, and only when
 * all is equal times it.
 * @throws AssertionError when an answer is another one
 */
export function measureEngine(
  engine: SearchEngine,
  classes: readonly SearchClass[],
  options: TimingOptions,
): EngineFigures {
  const residentBytes = collectedResidentBytes()
  const asked = classes.flatMap(({ name, queries }) =>
    queries
      .filter((query) => engine.answers(query))
      .flatMap((query) => SEARCH_SORTS.map((sort) => ({ name, query, sort }))),
  )
  for (const { query, sort } of asked) {
    const { text, answers } = query
    assert.deepEqual(engine.answer(text, sort), answers[sort], `${text}, by ${sort}`)
  }
  const timings = asked.map(({ name, query, sort }): Timing => {
    const { text, answers } = query
    const durationsMs = timesOf(() => engine.answer(text, sort), options)
    return { className: name, text, sort, total: answers[sort].total, durationsMs }
  })
  const { buildMs, indexBytes } = engine
  return { buildMs, indexBytes, residentBytes, timings }
}

function timesOf(search: () => unknown, { rounds, queryMsMax }: TimingOptions): number[] {
  // Once without the clock: what remembers searches has then seen this one.
  search()
  const durationsMs: number[] = []
  const beganMs = performance.now()
  const endMs = beganMs + Math.min(queryMsMax, REPEATED_MS)
  let nowMs = beganMs
  while (durationsMs.length < rounds || nowMs < endMs) {
    const startedMs = performance.now()
    search()
    nowMs = performance.now()
    durationsMs.push(nowMs - startedMs)
    if (nowMs - beganMs > queryMsMax) break
  }
  return durationsMs
}

function collectedResidentBytes(): number | undefined {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return memoryFigures(process.pid)?.residentBytes
}
