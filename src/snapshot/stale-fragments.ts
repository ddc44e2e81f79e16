import { replaceFragments } from './resource-json.js'
import type { JsonFragments, LiveSegment, Segment } from './snapshot.js'

/**
 * JSON fragments of a segment's rendered rows that are out of date since an account or category was
 * renamed: the new fragment by code; undefined = the old one still holds. Rows are patched when
 * they are sent, so that a rename costs nothing at the time, however many rows it affects.
 */
export interface StaleFragments {
  readonly accounts: readonly (string | undefined)[]
  readonly categories: readonly (string | undefined)[]
}

/** The segments of a snapshot that have outdated rows. */
export type StaleSegments = ReadonlyMap<Segment, StaleFragments>

/** @param fragments present fragments, of at least the codes of the segments */
export function staleFragmentsOf(
  segments: readonly LiveSegment[],
  fragments: JsonFragments,
): StaleSegments {
  const staleFragments = new Map<Segment, StaleFragments>()
  for (const { segment } of segments) {
    const accounts = replaced(segment.fragments.accounts, fragments.accounts)
    const categories = replaced(segment.fragments.categories, fragments.categories)
    const isRenamed = [...accounts, ...categories].some((piece) => piece !== undefined)
    if (isRenamed) staleFragments.set(segment, { accounts, categories })
  }
  return staleFragments
}

function replaced(said: readonly string[], wanted: readonly string[]): (string | undefined)[] {
  return said.map((piece, code) => (piece === wanted[code] ? undefined : wanted[code]))
}

/** The rendered row, without the comma after it: a view, or a patched copy. */
export function rowJson(
  segment: Segment,
  ordinal: number,
  stale: StaleFragments | undefined,
): Uint8Array {
  const start = segment.rowOffsets[ordinal] ?? 0
  const end = (segment.rowOffsets[ordinal + 1] ?? 1) - 1
  const row = segment.rowBytes.subarray(start, end)
  if (stale === undefined) return row
  const accountCode = segment.accountCodes[ordinal] ?? 0
  const categoryCode = segment.categoryCodes[ordinal] ?? 0
  const parentCode = segment.parentCodes[ordinal] ?? 0
  const account = stale.accounts[accountCode]
  const category = stale.categories[categoryCode]
  const parentCategory = stale.categories[parentCode]
  if (account === undefined && category === undefined && parentCategory === undefined) return row
  const { accounts, categories } = segment.fragments
  const said = {
    account: accounts[accountCode] ?? NOTHING,
    category: categories[categoryCode] ?? NOTHING,
    parentCategory: categories[parentCode] ?? NOTHING,
  }
  return replaceFragments(row, said, {
    account: account ?? said.account,
    category: category ?? said.category,
    parentCategory: parentCategory ?? said.parentCategory,
  })
}

/** Fragment of a row without a category. */
const NOTHING = '{}'
