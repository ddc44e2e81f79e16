import { replaceFragments } from './resource-json.js'
import type {
  JsonFragments,
  LiveSegment,
  Segment,
  StaleFragments,
  StaleSegments,
} from './snapshot.js'

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

function replaced(former: readonly string[], wanted: readonly string[]): (string | undefined)[] {
  return former.map((piece, code) => (piece === wanted[code] ? undefined : wanted[code]))
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
  const former = {
    account: accounts[accountCode] ?? NOTHING,
    category: categories[categoryCode] ?? NOTHING,
    parentCategory: categories[parentCode] ?? NOTHING,
  }
  return replaceFragments(row, former, {
    account: account ?? former.account,
    category: category ?? former.category,
    parentCategory: parentCategory ?? former.parentCategory,
  })
}

/** Fragment of a row without a category. */
const NOTHING = '{}'
