import { type CodeRun, isFree } from './code-run.js'
import { CODES, type CodeSpan, MASKED } from './codes.js'

/**
 * Runs packed into 32 bits, a bit for each code.
 *
 *   FIELD     HOLDS
 *   places    code of a field -> bits of the places that it equals
 *   firsts    bits of the first places
 *   lasts     bits of the last places
 *   numbers   place -> number of the run it is of
 *   zeros     code of a field -> 1 when it is a zero, or looks like one
 */
interface RunWord {
  readonly places: Int32Array
  readonly zeros: Uint8Array
  firsts: number
  lasts: number
  readonly numbers: Int32Array
}

/** Runs that are searched at once, by their numbers. */
export interface CodeRuns {
  readonly runs: readonly (CodeRun | undefined)[]
  readonly words: readonly RunWord[]
}

const WORD_PLACES = 32

/**
 * Packs runs; each has the number of its position in the array.
 * @param runs of one query, up to 32
 */
export function codeRuns(runs: readonly (CodeRun | undefined)[]): CodeRuns {
  const words: RunWord[] = []
  let end = WORD_PLACES
  runs.forEach((run, number) => {
    if (run === undefined) return
    // Runs that compare masked codes leave out other zeros.
    const isOther = words.at(-1)?.zeros[MASKED] !== run.zeros[MASKED]
    if (isOther || end + run.length > WORD_PLACES) {
      const places = new Int32Array(CODES)
      const numbers = new Int32Array(WORD_PLACES)
      words.push({ places, zeros: run.zeros, firsts: 0, lasts: 0, numbers })
      end = 0
    }
    const word = words.at(-1)! // there is one by now
    for (let code = 0; code < CODES; code++) word.places[code]! |= run.places[code]! << end
    word.firsts |= 1 << end
    word.numbers.fill(number, end, end + run.length)
    end += run.length
    word.lasts |= 1 << (end - 1)
  })
  return { runs, words }
}

/**
 * Finds the runs that a field has, each as {@link hasRun} does.
 * @returns bits of their numbers
 */
export function findRuns({ runs, words }: CodeRuns, field: CodeSpan): number {
  const { codes, from, to } = field
  let found = 0
  for (const { places, zeros, firsts, lasts, numbers } of words) {
    let within = 0
    let wanted = lasts
    for (let i = from; i < to && wanted !== 0; i++) {
      const code = codes[i]! // to <= codes.length
      if (zeros[code] === 1) continue
      within = ((within << 1) | firsts) & places[code]! // places has CODES entries
      for (let left = within & wanted; left !== 0; left &= left - 1) {
        const number = numbers[31 - Math.clz32(left & -left)]! // a place
        if (!isFree(runs[number]!, field, i)) continue // it is in the words
        found |= 1 << number
        wanted ^= left & -left
      }
    }
  }
  return found
}
