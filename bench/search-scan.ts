// The oracle of the search bench: scans each row's normalized text, one after the other.
import { type Term, termsOf } from '../src/text/normal-forms.js'
import { type Answer, PAGE_ROWS, type SearchEngine, type SearchSort } from './search-engine.js'
import { readSearchedRows, type SearchedRow } from './searched-rows.js'

/** The normalized texts of all rows, ids descending. */
export class Scan implements SearchEngine {
  readonly ids: number[] = []
  readonly indexBytes: number
  readonly buildMs = 0
  /** Words with a blank before and after each. */
  readonly #firsts: string[] = []
  /** The same strings, except for rows in which a word has a different second form. */
  readonly #seconds: string[] = []
  readonly #rowsByBooking: Uint32Array

  /** @param take called with every row as it is read */
  constructor(path: string, take: (row: SearchedRow) => void = () => undefined) {
    const booked: number[] = []
    let length = 0
    readSearchedRows(path, (row) => {
      const first = flat(` ${row.first.join(' ')} `)
      const second = row.second === row.first ? first : flat(` ${row.second.join(' ')} `)
      length += first.length + (second === first ? 0 : second.length)
      this.ids.push(row.id)
      this.#firsts.push(first)
      this.#seconds.push(second)
      booked.push(row.bookedAt ?? Number.NEGATIVE_INFINITY)
      take(row)
    })
    this.indexBytes = length
    // Ids descend already, and sorting is stable.
    this.#rowsByBooking = Uint32Array.from(booked.keys()).sort(
      (a, b) => compare(booked[b] ?? 0, booked[a] ?? 0) || a - b,
    )
  }

  answers(): boolean {
    return true
  }

  answer(text: string, sort: SearchSort): Answer {
    const terms = termsOf(text)
    const ids: number[] = []
    let total = 0
    for (let i = 0; i < this.ids.length; i++) {
      const row = sort === '_id' ? i : (this.#rowsByBooking[i] ?? 0)
      if (!this.#hasAll(row, terms)) continue
      total += 1
      if (ids.length < PAGE_ROWS) ids.push(this.ids[row] ?? 0)
    }
    return { total, ids }
  }

  /** Counts the rows that hold every term. @param step 1 = all rows, 10 = every tenth */
  count(terms: readonly Term[], step = 1): number {
    let total = 0
    for (let row = 0; row < this.ids.length; row += step) {
      if (this.#hasAll(row, terms)) total += 1
    }
    return total
  }

  /** Counts the rows that have every term as a word. */
  countWholeWords(text: string): number {
    const words = termsOf(text).map(({ first, second }) => ({
      first: ` ${first} `,
      second: ` ${second} `,
    }))
    return this.count(words)
  }

  /** Words, in the first form, of the row at a share of the list. @param share below 1 */
  wordsAt(share: number): string[] {
    const row = Math.floor(this.ids.length * share)
    return (this.#firsts[row] ?? '').split(' ').filter((word) => word !== '')
  }

  #hasAll(row: number, terms: readonly Term[]): boolean {
    const first = this.#firsts[row] ?? ''
    const second = this.#seconds[row] ?? ''
    return terms.every((term) => first.includes(term.first) || second.includes(term.second))
  }
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The text as one piece of memory: V8 keeps joined strings in parts until they are searched. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
