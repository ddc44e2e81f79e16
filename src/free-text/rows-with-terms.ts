import { fullWords } from '../ordinals/bit-set.js'
import { isListed } from '../ordinals/ordinal-list.js'
import type { Term } from '../text/normal-forms.js'
import {
  commonRows,
  type RowSet,
  rowSetCount,
  rowSetOf,
  rowSetOrdinals,
  setOfOrdinals,
} from './row-set.js'
import { rowsOfWords } from './rows-of-words.js'
import { costOfTerm, type TermCost } from './term-cost.js'
import type { TextIndex } from './text-index.js'
import { readVarint, varintBytes } from './varint.js'
import { bytesOccur, bytesOfTerm, type TermBytes, wordsWithTerm } from './words-with-term.js'

/** Nanoseconds per byte of a row's codes to read and compare its words. */
const ROW_BYTE_COST = 60

/** Nanoseconds per row to intersect two sets of bits. */
const INTERSECTED_ROW_COST = 0.1

/** Rows that have a term outside of the index, in ascending lists. */
export type FurtherRows = (term: Term) => Iterable<Uint32Array>

/** Approximate nanoseconds of a search, estimated in microseconds. */
export function searchCost(index: TextIndex, terms: readonly Term[]): number {
  const costs = terms.map((term) => costOfTerm(index, bytesOfTerm(term))).sort(byCost)
  const [cheapest, ...others] = costs
  if (cheapest === undefined) return 0
  const rowsCost = cheapest.rowsMax * rowCost(index)
  return others.reduce(
    (sum, { cost }) => sum + Math.min(cost + index.rowCount * INTERSECTED_ROW_COST, rowsCost),
    cheapest.cost,
  )
}

/** Approximate nanoseconds to read and compare the words of one row. */
function rowCost({ rowWords, rowCount }: TextIndex): number {
  return (rowWords.length / rowCount) * ROW_BYTE_COST
}

/** The rows that have the term in a searched field. */
export function rowsWithTerm(index: TextIndex, term: Term): RowSet {
  return rowsOfWords(index, wordsWithTerm(index, bytesOfTerm(term)), [])
}

/**
 * The rows that have every term, in a searched field or among its further rows; every row for no
 * terms.
 */
export function rowsWithAllTerms(
  index: TextIndex,
  terms: readonly Term[],
  alsoOf: FurtherRows,
): RowSet {
  const [cheapest, ...others] = terms.map((term) => searchFor(index, term, alsoOf)).sort(byCost)
  if (cheapest === undefined) return rowSetOf(fullWords(index.rowCount), index.rowCount)
  let rows = rowsOfSearch(index, cheapest)
  for (const search of others) {
    const count = rowSetCount(rows)
    if (count === 0) break
    if (count * rowCost(index) < search.cost) {
      rows = setOfOrdinals(keepRowsWith(index, search, rowSetOrdinals(rows)), index.rowCount)
    } else rows = commonRows(rows, rowsOfSearch(index, search), index.rowCount)
  }
  return rows
}

interface TermSearch extends TermCost {
  readonly term: TermBytes
  readonly also: readonly Uint32Array[]
}

function searchFor(index: TextIndex, term: Term, alsoOf: FurtherRows): TermSearch {
  const bytes = bytesOfTerm(term)
  const also = [...alsoOf(term)].filter((rows) => rows.length > 0)
  const { cost, rowsMax } = costOfTerm(index, bytes)
  const alsoCount = also.reduce((sum, rows) => sum + rows.length, 0)
  return { term: bytes, also, cost: cost + alsoCount, rowsMax: rowsMax + alsoCount }
}

function byCost(a: TermCost, b: TermCost): number {
  return a.cost - b.cost
}

function rowsOfSearch(index: TextIndex, { term, also }: TermSearch): RowSet {
  return rowsOfWords(index, wordsWithTerm(index, term), also)
}

/** Keeps the rows that have the term, by reading the words of the rows. */
function keepRowsWith(index: TextIndex, search: TermSearch, rows: Uint32Array): Uint32Array {
  return rows.filter(
    (row) => rowHasTerm(index, row, search.term) || search.also.some((list) => isListed(list, row)),
  )
}

/** Whether the term occurs in a word of the row; reads the words of no other row. */
export function rowHasTerm(index: TextIndex, row: number, term: TermBytes): boolean {
  const { rowWords, rowWordOffsets, wordBytes, wordOffsets } = index
  const end = rowWordOffsets[row + 1]!
  for (let at = rowWordOffsets[row]!; at < end; ) {
    const code = readVarint(rowWords, at)
    at += varintBytes(code)
    const from = wordOffsets[code]!
    const to = wordOffsets[code + 1]!
    const form = code < index.secondFormsFrom ? term.first : term.second
    if (bytesOccur(wordBytes, from, to, form)) return true
    const equal = code < index.firstFormsFrom
    if (equal && term.differ && bytesOccur(wordBytes, from, to, term.second)) return true
  }
  return false
}
