import { grown } from './growing.js'

/**
 * Distinct words in order of first appearance, each with a code; outside of the heap, which
 * millions of strings would fill.
 *
 *   FIELD       SIZE          HOLDS
 *   bytes       total length  UTF-8 of every word, one after the other
 *   ends        4 × n         word c is bytes[ends[c - 1] .. ends[c]), from 0 for the first
 *   rowCounts   4 × n         rows that word c was counted for
 *   lastRows    4 × n         1 + the row it was last counted for
 *   hashes      4 × n         of the words, to compare before the bytes and to grow by
 *   slots       4 × 2^k       1 + the code whose hash leads here, 0 = none; at most half are taken
 */
export class WordTable {
  bytes = new Uint8Array(1024)
  ends = new Uint32Array(64)
  rowCounts = new Uint32Array(64)
  #lastRows = new Uint32Array(64)
  #hashes = new Uint32Array(64)
  #slots = new Uint32Array(256)
  count = 0

  /** The code of the word in word[from .. to), assigned when it is new. */
  codeOf(word: Uint8Array, from: number, to: number): number {
    const hash = hashOf(word, from, to)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    // slot <= mask, and half of the slots are empty: the loop ends.
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#isWord(entry - 1, word, from, to)) {
        return entry - 1
      }
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = this.count + 1
    return this.#add(word, from, to, hash)
  }

  /** Counts a row for a word once. @returns whether this was the first time in a run of calls */
  countRow(code: number, row: number): boolean {
    if (this.#lastRows[code] === row + 1) return false
    this.#lastRows[code] = row + 1
    this.rowCounts[code]! += 1
    return true
  }

  #isWord(code: number, word: Uint8Array, from: number, to: number): boolean {
    const start = code === 0 ? 0 : this.ends[code - 1]!
    if (this.ends[code]! - start !== to - from) return false
    for (let i = from, at = start; i < to; i++, at++) {
      if (this.bytes[at] !== word[i]) return false
    }
    return true
  }

  #add(word: Uint8Array, from: number, to: number, hash: number): number {
    const code = this.count++
    const start = code === 0 ? 0 : this.ends[code - 1]!
    const end = start + to - from
    this.bytes = grown(this.bytes, end)
    for (let i = from, at = start; i < to; i++, at++) this.bytes[at] = word[i]!
    this.ends = grown(this.ends, this.count)
    this.rowCounts = grown(this.rowCounts, this.count)
    this.#lastRows = grown(this.#lastRows, this.count)
    this.#hashes = grown(this.#hashes, this.count)
    this.ends[code] = end
    this.#hashes[code] = hash
    if (this.count * 2 > this.#slots.length) this.#growSlots()
    return code
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 4)
    const mask = slots.length - 1
    for (let code = 0; code < this.count; code++) {
      let slot = this.#hashes[code]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = code + 1
    }
    this.#slots = slots
  }
}

/** FNV-1a with a last mix, as its low bits alone choose the slot. */
function hashOf(word: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ word[i]!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
