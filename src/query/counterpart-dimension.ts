import { randomBytes } from 'node:crypto'
import { type CounterpartColumn, counterpartCount } from '../snapshot/counterparts.js'
import type { Segment } from '../snapshot/snapshot.js'
import { compareStrings, stringCount, stringOfCode } from '../snapshot/strings.js'
import { normalForms } from '../text/normal-forms.js'
import { type Dimension, mappedNumbers, type NamedValue } from './dimension.js'
import { rowsOfListing } from './listed-rows.js'
import type { Listing } from './listing.js'
import { inSteps, type StepwiseWork } from './turns.js'

/** Counterparts of a step that reads arrays, and of one that compares texts; and their costs. */
const READING = { numbers: 2_048, cost: 1_024 }
const GROUPING = { numbers: 256, cost: 1_024 }

/** Cost of a comparison of texts that may be in different segments, in rows added up. */
const COMPARING_COST = 20

/** Stands for no entry, and no next one. */
const NONE = 0xffff_ffff

/**
 * Counterparts: one value for each IBAN and, of rows without one, for each name in its first normal
 * form. A value has the name that most of the rows write; of equally frequent ones the first by
 * code point. Ordered by name, those without a name last, then by IBAN, likewise.
 */
export function* counterpartDimension(
  listing: Listing,
  segments: readonly Segment[],
): StepwiseWork<Dimension> {
  const counts = yield* countsOfCounterparts(listing, segments)
  const entries = new CounterpartEntries(segments, listing.total)
  yield* entries.fill(counts)
  const shown = yield* entries.shownEntries()
  const [places, codes] = [new Uint32Array(shown.length), new Uint32Array(shown.length)]
  const numberOfGroup = new Uint32Array(shown.length)
  yield* inSteps(shown.length, READING, (from, to) => {
    for (let number = from; number < to; number++) {
      const entry = shown[number]!
      numberOfGroup[entries.groups[entry]!] = number
      places[number] = entries.places[entry]!
      codes[number] = entries.codes[entry]!
    }
  })
  // The counts are no longer needed. A counterpart without rows has no number.
  const numbers = counts
  for (const list of numbers) list[list.length - 1] = shown.length
  yield* inSteps(entries.count, READING, (from, to) => {
    for (let entry = from; entry < to; entry++) {
      const number = numberOfGroup[entries.groups[entry]!]!
      numbers[entries.places[entry]!]![entries.codes[entry]!] = number
    }
  })
  return {
    size: shown.length + 1,
    valueAt: (number) => {
      const segment = segments[places[number] ?? -1]
      return segment === undefined ? undefined : namedValueOf(segment, codes[number] ?? 0)
    },
    valueBytes: places.byteLength + codes.byteLength,
    numbersOf: (segment) => {
      const list = numbers[segments.indexOf(segment)]
      return mappedNumbers(segment.counterparts.codes, list ?? new Uint32Array(0))
    },
  }
}

/** Rows of the listing by the code of their counterpart, a list per segment. */
function* countsOfCounterparts(
  listing: Listing,
  segments: readonly Segment[],
): StepwiseWork<Uint32Array[]> {
  const counts = segments.map(
    ({ counterparts }) => new Uint32Array(counterpartCount(counterparts) + 1),
  )
  for (const { segment, ordinals, from, to } of rowsOfListing(listing)) {
    const { codes } = segment.counterparts
    const counted = counts[segments.indexOf(segment)]!
    for (let i = from; i < to; i++) counted[codes[ordinals[i]!]!]! += 1 // to <= ordinals.length
    yield (to - from) / 2
  }
  return counts
}

function namedValueOf({ counterparts, counterpartIbans }: Segment, code: number): NamedValue {
  const name = nameOf(counterparts, code)
  const ibanCode = counterparts.ibanCodes[code]!
  const iban = ibanCode < stringCount(counterpartIbans)
  return {
    ...(name === undefined ? {} : { name }),
    ...(iban ? { iban: stringOfCode(counterpartIbans, ibanCode) } : {}),
  }
}

function nameOf({ names, nameCodes }: CounterpartColumn, code: number): string | undefined {
  const nameCode = nameCodes[code]!
  return nameCode < stringCount(names) ? stringOfCode(names, nameCode) : undefined
}

/**
 * The counterparts that rows of a listing have, an entry for each segment and code, and the group
 * of each. Entries of a segment ascend by code.
 *
 *   FIELD     SIZE          HOLDS
 *   places    4 × entries   place of the segment
 *   codes     4 × entries   code in the segment's counterparts
 *   votes     4 × entries   rows of the listing
 *   groups    4 × entries   number of the group, by first appearance
 *   nexts     4 × entries   another entry of the group; NONE = none
 *   heads     4 × entries   by group: its last entry
 *   slots     4 × 2^k       hash table: 1 + the first group of a hash; 0 = free
 *   hashes    4 × entries   by group: the hash
 */
