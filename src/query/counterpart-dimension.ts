import { randomBytes } from 'node:crypto'
import { lowerBound } from '../lower-bound.js'
import { type CounterpartColumn, counterpartCount } from '../snapshot/counterparts.js'
import type { Segment } from '../snapshot/snapshot.js'
import { compareStrings, stringCount, stringOfCode } from '../snapshot/strings.js'
import { normalForms } from '../text/normal-forms.js'
import { type Dimension, mappedNumbers, type NamedValue } from './dimension.js'
import { type ListedRows, rowsOfListing } from './listed-rows.js'
import type { Listing } from './listing.js'
import { inSteps, type StepwiseWork } from './turns.js'

/** Counterparts of a step that reads arrays, and its cost: some ten microseconds. */
const READING = { numbers: 2_048, cost: 1_024 }

/** Cost of a comparison of texts that may be in different segments, in rows added up. */
const COMPARING_COST = 20

/** Cost of joining two groups, whose names may have to be brought to their normal forms. */
const JOINING_COST = 100

/** Cost of a step that joins groups. */
const STEP_COST = 512

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
  const entries = new CounterpartEntries(segments)
  const hasNone = yield* entries.count(listing)
  yield* entries.group()
  const shown = yield* entries.shownEntries()
  const numbers = yield* entries.numbersOf(shown)
  return {
    ...valuesOf(segments, entries.bases, shown),
    // Each number then has rows: no group has to be left out.
    size: shown.length + Number(hasNone),
    numbersOf: (segment) =>
      mappedNumbers(segment.counterparts.codes, numbers[segments.indexOf(segment)]!),
  }
}

/** Apart from the function that makes the entries, so that kept values hold no entries. */
function valuesOf(
  segments: readonly Segment[],
  bases: Uint32Array,
  shown: Uint32Array,
): Pick<Dimension, 'valueAt' | 'valueBytes'> {
  return {
    valueAt: (number) => {
      const entry = shown[number]
      if (entry === undefined) return undefined
      const place = placeOf(bases, entry)
      return namedValueOf(segments[place]!, entry - bases[place]!)
    },
    valueBytes: shown.byteLength,
  }
}

