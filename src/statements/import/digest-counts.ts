// Counts of digests, in 16 bytes a digest and 5 to 11 of slots: a Map of texts takes some 80, and
// its former tables become old garbage when it grows. Entries never move, so growing rebuilds only
// the slots.
//
//   ENTRY, 4 words of 32 bits   the digest, space mixed in (keyOf)
//   SLOT, 1 word                number of an entry, counted from 1; 0 = free
//
// A digest's slot is its first word modulo the slots, else the next free one.

const KEY_WORDS = 4

/** Entries of one array; few, so that a file of one page does not allocate for a million. */
const CHUNK_ENTRIES = 1_024

/** A power of two, as every number of slots. */
const SLOTS_MIN = 1_024

/** Maximum share of taken slots; above it, the search for a free one takes much longer. */
const TAKEN_MAX = 0.75

/** Odd, near 2 ** 32 divided by the golden ratio: spreads numbers that follow one another. */
const SPREAD = 0x9e3779b1

/** Counts digests, in separate spaces that are numbered. */
export class DigestCounts {
  readonly #chunks: Uint32Array[] = []
  readonly #key = new Uint32Array(KEY_WORDS)
  #slots: Uint32Array = new Uint32Array(SLOTS_MIN)
  #entryCount = 0
  /** Entry -> occurrences after the first: few digests repeat. */
  readonly #repeats = new Map<number, number>()

  /**
   * Counts one occurrence of a digest.
   * @param digest 16 characters of one byte each, as `digestOf` makes them
   * @param space 0 or a positive integer; spaces are counted independently
   * @returns number of earlier occurrences in this space
   */
  add(digest: string, space = 0): number {
    keyOf(digest, space, this.#key)
    const slot = findSlot(this.#slots, this.#chunks, this.#key)
    const entry = this.#slots[slot]! - 1 // slot < slots.length
    if (entry < 0) {
      this.#append(slot)
      return 0
    }
    const count = (this.#repeats.get(entry) ?? 0) + 1
    this.#repeats.set(entry, count)
    return count
  }

  /**
   * Number of occurrences counted so far.
   * @param digest as of `add`   @param space as of `add`
   */
  countOf(digest: string, space = 0): number {
    keyOf(digest, space, this.#key)
    const entry = this.#slots[findSlot(this.#slots, this.#chunks, this.#key)]! - 1 // as in add
    return entry < 0 ? 0 : 1 + (this.#repeats.get(entry) ?? 0)
  }

  #append(slot: number): void {
    const within = this.#entryCount % CHUNK_ENTRIES
    if (within === 0) this.#chunks.push(new Uint32Array(CHUNK_ENTRIES * KEY_WORDS))
    const chunk = this.#chunks[this.#chunks.length - 1]! // one has just been made, or has room
    chunk.set(this.#key, within * KEY_WORDS)
    this.#entryCount += 1
    this.#slots[slot] = this.#entryCount
    if (this.#entryCount > this.#slots.length * TAKEN_MAX) {
      this.#slots = slotsOf(this.#chunks, this.#entryCount, this.#slots.length * 2)
    }
  }
}

/** The digest as four words, distinct per space; the first one is spread by it. */
function keyOf(digest: string, space: number, key: Uint32Array): void {
  for (let i = 0; i < KEY_WORDS; i++) {
    key[i] =
      digest.charCodeAt(4 * i) |
      (digest.charCodeAt(4 * i + 1) << 8) |
      (digest.charCodeAt(4 * i + 2) << 16) |
      (digest.charCodeAt(4 * i + 3) << 24)
  }
  const low = space >>> 0
  // KEY_WORDS is 4.
  key[0] = key[0]! ^ Math.imul(low, SPREAD)
  key[1] = key[1]! ^ low
  key[2] = key[2]! ^ Math.floor(space / 2 ** 32)
}

/** The slot whose entry has the key, else the free slot for it. */
function findSlot(slots: Uint32Array, chunks: readonly Uint32Array[], key: Uint32Array): number {
  const mask = slots.length - 1
  let slot = key[0]! & mask // a key has four words
  for (;;) {
    const entry = slots[slot]! - 1 // slot <= mask < slots.length
    if (entry < 0) return slot
    const chunk = chunks[Math.floor(entry / CHUNK_ENTRIES)]! // slots hold entries that are there
    const at = (entry % CHUNK_ENTRIES) * KEY_WORDS
    if (
      chunk[at] === key[0] &&
      chunk[at + 1] === key[1] &&
      chunk[at + 2] === key[2] &&
      chunk[at + 3] === key[3]
    ) {
      return slot
    }
    slot = (slot + 1) & mask // some slot is free, see TAKEN_MAX
  }
}

/** New slots for all entries. @param slotCount a power of two, more than `entryCount` */
function slotsOf(
  chunks: readonly Uint32Array[],
  entryCount: number,
  slotCount: number,
): Uint32Array {
  const slots = new Uint32Array(slotCount)
  const mask = slotCount - 1
  for (let entry = 0; entry < entryCount; entry++) {
    const chunk = chunks[Math.floor(entry / CHUNK_ENTRIES)]! // entry < entryCount
    let slot = chunk[(entry % CHUNK_ENTRIES) * KEY_WORDS]! & mask // inside the chunk
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = entry + 1
  }
  return slots
}
