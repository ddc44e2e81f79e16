import { replacePieces } from './resource-json.js'
import type { LiveSegment, Pieces, Segment } from './snapshot.js'

/**
 * What the rendered rows of a segment say about accounts and categories that is no longer so: by
 * code, what they should say; undefined = what they say. Rows are put right when they are sent, so
 * that renaming an account costs nothing at the time, however many rows it has.
 */
export interface Renaming {
  readonly accounts: readonly (string | undefined)[]
  readonly categories: readonly (string | undefined)[]
}

/** The segments of a snapshot of which some rows are out of date. */
export type Renamings = ReadonlyMap<Segment, Renaming>

/** @param pieces what rows have to say now, of at least the codes of the segments */
export function renamingsOf(segments: readonly LiveSegment[], pieces: Pieces): Renamings {
  const renamings = new Map<Segment, Renaming>()
  for (const { segment } of segments) {
    const accounts = replaced(segment.pieces.accounts, pieces.accounts)
    const categories = replaced(segment.pieces.categories, pieces.categories)
    const isRenamed = [...accounts, ...categories].some((piece) => piece !== undefined)
    if (isRenamed) renamings.set(segment, { accounts, categories })
  }
  return renamings
}

function replaced(said: readonly string[], wanted: readonly string[]): (string | undefined)[] {
  return said.map((piece, code) => (piece === wanted[code] ? undefined : wanted[code]))
}

/** The rendered row, without the comma after it: a view, or a copy that is put right. */
export function rowJson(
  segment: Segment,
  ordinal: number,
  renaming: Renaming | undefined,
): Uint8Array {
  const start = segment.rowOffsets[ordinal] ?? 0
  const end = (segment.rowOffsets[ordinal + 1] ?? 1) - 1
  const row = segment.rowBytes.subarray(start, end)
  if (renaming === undefined) return row
  const accountCode = segment.accountCodes[ordinal] ?? 0
  const categoryCode = segment.categoryCodes[ordinal] ?? 0
  const parentCode = segment.parentCodes[ordinal] ?? 0
  const account = renaming.accounts[accountCode]
  const category = renaming.categories[categoryCode]
  const parentCategory = renaming.categories[parentCode]
  if (account === undefined && category === undefined && parentCategory === undefined) return row
  const { accounts, categories } = segment.pieces
  const said = {
    account: accounts[accountCode] ?? NOTHING,
    category: categories[categoryCode] ?? NOTHING,
    parentCategory: categories[parentCode] ?? NOTHING,
  }
  return replacePieces(row, said, {
    account: account ?? said.account,
    category: category ?? said.category,
    parentCategory: parentCategory ?? said.parentCategory,
  })
}

/** How a row says that it has no category. */
const NOTHING = '{}'
