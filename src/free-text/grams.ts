import { lowerBound } from '../lower-bound.js'
import { bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { varintBytes, writeVarint } from './varint.js'

/**
 * Postings of grams in a range of words: each three consecutive bytes, or the last one or two of a
 * word. Three bytes that very many words have are divided: each posting of theirs is under the key
 * of these and the byte that follows. A key has a byte for each byte of the gram, from the left:
 * 1 + the gram's, which is below 255 in UTF-8, or 0 for none. So the keys that begin with given
 * bytes are consecutive, and the words with one to three given bytes are found without reading any
 * word.
 *
 *   FIELD       SIZE            HOLDS
 *   keys        4 × n           ascending
 *   counts      4 × n           words of a key
 *   rowCounts   4 × n           entries of `rows` that these words take (text-index.ts)
 *   offsets     4 × (n + 1)     words of key k are codes[offsets[k] .. offsets[k + 1])
 *   codes       total length    their codes less the range's first, ascending, as varints of the
 *                               distance to the one before
 */
export interface GramTable {
  readonly keys: Uint32Array
  readonly counts: Uint32Array
  readonly rowCounts: Uint32Array
  readonly offsets: Uint32Array
  readonly codes: Uint8Array
}

/** Bytes of a gram that is not divided. */
export const GRAM_BYTES = 3

/** Bytes of a divided gram, and of a key. */
export const KEY_BYTES = 4

/**
 * Occurrences past which a gram is divided. Fewer words than that are compared in less time than
 * the search for another key would save; a key takes as many bytes as a dozen postings.
 */
const UNDIVIDED_MAX = 256

/** The key of the up to four bytes that begin at `at`, none of them from `end` on. */
export function gramKey(bytes: Uint8Array, at: number, end: number): number {
  const b = at + 1 < end ? bytes[at + 1]! + 1 : 0
  const c = at + 2 < end ? bytes[at + 2]! + 1 : 0
  const d = at + 3 < end ? bytes[at + 3]! + 1 : 0
  return keyOf(bytes[at]! + 1, b, c, d)
}

function keyOf(a: number, b: number, c: number, d: number): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

/** First key past those that begin with the same bytes as `key`, which has one to four. */
export function keysEnd(key: number, byteCount: number): number {
  return key + 256 ** (KEY_BYTES - byteCount)
}

/**
 * The key of the first bytes of a key, as a key of their own.
 * @returns undefined when the key has fewer
 */
export function keyOfStart(key: number, byteCount: number): number | undefined {
  const shift = 8 * (KEY_BYTES - byteCount)
  const start = key >>> shift
  return (start & 255) === 0 ? undefined : (start << shift) >>> 0
}

/** A key's first byte, which is not 0. */
export function firstByte(key: number): number {
  return key >>> 24
}

/** The bytes of a key's gram. */
export function bytesOfKey(key: number): Uint8Array {
  const bytes = [24, 16, 8, 0].map((shift) => (key >>> shift) & 255)
  return Uint8Array.from(
    bytes.filter((byte) => byte > 0),
    (byte) => byte - 1,
  )
}

/** Index of the first key that is not below `key`. */
export function placeOfKey(keys: Uint32Array, key: number): number {
  return lowerBound(0, keys.length, (i) => keys[i]! < key)
}

/**
 * The index of the key of four bytes, or of the first three of them where these are not divided: a
 * key that all words with the four bytes have.
 * @returns -1 when no word has the bytes
 */
export function placeOfBytes(keys: Uint32Array, key: number): number {
  const place = placeOfKey(keys, key)
  if (keys[place] === key) return place
  return isUndivided(keys, place - 1, (key & ~255) >>> 0) ? place - 1 : -1
}

/** Whether the key of three bytes is at an index, and all words with these bytes have it. */
export function isUndivided(keys: Uint32Array, place: number, key: number): boolean {
  const next = keys[place + 1]
  return keys[place] === key && (next === undefined || next >= keysEnd(key, GRAM_BYTES))
}

/**
 * Writes the words of the key at an index, codes less the range's first, ascending, to into[at ..].
 * @returns where they end there
 */
export function readWords(table: GramTable, place: number, into: Uint32Array, at: number): number {
  const { codes } = table
  const end = at + table.counts[place]!
  let from = table.offsets[place]!
  let code = 0
  // counts and offsets were written together: as many varints begin at `from`. They are read here,
  // because a function for each would take longer than the reading.
  for (let i = at; i < end; i++) {
    let byte = codes[from++]!
    let distance = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = codes[from++]!
      distance |= (byte & 0x7f) << shift
    }
    code += distance
    into[i] = code
  }
  return end
}

