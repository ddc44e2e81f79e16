import { setImmediate } from 'node:timers/promises'
import { COMMA, endOfValue, OPEN_OBJECT } from '../../wire/json-scan.js'
import type { Item } from './compact.js'

/** Items of an answer that are read in one tick of the event loop: a third of a millisecond. */
const ITEMS_AT_ONCE_MAX = 50

/** An item, and its JSON. */
export interface WrittenItem {
  readonly item: Item
  readonly text: string
}

/**
 * Converts the objects of an answer of the REST operations, an array or one object, to items of a
 * tool's. Stops once they have more characters than an answer may have: the rest of a page of long
 * rows would be cut off anyway. Many are read in slices, so that other requests are answered in
 * between.
 * @param bytes as rendered; may be overwritten once this has returned
 * @param shape the item of an object
 * @param charsMax of their JSON
 * @param parse an object of the answer
 * @returns in order; those that fit, and one more if there is one
 */
export async function readItems(
  bytes: Uint8Array,
  shape: (row: Item) => Item,
  charsMax: number,
  parse: (text: string) => unknown = JSON.parse,
): Promise<WrittenItem[]> {
  const items: WrittenItem[] = []
  // Rows are in shared memory, which a Buffer can read and a TextDecoder cannot.
  let buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let charCount = 0
  for (let at = bytes[0] === OPEN_OBJECT ? 0 : 1; buffer[at] === OPEN_OBJECT; ) {
    const end = endOfValue(buffer, at)
    const item = shape(parse(buffer.toString('utf8', at, end)) as Item)
    const text = JSON.stringify(item)
    items.push({ item, text })
    charCount += text.length
    if (charCount > charsMax) break
    at = buffer[end] === COMMA ? end + 1 : end
    if (items.length % ITEMS_AT_ONCE_MAX > 0) continue
    // Other requests render into the same memory.
    if (items.length === ITEMS_AT_ONCE_MAX) buffer = Buffer.from(buffer)
    await setImmediate()
  }
  return items
}