/** Place of the segment of an entry. */
function placeOf(bases: Uint32Array, entry: number): number {
  let place = bases.length - 1
  while (bases[place]! > entry) place -= 1
  return place
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

/** @param counted rows by code of their counterpart */
function countCodes(counted: Uint32Array, { segment, ordinals, from, to }: ListedRows): void {
  const { codes } = segment.counterparts
  for (let i = from; i < to; i++) counted[codes[ordinals[i]!]!]! += 1 // to <= ordinals.length
}

/**
 * The counterparts of segments, an entry for each segment and code, then one for the rows of the
 * segment without a counterpart; and the groups of those that rows of a listing have.
 *
 *   FIELD    SIZE            HOLDS
 *   bases    segments        first entry of the segment
 *   votes    4 × entries     rows of the listing
 *   heads    4 × entries     first entry of the group in its segment or, of a group that was joined
 *                            with one of another segment, the head of that one
 *   shown    4 × entries     by head: the entry whose name is shown; NONE = the group has no rows
 *
 * Only segments that have to be joined are hashed, and the largest one looks up the others: a few
 * changed rows next to a million others cost a look at each counterpart.
 */
class CounterpartEntries {
  readonly bases: Uint32Array
  readonly #votes: Uint32Array
  readonly #heads: Uint32Array
  readonly #shown: Uint32Array
  /**
   * Heads of groups whose hash another group had before: callers may choose names of equal hashes,
   * so that looking through them one by one would take quadratic time.
   */
  readonly #collided = new Map<string, number>()

  constructor(private readonly segments: readonly Segment[]) {
    this.bases = new Uint32Array(segments.length)
    let count = 0
    for (const [place, { counterparts }] of segments.entries()) {
      this.bases[place] = count
      count += counterpartCount(counterparts) + 1
    }
    this.#votes = new Uint32Array(count)
    this.#heads = new Uint32Array(count)
    this.#shown = new Uint32Array(count)
  }

  /** Counts the rows of each entry. @returns whether there are rows without a counterpart */
  *count(listing: Listing): StepwiseWork<boolean> {
    const votes = this.segments.map((_, place) => this.#ofSegment(this.#votes, place))
    for (const rows of rowsOfListing(listing)) {
      countCodes(votes[this.segments.indexOf(rows.segment)]!, rows)
      yield (rows.to - rows.from) / 2
    }
    return votes.some((counted) => counted.at(-1) !== 0)
  }

  /** The part of a column that has the entries of a segment. */
  #ofSegment(column: Uint32Array, place: number): Uint32Array {
    return column.subarray(this.bases[place], this.bases[place + 1])
  }

  /** Finds the groups and the names that are shown. */
  *group(): StepwiseWork<void> {
    const [votes, heads, shown] = [this.#votes, this.#heads, this.#shown]
    yield* inSteps(shown.length, READING, (from, to) => shown.fill(NONE, from, to))
    for (const [place, { counterparts }] of this.segments.entries()) {
      const base = this.bases[place]!
      const { groupCodes, nameCodes, names } = counterparts
      const namedCount = lowerBound(0, groupCodes.length, (i) => nameCodes[i]! < stringCount(names))
      yield* inSteps(groupCodes.length, READING, (from, to) => {
        for (let code = from; code < to; code++) {
          const head = base + groupCodes[code]!
          heads[base + code] = head
          const own = votes[base + code]!
          if (own === 0) continue
          // Ascending by name: of equally frequent ones the first, and those without a name last.
          const known = shown[head]!
          if (known === NONE || (code < namedCount && own > votes[known]!)) {
            shown[head] = base + code
          }
        }
      })
    }
    if (this.segments.length > 1) yield* this.#join()
  }

  /**
   * Joins the groups of several segments. Only heads of groups with rows have a shown entry; that
   * of a joined group is found afterwards, because several segments may have the same name.
   */
  *#join(): StepwiseWork<void> {
    const [heads, shown] = [this.#heads, this.#shown]
    const sizeOf = (place: number): number => counterpartCount(this.#counterpartsAt(place))
    const ascending = [...this.segments.keys()].sort((a, b) => sizeOf(a) - sizeOf(b))
    const largest = ascending.at(-1)
    const table = new HeadTable(shown.length - sizeOf(largest ?? 0))
    const isJoined = new Uint8Array(shown.length)
    let cost = 0
    for (const place of ascending) {
      const { hashes } = this.#counterpartsAt(place)
      for (let code = 0; code < hashes.length; code++) {
        const entry = this.bases[place]! + code
        cost += 1
        if (shown[entry] !== NONE) {
          const found = table.find(hashes[code]!)
          const head = found === NONE ? NONE : this.#equalHead(found, entry)
          if (head !== NONE) {
            heads[entry] = head
            isJoined[head] = 1
            shown[head] = NONE
            shown[entry] = NONE
            cost += JOINING_COST
          } else if (found === NONE && place !== largest) table.add(hashes[code]!, entry)
        }
        if (cost < STEP_COST) continue
        yield cost
        cost = 0
      }
    }
    yield* this.#nameJoined(isJoined)
  }

  /** The head of the same group; NONE = there is none yet. @param found head of the same hash */
  #equalHead(found: number, entry: number): number {
    if (this.#isSame(found, entry)) return found
    const key = this.#hasIban(entry) ? `iban ${this.#ibanOf(entry)}` : `name ${this.#formOf(entry)}`
    const known = this.#collided.get(key)
    if (known === undefined) this.#collided.set(key, entry)
    return known ?? NONE
  }

  /** Finds the shown entries of joined groups. @param isJoined by head */
  *#nameJoined(isJoined: Uint8Array): StepwiseWork<void> {
    const [votes, heads, shown] = [this.#votes, this.#heads, this.#shown]
    // The entries of each joined group become a list that begins at `shown`.
    const nexts = new Uint32Array(shown.length)
    for (const place of this.segments.keys()) {
      const base = this.bases[place]!
      yield* inSteps(counterpartCount(this.#counterpartsAt(place)), READING, (from, to) => {
        for (let entry = base + from; entry < base + to; entry++) {
          const head = heads[heads[entry]!]!
          heads[entry] = head
          if (isJoined[head] === 0 || votes[entry] === 0) continue
          nexts[entry] = shown[head]!
          shown[head] = entry
        }
      })
    }
    for (let head = 0; head < isJoined.length; head++) {
      if (isJoined[head] === 1) shown[head] = yield* this.#mostFrequent(shown[head]!, nexts)
      if (head % READING.numbers === 0) yield READING.cost
    }
  }

  /** The entry with the most frequent name, in steps: one payment provider has many names. */
  *#mostFrequent(first: number, nexts: Uint32Array): StepwiseWork<number> {
    const entryOf = new Map<string, number>()
    let best = first
    for (let entry = first; entry !== NONE; entry = nexts[entry]!) {
      const name = this.#nameOf(entry) ?? ''
      const counted = entryOf.get(name) ?? entry
      entryOf.set(name, counted)
      if (counted !== entry) this.#votes[counted]! += this.#votes[entry]!
      if (this.#isBetter(counted, best)) best = counted
      yield COMPARING_COST
    }
    return best
  }

  #isBetter(a: number, b: number): boolean {
    if (this.#hasName(a) !== this.#hasName(b)) return this.#hasName(a)
    const difference = this.#votes[a]! - this.#votes[b]!
    return difference > 0 || (difference === 0 && this.#compareNames(a, b) < 0)
  }

  /** The entry of each group whose name is shown, in the order of groups. */
  *shownEntries(): StepwiseWork<Uint32Array> {
    const [heads, shown] = [this.#heads, this.#shown]
    // Entries of a segment are in the order of groups.
    const own = new Uint32Array(shown.length)
    const ends: number[] = []
    let end = 0
    for (const place of this.segments.keys()) {
      const base = this.bases[place]!
      yield* inSteps(counterpartCount(this.#counterpartsAt(place)), READING, (from, to) => {
        for (let entry = base + from; entry < base + to; entry++) {
          if (shown[heads[entry]!] === entry) own[end++] = entry
        }
      })
      ends.push(end)
    }
    let merged = own.slice(0, ends[0])
    for (const [place, last] of ends.entries()) {
      if (place > 0) merged = yield* this.#merged(merged, own.subarray(ends[place - 1], last))
    }
    return merged
  }

  /** Numbers of the groups by code, a list per segment; the entries are of no use afterwards. */
  *numbersOf(ordered: Uint32Array): StepwiseWork<Uint32Array[]> {
    const [numbers, heads, numberOfHead] = [this.#votes, this.#heads, this.#shown]
    yield* inSteps(ordered.length, READING, (from, to) => {
      for (let number = from; number < to; number++) numberOfHead[heads[ordered[number]!]!] = number
    })
    yield* inSteps(numbers.length, READING, (from, to) => {
      for (let entry = from; entry < to; entry++) numbers[entry] = numberOfHead[heads[entry]!]!
    })
    return this.segments.map((_, place) => {
      const own = this.#ofSegment(numbers, place)
      own[own.length - 1] = ordered.length
      return own
    })
  }

  #counterpartsAt(place: number): CounterpartColumn {
    return this.segments[place]!.counterparts
  }

  #placeOf(entry: number): number {
    return placeOf(this.bases, entry)
  }

  #segmentOf(entry: number): Segment {
    return this.segments[this.#placeOf(entry)]!
  }

  #codeOf(entry: number): number {
    return entry - this.bases[this.#placeOf(entry)]!
  }

  #ibanCodeOf(entry: number): number {
    return this.#segmentOf(entry).counterparts.ibanCodes[this.#codeOf(entry)]!
  }

  #hasIban(entry: number): boolean {
    return this.#ibanCodeOf(entry) < stringCount(this.#segmentOf(entry).counterpartIbans)
  }

  #ibanOf(entry: number): string {
    return stringOfCode(this.#segmentOf(entry).counterpartIbans, this.#ibanCodeOf(entry))
  }

  #isSame(a: number, b: number): boolean {
    if (this.#hasIban(a) !== this.#hasIban(b)) return false
    return this.#hasIban(a) ? this.#compareIbans(a, b) === 0 : this.#formOf(a) === this.#formOf(b)
  }

  #compareIbans(a: number, b: number): number {
    const [ibanCode, otherCode] = [this.#ibanCodeOf(a), this.#ibanCodeOf(b)]
    const [segment, other] = [this.#segmentOf(a), this.#segmentOf(b)]
    if (segment === other) return ibanCode - otherCode
    const difference = Number(this.#hasIban(b)) - Number(this.#hasIban(a))
    if (difference !== 0 || !this.#hasIban(a)) return difference
    return compareStrings(segment.counterpartIbans, ibanCode, other.counterpartIbans, otherCode)
  }

  /** The first normal form of the name. */
  #formOf(entry: number): string {
    return normalForms(this.#nameOf(entry) ?? '').first
  }

  #nameOf(entry: number): string | undefined {
    return nameOf(this.#segmentOf(entry).counterparts, this.#codeOf(entry))
  }

  #nameCodeOf(entry: number): number {
    return this.#segmentOf(entry).counterparts.nameCodes[this.#codeOf(entry)]!
  }

  #hasName(entry: number): boolean {
    return this.#nameCodeOf(entry) < stringCount(this.#segmentOf(entry).counterparts.names)
  }

  /** Orders by name, those without one last. */
  #compareNames(a: number, b: number): number {
    const [nameCode, otherCode] = [this.#nameCodeOf(a), this.#nameCodeOf(b)]
    const [own, other] = [this.#segmentOf(a).counterparts, this.#segmentOf(b).counterparts]
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

/**
 * The first head of each hash: open addressing.
 *
 *   FIELD     SIZE      HOLDS
 *   slots     4 × 2^k   1 + the head; 0 = free
 *   hashes    4 × 2^k   its hash
 */
class HeadTable {
  readonly #slots: Uint32Array
  readonly #hashes: Uint32Array
  /** Odd and secret, so that no names can be chosen to share a slot. */
  readonly #factor = randomBytes(4).readUInt32LE() | 1
  readonly #shift: number

  /** @param capacity hashes that are added, at most */
  constructor(capacity: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(capacity + 1)) + 1)
    this.#slots = new Uint32Array(2 ** bits)
    this.#hashes = new Uint32Array(2 ** bits)
    this.#shift = 32 - bits
  }

  /** The head of a hash; NONE = none was added. */
  find(hash: number): number {
    const slot = this.#slotOf(hash)
    return this.#slots[slot] === 0 ? NONE : this.#slots[slot]! - 1
  }

  /** @param hash that was not found */
  add(hash: number, head: number): void {
    const slot = this.#slotOf(hash)
    this.#slots[slot] = head + 1
    this.#hashes[slot] = hash
  }

  #slotOf(hash: number): number {
    const [slots, hashes] = [this.#slots, this.#hashes]
    let slot = Math.imul(hash, this.#factor) >>> this.#shift
    while (slots[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (slots.length - 1)
    return slot
  }
}
