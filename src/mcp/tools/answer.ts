import type { Item } from './compact.js'
import type { WrittenItem } from './rows.js'
import type { ToolAnswer } from './tool.js'

/** Currencies that an answer has sums of, the most frequent ones: more than any company uses. */
export const SUM_CURRENCIES_MAX = 20

/**
 * Code points that texts of a transaction are cut to, one after the other until it fits into an
 * answer by itself: a long purpose mostly survives the first.
 */
const SHORTENED_CODE_POINTS: readonly number[] = [4_000, 1_000, 250, 60, 20]

/** The result of a tool. */
export interface ResultItems {
  /** The member of the answer that has the items. */
  readonly listName: 'items' | 'groups'
  /** The first items of the page; those left out would not fit anyway. */
  readonly items: readonly WrittenItem[]
  /** The count of all hits. */
  readonly totalCount: number
  readonly offset: number
  /** The largest number of items to return. */
  readonly limit: number
  /** The sums over all hits. */
  readonly sums: readonly Item[]
  /** Texts that a search without a hit may mean; absent or empty = none. */
  readonly didYouMean?: readonly string[]
  /** A remark for the model; `''` = none. */
  readonly note: string
}

/**
 * The answer: as many items as fit into `charsMax` characters of JSON together with everything
 * else, and at least one, its texts cut if need be, so that every further page makes progress.
 */
export function answerOf(found: ResultItems, charsMax: number): ToolAnswer {
  const { listName, items, totalCount, offset, limit, sums } = found
  const pageCount = Math.max(0, Math.min(limit, totalCount - offset))
  // The head is longest when one item is left out: it then says where to continue, also on the last
  // page. A single item may be shortened instead.
  const most = Math.max(1, pageCount - 1)
  const longest = headOf({ ...found, returned: most, pageCount, isShortened: true })
  let left = charsMax - JSON.stringify({ ...longest, truncated: true, sums, [listName]: [] }).length
  const kept: WrittenItem[] = []
  for (const written of items) {
    if (left < written.text.length) break
    // Plus one for the comma.
    left -= written.text.length + 1
    kept.push(written)
  }
  const [first] = items
  const isShortened = kept.length === 0 && first !== undefined
  if (isShortened) kept.push(shortened(first.item, left))
  const head = headOf({ ...found, returned: kept.length, pageCount, isShortened })
  const headText = JSON.stringify({ ...head, sums })
  const itemsText = kept.map(({ text }) => text).join(',')
  return {
    text: `${headText.slice(0, -1)},"${listName}":[${itemsText}]}`,
    structuredContent: { ...head, sums, [listName]: kept.map(({ item }) => item) },
    isError: false,
  }
}

interface ReturnedItems extends ResultItems {
  readonly returned: number
  readonly pageCount: number
  readonly isShortened: boolean
}

function headOf(items: ReturnedItems): Item {
  const { totalCount, returned, pageCount, offset, isShortened, didYouMean = [] } = items
  const nextOffset = offset + returned
  const hasMore = returned > 0 && nextOffset < totalCount
  const isTruncated = returned < pageCount || isShortened
  const hint = hintOf(items, isTruncated && returned > 0)
  return {
    totalCount,
    returned,
    ...(hasMore ? { nextOffset } : {}),
    ...(isTruncated ? { truncated: true } : {}),
    ...(hint === '' ? {} : { hint }),
    ...(didYouMean.length === 0 ? {} : { didYouMean }),
  }
}

function hintOf(
  { returned, pageCount, offset, totalCount, isShortened, note }: ReturnedItems,
  isTruncated: boolean,
): string {
  const sentences = [note]
  if (isShortened) sentences.push('Texts of this item were truncated to fit; … marks where.')
  if (isTruncated) {
    const nextOffset = offset + returned
    const hint =
      nextOffset < totalCount ? ` Continue with offset ${nextOffset}, or narrow the filters.` : ''
    sentences.push(`${returned} of the ${pageCount} requested items fit into one answer.${hint}`)
  }
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** The item with its texts cut until it fits. @param charsMax of its JSON */
function shortened(item: Item, charsMax: number): WrittenItem {
  let written = { item, text: '' }
  for (const codePointsMax of SHORTENED_CODE_POINTS) {
    const cut = cutTexts(item, codePointsMax) as Item
    written = { item: cut, text: JSON.stringify(cut) }
    if (written.text.length <= charsMax) break
  }
  return written
}

function cutTexts(value: unknown, codePointsMax: number): unknown {
  if (typeof value === 'string') {
    const points = [...value]
    return points.length <= codePointsMax ? value : `${points.slice(0, codePointsMax).join('')}…`
  }
  if (Array.isArray(value)) return value.map((held) => cutTexts(held, codePointsMax))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([name, held]) => [name, cutTexts(held, codePointsMax)]))
}
