import type { SuggestionKind } from '../domain/suggestion.js'
import { type BitSet, bitAt } from '../ordinals/bit-set.js'
import { RowTexts, type SuggestedRows } from './row-texts.js'
import { type SuggestionCandidate, SuggestionIndex } from './suggestion-index.js'

// The tasks of the thread that suggests: handles to shared memory and small values. The thread
// holds the indexes; it may end at any time, and then knows none.

/** Rows whose texts are to be added to an index. */
export interface LearnTask {
  readonly indexId: number
  readonly rows: SuggestedRows
  /** Those to be read; undefined = all. */
  readonly ordinals: Uint32Array | undefined
  /** undefined = all are live. */
  readonly alive: BitSet | undefined
  /** Positions in `ordinals`, or ordinals. */
  readonly from: number
  readonly to: number
}

/** Names whose texts are to be added to an index. */
export interface LearnNamesTask {
  readonly indexId: number
  readonly kind: SuggestionKind
  readonly names: readonly string[]
}

/** Texts to be found. */
export interface FindTextsTask {
  readonly indexId: number
  readonly query: string
  /** As {@link SuggestionIndex.candidates}. */
  readonly enough: number
  readonly countMax: number
}

/** Progress of an index under construction. */
export interface SettledIndex {
  readonly isSettled: boolean
  /** Bytes of the index. */
  readonly byteCount: number
}

/** Work on the indexes of suggestions, in a thread or, in tests, inline. */
export interface SuggestionTasks {
  /** Adds texts; the first task of an index makes it. */
  learn(task: LearnTask): Promise<void>
  learnNames(task: LearnNamesTask): Promise<void>
  /** Makes some thousand added texts findable; undefined = there is no such index. */
  settle(indexId: number): Promise<SettledIndex | undefined>
  /** undefined = there is no such index. */
  find(task: FindTextsTask): Promise<SuggestionCandidate[] | undefined>
  drop(indexIds: readonly number[]): Promise<void>
}

/** Words that one call makes findable: some ten milliseconds. */
const SETTLED_WORDS_MAX = 2_000

/** The indexes of one thread. */
export class SuggestionIndexes {
  readonly #byId = new Map<number, SuggestionIndex>()

  learn({ indexId, rows, ordinals, alive, from, to }: LearnTask): void {
    const index = this.#indexOf(indexId)
    const texts = new RowTexts(rows)
    for (let i = from; i < to; i++) {
      const row = ordinals === undefined ? i : ordinals[i]!
      if (alive === undefined || bitAt(alive.words, row) === 1) texts.addTo(index, row)
    }
  }

  learnNames({ indexId, kind, names }: LearnNamesTask): void {
    const index = this.#indexOf(indexId)
    for (const name of names) index.addName(kind, name)
  }

  settle(indexId: number): SettledIndex | undefined {
    const index = this.#byId.get(indexId)
    if (index === undefined) return undefined
    const isSettled = index.settle(SETTLED_WORDS_MAX)
    return { isSettled, byteCount: index.byteCount }
  }

  find({ indexId, query, enough, countMax }: FindTextsTask): SuggestionCandidate[] | undefined {
    return this.#byId.get(indexId)?.candidates(query, enough, countMax)
  }

  drop(indexIds: readonly number[]): void {
    for (const indexId of indexIds) this.#byId.delete(indexId)
  }

  #indexOf(indexId: number): SuggestionIndex {
    let index = this.#byId.get(indexId)
    if (index === undefined) {
      index = new SuggestionIndex()
      this.#byId.set(indexId, index)
    }
    return index
  }
}
