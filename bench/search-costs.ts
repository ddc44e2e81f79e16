// Estimated cost and duration of searches for substrings of any length of any word, with one term
// or several.
import { type Random, randomOf } from '../src/demo/random.js'
import type { TextIndex } from '../src/free-text/text-index.js'
import { SEARCH_COST_MAX } from '../src/query/search.js'
import type { SearchClass } from './search-engine.js'
import type { KontorSearch } from './search-kontor.js'
import { quantilesOf } from './statistics.js'

/** Repetitions of each search; the minimum counts, because other programs only add time. */
const TRIALS = 5

/** Limit in milliseconds for any work on the thread that answers requests. */
export const SLICE_MS_MAX = 5

/** Searches of about the same estimate. */
export interface CostFigures {
  /** Estimated nanoseconds, from .. to. */
  readonly from: number
  readonly to: number
  readonly searchCount: number
  /** Duration of finding the rows. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Longest complete answer, sorted by booking date, without a cache. */
  readonly answerMsMax: number
  /** The slowest search. */
  readonly slowest: string
}

/** Accuracy of the estimate. */
export interface CostsFigures {
  readonly steps: readonly CostFigures[]
  /** Largest estimate up to which no search took more than {@link SLICE_MS_MAX}. */
  readonly safeCost: number
  /** Longest answer of the searches that stay on the main thread, milliseconds. */
  readonly longestOnMainMs: number
  /** Share of the searches that move to another thread, and the unnecessary share of those. */
  readonly handedOver: number
  readonly handedOverInVain: number
}

interface Measured {
  readonly text: string
  readonly cost: number
  readonly findMs: number
  readonly answerMs: number
}

/** @param classes searched in addition to as many random ones */
export function measureCosts(
  kontor: KontorSearch,
  classes: readonly SearchClass[],
  options: { readonly seed: number; readonly searchCount: number },
): CostsFigures {
  const random = randomOf(options.seed)
  const chosen = classes.flatMap(({ queries }) => queries.map(({ text }) => text))
  const made = Array.from({ length: options.searchCount }, () => searchOf(kontor.text, random))
  const measured = [...chosen, ...made].map((text) => measureSearch(kontor, text))
  return {
    steps: stepsOf(measured),
    safeCost: safeCostOf(measured),
    ...handedOverOf(measured),
  }
}

/** Four searches out of five have one term. */
function searchOf(text: TextIndex, random: Random): string {
  const termCount = random.chance(800) ? 1 : random.pick([2, 3, 4, 8, 32])
  return Array.from({ length: termCount }, () => spanOf(text, random)).join(' ')
}

/** A substring of a word; common words, whose codes are low, as often as rare ones. */
function spanOf({ wordBytes, wordOffsets, firstFormsFrom }: TextIndex, random: Random): string {
  const share = random.below(1_000_000) / 1_000_000
  const code = Math.min(firstFormsFrom - 1, Math.floor(firstFormsFrom ** share))
  const bytes = wordBytes.slice(wordOffsets[code], wordOffsets[code + 1])
  const letters = [...Buffer.from(bytes).toString()]
  const length = random.between(1, Math.min(8, letters.length))
  const start = random.between(0, letters.length - length)
  return letters.slice(start, start + length).join('')
}

function measureSearch(kontor: KontorSearch, text: string): Measured {
  const found = Array.from({ length: TRIALS }, () => kontor.finding(text))
  const answers = Array.from({ length: TRIALS }, () => {
    const startedMs = performance.now()
    kontor.answer(text, 'bookingDate')
    return performance.now() - startedMs
  })
  return {
    text,
    cost: found[0]?.cost ?? 0,
    findMs: Math.min(...found.map(({ findMs }) => findMs)),
    answerMs: Math.min(...answers),
  }
}

/** Three steps per decade. */
function stepsOf(measured: readonly Measured[]): CostFigures[] {
  const byStep = new Map<number, Measured[]>()
  for (const one of measured) {
    const step = Math.floor(Math.log10(Math.max(1_000, one.cost)) * 3)
    byStep.set(step, [...(byStep.get(step) ?? []), one])
  }
  return [...byStep]
    .sort(([a], [b]) => a - b)
    .map(([step, searches], place) => {
      const { p50, p99, max } = quantilesOf(searches.map(({ findMs }) => findMs))
      return {
        from: place === 0 ? 0 : 10 ** (step / 3),
        to: 10 ** ((step + 1) / 3),
        searchCount: searches.length,
        p50Ms: p50,
        p99Ms: p99,
        maxMs: max,
        answerMsMax: Math.max(...searches.map(({ answerMs }) => answerMs)),
        slowest: searches.toSorted((a, b) => b.findMs - a.findMs)[0]?.text ?? '',
      }
    })
}

function safeCostOf(measured: readonly Measured[]): number {
  const tooLong = measured.filter(({ answerMs }) => answerMs > SLICE_MS_MAX)
  const bound = Math.min(Number.POSITIVE_INFINITY, ...tooLong.map(({ cost }) => cost))
  return Math.max(0, ...measured.map(({ cost }) => cost).filter((cost) => cost < bound))
}

function handedOverOf(measured: readonly Measured[]): Omit<CostsFigures, 'steps' | 'safeCost'> {
  const handed = measured.filter(({ cost }) => cost > SEARCH_COST_MAX)
  const kept = measured.filter(({ cost }) => cost <= SEARCH_COST_MAX)
  const inVain = handed.filter(({ answerMs }) => answerMs <= SLICE_MS_MAX)
  return {
    longestOnMainMs: Math.max(0, ...kept.map(({ answerMs }) => answerMs)),
    handedOver: handed.length / measured.length,
    handedOverInVain: inVain.length / Math.max(1, handed.length),
  }
}