/** The words of the key at an index: codes less the range's first, ascending. */
export function wordsOfKey(table: GramTable, place: number): Uint32Array {
  const words = new Uint32Array(table.counts[place]!)
  readWords(table, place, words, 0)
  return words
}

/** The members of an index that its grams are built from; see text-index.ts. */
export interface IndexedWords {
  readonly wordBytes: Uint8Array
  readonly wordOffsets: Uint32Array
  readonly rowOffsets: Uint32Array
}

/**
 * The grams of the words whose codes are from .. to - 1.
 * @param undividedMax occurrences of three bytes up to which they are not divided
 */
export function buildGrams(
  words: IndexedWords,
  from: number,
  to: number,
  undividedMax = UNDIVIDED_MAX,
): GramTable {
  const digits = digitsInUse(words, from, to)
  const base = digits.used.length
  const { grams, slots, slotCount } = divideGrams(words, { from, to, digits }, undividedMax)
  const run = { from, to, digits, slots }
  const totals = countWords(words, run, slotCount)
  const slotOf = new Uint32Array(slotCount)
  const keyOfSlot = new Uint32Array(slotCount)
  let inUse = 0
  for (const gram of grams) {
    // gram < base³, and `used` ascends: so do the keys.
    const a = digits.used[Math.floor(gram / (base * base))]!
    const b = digits.used[Math.floor(gram / base) % base]!
    const c = digits.used[gram % base]!
    const first = slots[gram]!
    for (let d = 0; d < (first < 0 ? base : 1); d++) {
      const slot = first < 0 ? ~first + d : first
      if (totals.counts[slot] === 0) continue
      slotOf[inUse] = slot
      keyOfSlot[inUse++] = keyOf(a, b, c, digits.used[d]!)
    }
  }
  const keys = sharedUint32(inUse)
  const counts = sharedUint32(inUse)
  const rowCounts = sharedUint32(inUse)
  const offsets = sharedUint32(inUse + 1)
  for (let place = 0; place < inUse; place++) {
    const slot = slotOf[place]!
    keys[place] = keyOfSlot[place]!
    counts[place] = totals.counts[slot]!
    rowCounts[place] = totals.rowCounts[slot]!
    offsets[place + 1] = offsets[place]! + totals.bytes[slot]!
    totals.bytes[slot] = offsets[place]!
  }
  const codes = sharedBytes(offsets[inUse]!)
  writeWords(words, run, { codes, ends: totals.bytes })
  return { keys, counts, rowCounts, offsets, codes }
}

/**
 * The bytes of keys that the words have, numbered without gaps, so that a table of all grams is
 * small enough to count in.
 *   used     ascending bytes of keys, 0 among them
 *   ranks    place in `used` by byte of a word
 */
interface Digits {
  readonly used: readonly number[]
  readonly ranks: Uint32Array
}

interface WordRun {
  readonly from: number
  readonly to: number
  readonly digits: Digits
}

function digitsInUse({ wordBytes, wordOffsets }: IndexedWords, from: number, to: number): Digits {
  const ranks = new Uint32Array(256)
  // from <= to < wordOffsets.length
  for (let at = wordOffsets[from]!; at < wordOffsets[to]!; at++) ranks[wordBytes[at]!] = 1
  const used = [0]
  for (let byte = 0; byte < 255; byte++) {
    if (ranks[byte] === 1) ranks[byte] = used.push(byte + 1) - 1
  }
  return { used, ranks }
}

/**
 *   grams       ascending grams in use, each its three bytes in ranks
 *   slots       by gram in use: its slot, or ~slot where the gram is divided: its slots begin
 *               there, one for each rank of the byte that follows
 *   slotCount   slots of all grams
 */
interface DividedGrams {
  readonly grams: Uint32Array
  readonly slots: Int32Array
  readonly slotCount: number
}

