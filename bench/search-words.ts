import type { Scan } from './search-scan.js'
import type { SearchedRow } from './searched-rows.js'

/** Sampled rows to estimate how many rows contain a letter sequence. */
const SAMPLED_ROWS = 10_000

/** Step between the rows whose reference is taken. */
const REFERENCE_STEP = 97
const REFERENCES_MAX = 2_000

/** A word of at least four letters, one of them an umlaut. */
const UMLAUT_WORD = /^(?=.*[äöü])[a-zäöü]{4,}$/i

/** A text, and the number of rows or words that contain it. */
export interface Counted {
  readonly text: string
  readonly count: number
}

/** The words of a workspace with their row counts. */
export class WordCounts {
  /** Number of rows by word, in the first normal form. */
  readonly rows = new Map<string, number>()
  /** Number of rows by word with an umlaut, as spelled. */
  readonly umlauts = new Map<string, number>()
  /** End-to-end references of a single word, as spelled. */
  readonly references: string[] = []

  /** Counts the words of a row. */
  add({ id, text, first, second, reference }: SearchedRow): void {
    for (const word of new Set(first)) add(this.rows, word)
    if (first !== second) {
      const spelled = text.split(/\s+/).filter((word) => UMLAUT_WORD.test(word))
      for (const word of new Set(spelled)) add(this.umlauts, word)
    }
    const isWanted = reference !== null && !/\s/.test(reference) && id % REFERENCE_STEP === 0
    if (isWanted && this.references.length < REFERENCES_MAX) this.references.push(reference)
  }
}

/** The wanted entries, the most frequent first. */
export function ranked(
  counts: ReadonlyMap<string, number>,
  isWanted: (text: string) => boolean = () => true,
): Counted[] {
  return [...counts]
    .filter(([text]) => isWanted(text))
    .map(([text, count]) => ({ text, count }))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
}

/** The distinct entries at these shares of a list. @param shares 0 = the first */
export function atShares(list: readonly Counted[], shares: readonly number[]): string[] {
  const texts = shares.map((share) => list[Math.floor((list.length - 1) * share)]?.text)
  return [...new Set(texts)].filter((text) => text !== undefined)
}

/** Number of sampled rows by sequence of one to five letters within a word. */
export function sampledSequences(scan: Scan): {
  readonly sequences: Map<string, number>
  readonly rowCount: number
} {
  const sequences = new Map<string, number>()
  const rowCount = Math.min(SAMPLED_ROWS, scan.ids.length)
  for (let i = 0; i < rowCount; i++) {
    const seen = new Set<string>()
    for (const word of scan.wordsAt(i / rowCount)) addSequences(seen, word, 1, 5)
    for (const sequence of seen) add(sequences, sequence)
  }
  return { sequences, rowCount }
}

/** Number of words by letter sequence; takes every `step`-th word. */
export function sequencesOfWords(
  words: Iterable<string>,
  lengths: { readonly from: number; readonly to: number; readonly step: number },
): Map<string, number> {
  const counts = new Map<string, number>()
  let place = 0
  for (const word of words) {
    if (place++ % lengths.step !== 0) continue
    const seen = new Set<string>()
    addSequences(seen, word, lengths.from, lengths.to)
    for (const sequence of seen) add(counts, sequence)
  }
  return counts
}

function addSequences(seen: Set<string>, word: string, from: number, to: number): void {
  for (let length = from; length <= to; length++) {
    for (let at = 0; at + length <= word.length; at++) seen.add(word.slice(at, at + length))
  }
}

function add(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1)
}
