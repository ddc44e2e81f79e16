import { partIndexOf } from '../free-text/merge.js'
import { type TextIndex, textIndexBytes } from '../free-text/text-index.js'
import { addRows, bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { type CodeArray, sharedCodes, sharedUint32 } from '../ordinals/shared-memory.js'
import { buildUnionPostings, codeCountOf, type Postings, postingOf } from './postings.js'
import type { Segment } from './snapshot.js'

/** The searched columns of a segment, reduced to the rows of some accounts. */
export interface VisiblePart {
  /** Ascending ordinals of the segment; the part numbers its rows by their positions here. */
  readonly rows: Uint32Array
  readonly text: TextIndex
  /** As the segment's, for the part's rows. */
  readonly eitherPostings: Postings
}

/** Input of a part. */
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

/** Builds the part of a segment that has the rows of the accounts. */
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
  for (let i = 0; i < rows.length; i++) taken[i] = codes[rows[i]!]! // ordinals of the column
  return taken
}

/** Bytes of a part's arrays. */
export function visiblePartBytes({ rows, text, eitherPostings }: VisiblePart): number {
  const { offsets, ordinals } = eitherPostings
  return rows.byteLength + textIndexBytes(text) + offsets.byteLength + ordinals.byteLength
}
