import { lowerBound } from '../lower-bound.js'
import { bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { readVarint, varintBytes, writeVarint } from './varint.js'

/**
 * Postings of grams in a range of words: each three consecutive bytes, or the last one or two of a
 * word. The key of up to three bytes has a digit of base 257 for each, from the left: 1 + the byte,
 * or 0 for none. So the keys that begin with one or two given bytes are consecutive, and the words
 * with one, two or three given bytes are found without reading any word.
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

/** Bytes of a gram. */
export const GRAM_BYTES = 3

/** Digits of a key: the bytes, and one for none. */
export const KEY_BASE = 257

/** The key of the gram that begins at `at`, no byte of it from `end` on. */
export function gramKey(bytes: Uint8Array, at: number, end: number): number {
  const b = at + 1 < end ? bytes[at + 1]! + 1 : 0
  const c = at + 2 < end ? bytes[at + 2]! + 1 : 0
  return ((bytes[at]! + 1) * KEY_BASE + b) * KEY_BASE + c
}

/** First key past those that begin with the same bytes as `key`, which has one, two or three. */
export function keysEnd(key: number, byteCount: number): number {
  return key + KEY_BASE ** (GRAM_BYTES - byteCount)
}

/**
 * The key of the first bytes of a gram, as a key of their own.
 * @returns undefined when the gram has fewer
 */
export function keyOfStart(key: number, byteCount: number): number | undefined {
  const start = key - (key % KEY_BASE ** (GRAM_BYTES - byteCount))
  const lastDigit = (start / KEY_BASE ** (GRAM_BYTES - byteCount)) % KEY_BASE
  return lastDigit === 0 ? undefined : start
}

/** The digit of a key's first byte, below {@link KEY_BASE}. */
export function firstDigit(key: number): number {
  return Math.floor(key / KEY_BASE ** 2)
}

/** The bytes of a key. */
export function bytesOfKey(key: number): Uint8Array {
  const digits = [firstDigit(key), Math.floor(key / KEY_BASE) % KEY_BASE, key % KEY_BASE]
  return Uint8Array.from(
    digits.filter((digit) => digit > 0),
    (digit) => digit - 1,
  )
}

/** Index of the first key that is not below `key`. */
export function placeOfKey(keys: Uint32Array, key: number): number {
  return lowerBound(0, keys.length, (i) => keys[i]! < key)
}

/** The words of the key at an index: codes less the range's first, ascending. */
export function wordsOfKey(table: GramTable, place: number): Uint32Array {
  const words = new Uint32Array(table.counts[place]!)
  const { codes } = table
  let at = table.offsets[place]!
  let code = 0
  // counts and offsets were written together: `words` varints begin at `at`.
  for (let i = 0; i < words.length; i++) {
    const distance = readVarint(codes, at)
    at += varintBytes(distance)
    code += distance
    words[i] = code
  }
  return words
}

/** The members of an index that its grams are built from; see text-index.ts. */
export interface IndexedWords {
  readonly wordBytes: Uint8Array
  readonly wordOffsets: Uint32Array
  readonly rowOffsets: Uint32Array
}

/** The grams of the words whose codes are from .. to - 1. */
export function buildGrams(words: IndexedWords, from: number, to: number): GramTable {
  const digits = digitsInUse(words, from, to)
  const base = digits.used.length
  const slots = countGrams(words, { from, to, digits })
  const slotsInUse = ordinalsOf(bitSetOf(slots.inUse))
  const inUse = slotsInUse.length
  const keys = sharedUint32(inUse)
  const counts = sharedUint32(inUse)
  const rowCounts = sharedUint32(inUse)
  const offsets = sharedUint32(inUse + 1)
  for (let place = 0; place < inUse; place++) {
    const slot = slotsInUse[place]!
    // slot < base³, and `used` ascends: so do the keys.
    const a = digits.used[Math.floor(slot / (base * base))]!
    const b = digits.used[Math.floor(slot / base) % base]!
    keys[place] = (a * KEY_BASE + b) * KEY_BASE + digits.used[slot % base]!
    counts[place] = slots.counts[slot]!
    rowCounts[place] = slots.rowCounts[slot]!
    offsets[place + 1] = offsets[place]! + slots.bytes[slot]!
    slots.bytes[slot] = offsets[place]!
  }
  const codes = sharedBytes(offsets[inUse]!)
  writeGrams(words, { from, to, digits }, { codes, ends: slots.bytes })
  return { keys, counts, rowCounts, offsets, codes }
}

/**
 * The digits of keys that the words have, numbered without gaps, so that a table of all keys is
 * small enough to count in.
 *   used     ascending digits, 0 among them
 *   ranks    place in `used` by byte
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
  for (let byte = 0; byte < 256; byte++) {
    if (ranks[byte] === 1) ranks[byte] = used.push(byte + 1) - 1
  }
  return { used, ranks }
}

/**
 * For each slot, which is a key in ranks: its words, their rows, and the bytes they will take. The
 * words of a small segment have few of the slots; a bit for each of these saves reading the others.
 */
interface Slots {
  readonly inUse: Uint32Array
  readonly counts: Uint32Array
  readonly rowCounts: Uint32Array
  readonly bytes: Uint32Array
}

function countGrams(words: IndexedWords, { from, to, digits }: WordRun): Slots {
  const { wordBytes, wordOffsets, rowOffsets } = words
  const { ranks } = digits
  const base = digits.used.length
  const inUse = emptyWords(base ** GRAM_BYTES)
  const counts = new Uint32Array(base ** GRAM_BYTES)
  const rowCounts = new Uint32Array(base ** GRAM_BYTES)
  const bytes = new Uint32Array(base ** GRAM_BYTES)
  const lastWords = new Uint32Array(base ** GRAM_BYTES)
  // Every index below is a word of the run, a byte of it, or a slot below base³.
  for (let code = from; code < to; code++) {
    const word = code - from
    const rows = rowOffsets[code + 1]! - rowOffsets[code]!
    let b = 0
    let c = 0
    for (let at = wordOffsets[code + 1]! - 1; at >= wordOffsets[code]!; at--) {
      const a = ranks[wordBytes[at]!]!
      const slot = (a * base + b) * base + c
      c = b
      b = a
      if (counts[slot] !== 0 && lastWords[slot] === word) continue
      inUse[slot >>> 5]! |= 1 << (slot & 31)
      bytes[slot]! += varintBytes(word - lastWords[slot]!)
      counts[slot]! += 1
      rowCounts[slot]! += rows
      lastWords[slot] = word
    }
  }
  return { inUse, counts, rowCounts, bytes }
}

/** Repeats the loop of {@link countGrams}: a shared one would call a function for every byte. */
function writeGrams(
  { wordBytes, wordOffsets }: IndexedWords,
  { from, to, digits }: WordRun,
  { codes, ends }: { readonly codes: Uint8Array; readonly ends: Uint32Array },
): void {
  const { ranks } = digits
  const base = digits.used.length
  // 1 + the last word of a slot, 0 = none.
  const lastWords = new Uint32Array(base ** GRAM_BYTES)
  for (let code = from; code < to; code++) {
    const word = code - from
    let b = 0
    let c = 0
    for (let at = wordOffsets[code + 1]! - 1; at >= wordOffsets[code]!; at--) {
      const a = ranks[wordBytes[at]!]!
      const slot = (a * base + b) * base + c
      c = b
      b = a
      const last = lastWords[slot]!
      if (last === word + 1) continue
      ends[slot] = writeVarint(codes, ends[slot]!, last === 0 ? word : word + 1 - last)
      lastWords[slot] = word + 1
    }
  }
}