class CounterpartEntries {
  readonly places: Uint32Array
  readonly codes: Uint32Array
  readonly groups: Uint32Array
  count = 0
  readonly #votes: Uint32Array
  readonly #nexts: Uint32Array
  readonly #heads: Uint32Array
  readonly #slots: Uint32Array
  readonly #hashes: Uint32Array
  #groupCount = 0
  /**
   * Groups whose hash another group had before: callers may choose names of equal hashes, so that
   * looking through them one by one would take quadratic time.
   */
  readonly #collided = new Map<string, number>()
  /** Odd and secret, so that no names can be chosen to share a slot. */
  readonly #factor = randomBytes(4).readUInt32LE() | 1
  readonly #slotShift: number

  /** @param rowCount rows of the listing */
  constructor(
    private readonly segments: readonly Segment[],
    rowCount: number,
  ) {
    const all = segments.reduce((sum, { counterparts }) => sum + counterpartCount(counterparts), 0)
    const capacity = Math.min(all, rowCount)
    this.places = new Uint32Array(capacity)
    this.codes = new Uint32Array(capacity)
    this.groups = new Uint32Array(capacity)
    this.#votes = new Uint32Array(capacity)
    this.#nexts = new Uint32Array(capacity)
    this.#heads = new Uint32Array(capacity)
    this.#hashes = new Uint32Array(capacity)
    const bits = Math.max(4, Math.ceil(Math.log2(capacity + 1)) + 1)
    this.#slots = new Uint32Array(2 ** bits)
    this.#slotShift = 32 - bits
  }

  /** Finds the group of each counterpart that has rows. */
  *fill(counts: readonly Uint32Array[]): StepwiseWork<void> {
    for (const [place, list] of counts.entries()) {
      yield* inSteps(list.length - 1, GROUPING, (from, to) => {
        for (let code = from; code < to; code++) {
          if (list[code] !== 0) this.#add(place, code, list[code]!)
        }
      })
    }
  }

