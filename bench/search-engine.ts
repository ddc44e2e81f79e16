// The interface of every contender of the search bench, and its timing.
import { strict as assert } from 'node:assert'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryFigures } from './process-figures.js'

/** Rows of a first page. */
export const PAGE_ROWS = 100

/** Sort key of a page, descending; ties by id, descending; rows without the key last. */
export type SearchSort = '_id' | 'bookingDate'
export const SEARCH_SORTS: readonly SearchSort[] = ['_id', 'bookingDate']

/** Number of rows that a search finds, and the ids of its first page. */
export interface Answer {
  readonly total: number
  readonly ids: readonly number[]
}

/** The answer in either order. */
export type Answers = Readonly<Record<SearchSort, Answer>>

/** A search as typed, and the scan's answer. */
export interface SearchQuery {
  readonly text: string
  readonly answers: Answers
  /** Every term is a whole word in every row found. */
  readonly ofWholeWords: boolean
}

/** Searches of one kind. */
export interface SearchClass {
  readonly name: string
  /** Narrow enough to differ from a list. */
  readonly isSelective: boolean
  readonly queries: readonly SearchQuery[]
}

/** All classes for one contender. */
export interface SearchClasses {
  readonly compared: readonly SearchClass[]
  /** Hardest for kontor; the other contenders skip them. */
  readonly adversarial: readonly SearchClass[]
}

/** A contender with its index built. */
export interface SearchEngine {
  /** Milliseconds to build the index from rows in memory. */
  readonly buildMs: number
  /** Bytes of the index; undefined = only the memory of the process shows it. */
  readonly indexBytes: number | undefined
  /** Whether the engine answers this search by kontor's rule. */
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

/** Figures of one contender. */
export interface EngineFigures {
  readonly buildMs: number
  readonly indexBytes: number | undefined
  /** Memory of the process after a garbage collection. */
  readonly residentBytes: number | undefined
  readonly timings: readonly Timing[]
}

/** Repetitions of each search. */
export interface TimingOptions {
  /** At least this many, and until {@link REPEATED_MS} have passed. */
  readonly rounds: number
  /** A search is not repeated once its rounds have taken this long. */
  readonly queryMsMax: number
}

/** Short searches repeat for this long: code after ten runs is not yet optimized. */
const REPEATED_MS = 20

/**
 * Runs every search that the engine can answer, compares the answers with the scan's, and times
 * them only when all are equal.
 * @throws AssertionError when an answer differs
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
  // One untimed search: an engine with a cache now holds this one.
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