/**
 * The table of all grams takes megabytes, of which the words of a small segment need little. There
 * is one such table, and a bit for each gram saves reading all of it.
 */
function divideGrams(
  { wordBytes, wordOffsets }: IndexedWords,
  { from, to, digits }: WordRun,
  undividedMax: number,
): DividedGrams {
  const { ranks, used } = digits
  const base = used.length
  const inUse = emptyWords(base ** GRAM_BYTES)
  // Occurrences first, then slots.
  const slots = new Int32Array(base ** GRAM_BYTES)
  // Every index below is a word of the run, a byte of it, or a gram below base³.
  for (let code = from; code < to; code++) {
    let b = 0
    let c = 0
    for (let at = wordOffsets[code + 1]! - 1; at >= wordOffsets[code]!; at--) {
      const a = ranks[wordBytes[at]!]!
      const gram = (a * base + b) * base + c
      c = b
      b = a
      inUse[gram >>> 5]! |= 1 << (gram & 31)
      slots[gram]! += 1
    }
  }
  const grams = ordinalsOf(bitSetOf(inUse))
  let slotCount = 0
  for (const gram of grams) {
    // Nothing follows the last one or two bytes of a word.
    const isDivided = slots[gram]! > undividedMax && gram % base !== 0
    slots[gram] = isDivided ? ~slotCount : slotCount
    slotCount += isDivided ? base : 1
  }
  return { grams, slots, slotCount }
}

/** For each slot: its words, their rows, and the bytes they will take. */
interface SlotTotals {
  readonly counts: Uint32Array
  readonly rowCounts: Uint32Array
  readonly bytes: Uint32Array
}

interface DividedRun extends WordRun {
  readonly slots: Int32Array
}

function countWords(
  { wordBytes, wordOffsets, rowOffsets }: IndexedWords,
  { from, to, digits, slots }: DividedRun,
  slotCount: number,
): SlotTotals {
  const { ranks } = digits
  const base = digits.used.length
  const counts = new Uint32Array(slotCount)
  const rowCounts = new Uint32Array(slotCount)
  const bytes = new Uint32Array(slotCount)
  const lastWords = new Uint32Array(slotCount)
  // Every index below is a word of the run, a byte of it, a gram below base³, or a slot.
  for (let code = from; code < to; code++) {
    const word = code - from
    const rows = rowOffsets[code + 1]! - rowOffsets[code]!
    let b = 0
    let c = 0
    let d = 0
    for (let at = wordOffsets[code + 1]! - 1; at >= wordOffsets[code]!; at--) {
      const a = ranks[wordBytes[at]!]!
      const first = slots[(a * base + b) * base + c]!
      const slot = first < 0 ? ~first + d : first
      d = c
      c = b
      b = a
      if (counts[slot] !== 0 && lastWords[slot] === word) continue
      bytes[slot]! += varintBytes(word - lastWords[slot]!)
      counts[slot]! += 1
      rowCounts[slot]! += rows
      lastWords[slot] = word
    }
  }
  return { counts, rowCounts, bytes }
}

/** Repeats the loop of {@link countWords}: a shared one would call a function for every byte. */
function writeWords(
  { wordBytes, wordOffsets }: IndexedWords,
  { from, to, digits, slots }: DividedRun,
  { codes, ends }: { readonly codes: Uint8Array; readonly ends: Uint32Array },
): void {
  const { ranks } = digits
  const base = digits.used.length
  // 1 + the last word of a slot, 0 = none.
  const lastWords = new Uint32Array(ends.length)
  for (let code = from; code < to; code++) {
    const word = code - from
    let b = 0
    let c = 0
    let d = 0
    for (let at = wordOffsets[code + 1]! - 1; at >= wordOffsets[code]!; at--) {
      const a = ranks[wordBytes[at]!]!
      const first = slots[(a * base + b) * base + c]!
      const slot = first < 0 ? ~first + d : first
      d = c
      c = b
      b = a
      const last = lastWords[slot]!
      if (last === word + 1) continue
      ends[slot] = writeVarint(codes, ends[slot]!, last === 0 ? word : word + 1 - last)
      lastWords[slot] = word + 1
    }
  }
}
