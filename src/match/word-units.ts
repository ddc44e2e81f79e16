import { type Chunk, textOf } from './chunks.js'
import { codeOf, GAP_BLANK, GAP_NONE, isLetter } from './codes.js'
import { keywordAt, NO_CLASS } from './dictionary.js'
import { monthOf, namesOf } from './months.js'

/**
 * A word of a query.
 *
 *   FIELD    HOLDS
 *   forms    its letters, and its spellings with lost umlauts; all names of a month
 *   joined   its letters with those of the word before or after it, as one word
 *   weight   its letters; of a month more: the rent of mei is not that of juni
 *   isMonth  whether it is a month, which counts only as a whole
 */
export interface WordUnit {
  readonly forms: readonly Uint8Array[]
  readonly joined: readonly Uint8Array[]
  readonly weight: number
  readonly isMonth: boolean
}

const MONTH_WEIGHT = 12

const WORD_LENGTH_MIN = 3

/**
 * The words of chunks that belong to no reference: of three letters and more that are no keyword;
 * where the query has neither such a word nor a reference, all of its words.
 */
export function wordsOf(
  codes: Uint8Array,
  gaps: Uint8Array,
  chunks: readonly Chunk[],
  hasReference: boolean,
): WordUnit[] {
  const runs = chunks.flatMap((chunk) => letterRuns(codes, gaps, chunk))
  const long = runs.filter((run) => run.to - run.from >= WORD_LENGTH_MIN)
  const words = long.filter((run) => keywordAt(codes, run.from, run.to) === NO_CLASS)
  const isEnough = words.length > 0 || hasReference
  const chosen = isEnough ? words : long.length > 0 ? long : runs
  return chosen.map((run, i) => {
    const pairs = [[chosen[i - 1], run] as const, [run, chosen[i + 1]] as const]
    const joined = pairs.flatMap(([first, second]) => joinedOf(codes, gaps, first, second))
    return { ...wordUnit(codes, run), joined }
  })
}

function letterRuns(codes: Uint8Array, gaps: Uint8Array, chunk: Chunk): Chunk[] {
  const runs: Chunk[] = []
  for (let i = chunk.from; i < chunk.to; i++) {
    if (!isLetter(codes[i]!)) continue // chunk.to <= codes.length
    const last = runs.at(-1)
    if (last?.to === i && gaps[i] === GAP_NONE) last.to = i + 1
    else runs.push({ from: i, to: i + 1, hasDigits: false })
  }
  return runs
}

const UMLAUTS = /([AOU])E/g

/** The letters of two words a blank apart, which a field may have as one; none for others. */
function joinedOf(
  codes: Uint8Array,
  gaps: Uint8Array,
  first: Chunk | undefined,
  second: Chunk | undefined,
): Uint8Array[] {
  const isNext = first !== undefined && second?.from === first.to && gaps[first.to] === GAP_BLANK
  return isNext ? [codes.slice(first.from, second.to)] : []
}

function wordUnit(codes: Uint8Array, run: Chunk): Omit<WordUnit, 'joined'> {
  const word = textOf(codes, run.from, run.to)
  const month = monthOf(word)
  if (month !== undefined) {
    return { weight: MONTH_WEIGHT, forms: namesOf(month).map(codesOf), isMonth: true }
  }
  const forms = new Set([word, word.replace(UMLAUTS, '$1'), word.replace(UMLAUTS, '')])
  return {
    weight: word.length,
    forms: [...forms].filter((form) => form.length > 1 || form === word).map(codesOf),
    isMonth: false,
  }
}

function codesOf(word: string): Uint8Array {
  return Uint8Array.from(word, codeOf)
}