  #add(place: number, code: number, votes: number): void {
    const entry = this.count
    this.count += 1
    this.places[entry] = place
    this.codes[entry] = code
    this.#votes[entry] = votes
    const group = this.#groupOf(entry)
    this.groups[entry] = group
    this.#nexts[entry] = this.#heads[group]!
    this.#heads[group] = entry
  }

  #groupOf(entry: number): number {
    const slots = this.#slots
    const hash = this.#segmentOf(entry).counterparts.hashes[this.codes[entry]!]!
    let slot = Math.imul(hash, this.#factor) >>> this.#slotShift
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const group = slots[slot]! - 1
      if (this.#hashes[group] !== hash) continue
      return this.#isSame(this.#heads[group]!, entry) ? group : this.#collidedGroup(entry)
    }
    const group = this.#newGroup()
    slots[slot] = group + 1
    this.#hashes[group] = hash
    return group
  }

  #newGroup(): number {
    this.#heads[this.#groupCount] = NONE
    this.#groupCount += 1
    return this.#groupCount - 1
  }

  #segmentOf(entry: number): Segment {
    return this.segments[this.places[entry]!]!
  }

  #ibanCodeOf(entry: number): number {
    return this.#segmentOf(entry).counterparts.ibanCodes[this.codes[entry]!]!
  }

  #hasIban(entry: number): boolean {
    return this.#ibanCodeOf(entry) < stringCount(this.#segmentOf(entry).counterpartIbans)
  }

  #isSame(a: number, b: number): boolean {
    if (this.#hasIban(a) !== this.#hasIban(b)) return false
    return this.#hasIban(a) ? this.#compareIbans(a, b) === 0 : this.#formOf(a) === this.#formOf(b)
  }

  #compareIbans(a: number, b: number): number {
    const [ibanCode, otherCode] = [this.#ibanCodeOf(a), this.#ibanCodeOf(b)]
    if (this.places[a] === this.places[b]) return ibanCode - otherCode
    const difference = Number(this.#hasIban(b)) - Number(this.#hasIban(a))
    if (difference !== 0 || !this.#hasIban(a)) return difference
    const [segment, other] = [this.#segmentOf(a), this.#segmentOf(b)]
    return compareStrings(segment.counterpartIbans, ibanCode, other.counterpartIbans, otherCode)
  }

  /** The first normal form of the name. */
  #formOf(entry: number): string {
    return normalForms(this.#nameOf(entry) ?? '').first
  }

  #nameOf(entry: number): string | undefined {
    return nameOf(this.#segmentOf(entry).counterparts, this.codes[entry]!)
  }

  #collidedGroup(entry: number): number {
    const { counterpartIbans } = this.#segmentOf(entry)
    const key = this.#hasIban(entry)
      ? `iban ${stringOfCode(counterpartIbans, this.#ibanCodeOf(entry))}`
      : `name ${this.#formOf(entry)}`
    const known = this.#collided.get(key)
    if (known !== undefined) return known
    const group = this.#newGroup()
    this.#collided.set(key, group)
    return group
  }

  /** The entry of each group whose name is shown, in the order of groups. */
  *shownEntries(): StepwiseWork<Uint32Array> {
    const isShown = new Uint8Array(this.count)
    for (let group = 0; group < this.#groupCount; group++) {
      const head = this.#heads[group]!
      const isAlone = this.#nexts[head] === NONE
      isShown[isAlone ? head : yield* this.#mostFrequent(head)] = 1
      if (group % READING.numbers === 0) yield READING.cost
    }
    // Entries of a segment, which follow one another, are in the order of groups.
    const shown = new Uint32Array(this.#groupCount)
    const ends = new Uint32Array(this.segments.length)
    let end = 0
    yield* inSteps(this.count, READING, (from, to) => {
      for (let entry = from; entry < to; entry++) {
        if (isShown[entry] === 0) continue
        shown[end++] = entry
        ends[this.places[entry]!] = end
      }
    })
    let merged = shown.subarray(0, 0)
    let begin = 0
    for (const last of ends) {
      if (last === 0) continue
      merged = yield* this.#merged(merged, shown.subarray(begin, last))
      begin = last
    }
    return merged
  }

  /** The entry with the most frequent name, in steps: one payment provider has many names. */
  *#mostFrequent(head: number): StepwiseWork<number> {
    // A segment has no name twice in a group; only another one may have it as well.
    const isOfSeveral = yield* this.#isOfSeveralSegments(head)
    const entryOf = new Map<string, number>()
    let best = head
    for (let entry = head; entry !== NONE; entry = this.#nexts[entry]!) {
      let counted = entry
      if (isOfSeveral) {
        const name = this.#nameOf(entry) ?? ''
        counted = entryOf.get(name) ?? entry
        entryOf.set(name, counted)
        if (counted !== entry) this.#votes[counted]! += this.#votes[entry]!
      }
      if (this.#isBetter(counted, best)) best = counted
      yield isOfSeveral ? COMPARING_COST : 1
    }
    return best
  }

  *#isOfSeveralSegments(head: number): StepwiseWork<boolean> {
    for (let entry = head; entry !== NONE; entry = this.#nexts[entry]!) {
      if (this.places[entry] !== this.places[head]) return true
      yield 1
    }
    return false
  }

  #isBetter(a: number, b: number): boolean {
    if (this.#hasName(a) !== this.#hasName(b)) return this.#hasName(a)
    const difference = this.#votes[a]! - this.#votes[b]!
    return difference > 0 || (difference === 0 && this.#compareNames(a, b) < 0)
  }

  #hasName(entry: number): boolean {
    const { names, nameCodes } = this.#segmentOf(entry).counterparts
    return nameCodes[this.codes[entry]!]! < stringCount(names)
  }

  /** Orders by name, those without one last. */
  #compareNames(a: number, b: number): number {
    const [own, other] = [this.#segmentOf(a).counterparts, this.#segmentOf(b).counterparts]
    const nameCode = own.nameCodes[this.codes[a]!]!
    const otherCode = other.nameCodes[this.codes[b]!]!
    if (own === other) return nameCode - otherCode
    const difference = Number(this.#hasName(b)) - Number(this.#hasName(a))
    if (difference !== 0 || !this.#hasName(a)) return difference
    return compareStrings(own.names, nameCode, other.names, otherCode)
  }

  /**
   * Merges two ordered lists. The place of each entry of the shorter one is searched in the longer
   * one, from the last place on in growing steps, so that few entries cost little among many.
   */
  *#merged(a: Uint32Array, b: Uint32Array): StepwiseWork<Uint32Array<ArrayBuffer>> {
    const [long, short] = a.length >= b.length ? [a, b] : [b, a]
    const merged = new Uint32Array(a.length + b.length)
    let from = 0
    let end = 0
    for (const entry of short) {
      const to = this.#placeIn(long, entry, from)
      merged.set(long.subarray(from, to), end)
      end += to - from
      merged[end++] = entry
      from = to
      yield COMPARING_COST
    }
    merged.set(long.subarray(from), end)
    return merged
  }

  /** The place of the first entry that is not before the given one, from `from` on. */
  #placeIn(list: Uint32Array, entry: number, from: number): number {
    const isBefore = (i: number): boolean =>
      (this.#compareNames(list[i]!, entry) || this.#compareIbans(list[i]!, entry)) < 0
    let step = 1
    let low = from
    while (low + step <= list.length && isBefore(low + step - 1)) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step - 1, list.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(middle)) low = middle + 1
      else high = middle
    }
    return low
  }
}
