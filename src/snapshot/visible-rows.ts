import { partIndexOf } from '../free-text/part-index.js'
import { type TextIndex, textIndexBytes } from '../free-text/text-index.js'
import { addRows, bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { type CodeArray, sharedCodes, sharedUint32 } from '../ordinals/shared-memory.js'
import { buildUnionPostings, codeCountOf, type Postings, postingOf } from './postings.js'
import type { Segment } from './snapshot.js'

/** A segment's rows of some accounts, as far as they are searched. */
export interface VisiblePart {
  /** Ascending ordinals of the segment; the part's rows are numbered by their places here. */
  readonly rows: Uint32Array
  readonly text: TextIndex
  /** As the segment's, of the part's rows. */
  readonly eitherPostings: Postings
}

/** What a part is made of. */
export interface PartTask {
  readonly segment: Pick<
    Segment,
    'rowCount' | 'accountPostings' | 'eitherPostings' | 'categoryCodes' | 'parentCodes'
  >
  readonly text: TextIndex
  /** Codes of the accounts. */
  readonly accountCodes: readonly number[]
}

/** The rows of the accounts, by account: views, each ascending. Accounts without rows have none. */
export function rowsOfAccounts(
  { accountPostings }: Pick<Segment, 'accountPostings'>,
  accountCodes: readonly number[],
): Uint32Array[] {
  const codeCount = codeCountOf(accountPostings)
  return accountCodes
    .filter((code) => code < codeCount)
    .map((code) => postingOf(accountPostings, code))
}

/** The part of a segment that has the rows of the accounts. */
export function visiblePart({ segment, text, accountCodes }: PartTask): VisiblePart {
  const words = emptyWords(segment.rowCount)
  for (const list of rowsOfAccounts(segment, accountCodes)) addRows(words, list)
  const ordinals = ordinalsOf(bitSetOf(words))
  const rows = sharedUint32(ordinals.length)
  rows.set(ordinals)
  const codeCount = codeCountOf(segment.eitherPostings)
  const columns = [segment.categoryCodes, segment.parentCodes].map((codes) =>
    codesOfRows(codes, rows, codeCount),
  )
  return {
    rows,
    text: partIndexOf(text, rows),
    eitherPostings: buildUnionPostings(columns, codeCount),
  }
}

/** @param codeMax greatest code of the column */
function codesOfRows(codes: CodeArray, rows: Uint32Array, codeMax: number): CodeArray {
  const taken = sharedCodes(rows.length, codeMax)
  for (let i = 0; i < rows.length; i++) taken[i] = codes[rows[i]!]! // rows are the column's
  return taken
}

/** Bytes of a part's arrays. */
export function visiblePartBytes({ rows, text, eitherPostings }: VisiblePart): number {
  const { offsets, ordinals } = eitherPostings
  return rows.byteLength + textIndexBytes(text) + offsets.byteLength + ordinals.byteLength
}
