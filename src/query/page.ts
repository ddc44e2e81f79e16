import { type Listing, materializedRun, type Run, sliceOfRun } from './listing.js'
import { mergedPage } from './merge.js'

/**
 * Rows `offset` to `offset + limit` of the listing. Costs the same at any offset: of a merge it
 * looks up, besides the page's own rows, about as many rows as its runs' counts have bits.
 */
export function pageOf(listing: Listing, offset: number, limit: number): Run[] {
  const page: Run[] = []
  let skip = offset
  let wanted = limit
  for (const part of listing.parts) {
    if (wanted === 0) break
    if (skip >= part.count) {
      skip -= part.count
      continue
    }
    const count = Math.min(part.count - skip, wanted)
    if ('runs' in part) page.push(...mergedPage(part, skip, count))
    else page.push(materializedRun(sliceOfRun(part, skip, count)))
    wanted -= count
    skip = 0
  }
  return page
}
