import { CURSOR, OFFSET } from './parameter-table.js'
import { decodeFormText, safeUriText } from './percent.js'

/** The position of a page in its list. */
export interface PagePlace {
  readonly offset: number
  readonly limit: number
  /** Results of the whole list. */
  readonly total: number
  /** The cursor of the next page, `''` on the last one; absent = pages by offset. */
  readonly nextCursor?: string
}

/**
 * The Link field value (RFC 8288) of a page: `first`, `prev`, `next`, `last`, each the same path
 * and query with another `offset`. References are relative, so that no host name is trusted; other
 * parameters keep their order and their text, encoded for a Link target. Pages are counted from
 * `offset` on, so following `next` ends at `last`; past the end, `prev` and `last` are the last
 * page that has rows. There is no `prev` on offset 0 and no `next` on the last page.
 * @param path as callers send it, with the prefix that a proxy removes
 * @param rawQuery as sent, one that parsed; `''` when there is none
 * A page behind a cursor has `next` alone.
 * @returns `''` when limit is 0: there are no pages then
 */
export function linkValue(path: string, rawQuery: string, place: PagePlace): string {
  const { offset, limit, total, nextCursor } = place
  if (limit === 0 || nextCursor === '') return ''
  const { name } = nextCursor === undefined ? OFFSET : CURSOR
  const [before, after] = aroundPair(rawQuery, name)
  const opening = `<${safeUriText(path)}?${safeUriText(before)}${name}=`
  const closing = `${safeUriText(after)}>; rel=`
  if (nextCursor !== undefined) return `${opening}${nextCursor}${closing}"next"`
  const past = offset >= total
  // Counting from the offset itself keeps a list that was entered in mid-page on its own grid.
  const grid = past ? 0 : offset % limit
  const last = total === 0 ? 0 : lastOnGrid(total, limit, grid)
  let value = `${opening}0${closing}"first"`
  if (offset > 0) {
    const previous = past ? last : Math.max(0, offset - limit)
    value += `, ${opening}${previous}${closing}"prev"`
  }
  if (offset + limit < total) value += `, ${opening}${offset + limit}${closing}"next"`
  return `${value}, ${opening}${last}${closing}"last"`
}

/** The greatest offset below `total` that is `grid` more than a multiple of `limit`. */
function lastOnGrid(total: number, limit: number, grid: number): number {
  return grid + Math.floor((total - 1 - grid) / limit) * limit
}

/** The query before and after its pair of that name; all and `''` when it has none. */
function aroundPair(rawQuery: string, name: string): readonly [before: string, after: string] {
  let start = 0
  while (start < rawQuery.length) {
    const next = rawQuery.indexOf('&', start)
    const end = next < 0 ? rawQuery.length : next
    if (hasName(rawQuery, start, end, name)) return [rawQuery.slice(0, start), rawQuery.slice(end)]
    start = end + 1
  }
  const joined = rawQuery === '' || rawQuery.endsWith('&')
  return [joined ? rawQuery : `${rawQuery}&`, '']
}

/** Whether the pair `rawQuery[start, end)` has the name. */
function hasName(rawQuery: string, start: number, end: number, name: string): boolean {
  const equals = rawQuery.indexOf('=', start)
  const nameEnd = equals < 0 || equals > end ? end : equals
  if (nameEnd - start === name.length && rawQuery.startsWith(name, start)) return true
  const percent = rawQuery.indexOf('%', start)
  if (percent < 0 || percent >= nameEnd) return false
  return decodeFormText(rawQuery.slice(start, nameEnd)) === name
}
