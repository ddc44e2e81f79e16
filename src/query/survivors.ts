import { bitCount, fullWords, passes, type Sieve } from '../ordinals/sieve.js'
import type { OrderedCodes } from '../snapshot/ordered-column.js'
import type { Segment } from '../snapshot/snapshot.js'
import { keepLetPass } from './keep.js'
import { Kept } from './kept.js'
import { aliveRankedRows, countsWithout, type RankDirectory, rankedRowsOf } from './ranked-rows.js'
import type { Selection } from './select.js'

/** A selection of a segment's rows, of which the living ones are wanted. */
export interface Wanted {
  /** undefined = every row. */
  readonly selection: Selection | undefined
  /** The selection's own; undefined = in the order of the ordinals. */
  readonly key: OrderedCodes | undefined
  /** Tells it from the segment's other selections. */
  readonly name: string
}

/** A segment, of which no more is asked here. */
type Rows = Pick<Segment, 'rowCount'>

/** What was alive of a selection when so many of the segment's rows were dead. */
type Survived = { readonly deadCount: number } & (
  | { readonly ordinals: Uint32Array }
  | { readonly count: number; readonly counts: RankDirectory }
)

/**
 * What is alive of the selections of segments. Somebody who writes leaves a few more rows dead
 * several times a second, and so many are taken away from what was worked out before: working it
 * out anew looks at every row of the segment.
 */
export class Survivors {
  readonly #deaths = new WeakMap<Rows, Deaths>()
  readonly #survived = new Kept<Survived>((survived) =>
    'ordinals' in survived ? survived.ordinals.byteLength : survived.counts.before.byteLength,
  )

  /** The rows of the selection that are alive, in its order. */
  of(segment: Rows, alive: Sieve, wanted: Wanted): Selection {
    const deaths = this.#deathsOf(segment)
    const deadCount = segment.rowCount - alive.count
    const known = this.#survived.find(segment, wanted.name) ?? bornOf(wanted)
    // Requests that began earlier may still look at an earlier snapshot.
    const isLate = !deaths.learn(alive) || (known !== undefined && known.deadCount > deadCount)
    if (isLate) return selectionOf(survivedOf(segment, alive, wanted), alive, wanted)
    if (known?.deadCount === deadCount) return selectionOf(known, alive, wanted)
    const survived =
      (known && survivedSince(known, deaths.between(known.deadCount, deadCount), alive, wanted)) ??
      survivedOf(segment, alive, wanted)
    this.#survived.replace(segment, segment.rowCount, wanted.name, survived)
    return selectionOf(survived, alive, wanted)
  }

  #deathsOf(segment: Rows): Deaths {
    let deaths = this.#deaths.get(segment)
    if (deaths === undefined) {
      deaths = new Deaths(segment.rowCount)
      this.#deaths.set(segment, deaths)
    }
    return deaths
  }
}

/** All of a selection, as when nobody was dead; undefined where nothing was counted of it. */
function bornOf({ selection }: Wanted): Survived | undefined {
  if (selection?.kind !== 'sifted') return undefined
  const { count, counts } = selection.ranked
  return { deadCount: 0, count, counts }
}

function selectionOf(survived: Survived, { words: alive }: Sieve, wanted: Wanted): Selection {
  if ('ordinals' in survived) return { kind: 'listed', ordinals: survived.ordinals }
  const { count, counts } = survived
  const order = wanted.key?.order
  return { kind: 'sifted', ranked: { words: wordsOf(wanted, alive), alive, count, order, counts } }
}

/** Bits of the rows that are selected. */
function wordsOf({ selection }: Wanted, alive: Uint32Array): Uint32Array {
  return selection?.kind === 'sifted' ? selection.ranked.words : alive
}

/** Worked out anew. */
function survivedOf({ rowCount }: Rows, alive: Sieve, { selection, key }: Wanted): Survived {
  const deadCount = rowCount - alive.count
  if (selection?.kind === 'listed') {
    return { deadCount, ordinals: livingOf(selection.ordinals, alive) }
  }
  const { count, counts } =
    selection === undefined
      ? rankedRowsOf(alive, key?.order, rowCount)
      : aliveRankedRows(selection.ranked, alive.words, rowCount)
  return { deadCount, count, counts }
}

/** Rows of a selection that are taken away one by one: each is looked for in half a microsecond. */
const TAKEN_AWAY_MAX = 1_024

/** What is left when these rows have died as well; undefined = they are too many. */
function survivedSince(
  survived: Survived,
  died: Uint32Array,
  alive: Sieve,
  wanted: Wanted,
): Survived | undefined {
  const deadCount = survived.deadCount + died.length
  if ('ordinals' in survived) return { deadCount, ordinals: livingOf(survived.ordinals, alive) }
  const { selection, key } = wanted
  const gone =
    selection?.kind === 'sifted'
      ? died.filter((row) => passes(selection.ranked.words, row) === 1)
      : died
  if (gone.length > TAKEN_AWAY_MAX) return undefined
  const { count, counts } = survived
  if (gone.length === 0) return { deadCount, count, counts }
  const positions = key === undefined ? gone : gone.map((row) => positionOf(key, row))
  return { deadCount, count: count - gone.length, counts: countsWithout(counts, positions) }
}

/** The very same array when all are alive. */
function livingOf(ordinals: Uint32Array, { words }: Sieve): Uint32Array {
  let count = 0
  for (let i = 0; i < ordinals.length; i++) count += passes(words, ordinals[i]!)
  if (count === ordinals.length) return ordinals
  const rows = ordinals.slice()
  return rows.slice(0, keepLetPass(rows, rows.length, words))
}

/** Where the row stands in the order of the key. */
function positionOf({ codes, order }: OrderedCodes, row: number): number {
  const code = codes[row]!
  let low = 0
  let high = order.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = order[middle]! // low <= middle < high < length
    const difference = codes[other]! - code
    // Of equal codes the greater ordinal comes first.
    if (difference < 0 || (difference === 0 && other > row)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The rows of a segment in the order in which they were found dead: when so many are dead, they are
 * the first ones. The dead stay dead, so each sieve of a segment lets less through than those
 * before it.
 */
class Deaths {
  #rows = new Uint32Array(0)
  #count = 0
  /** Bits of the last of the sieves that have followed each other. */
  #words: Uint32Array
  /** All of them. */
  readonly #known = new WeakSet<Sieve>()

  constructor(rowCount: number) {
    this.#words = fullWords(rowCount)
  }

  /** Takes note of who has died. @returns false when the sieve does not follow the last one */
  learn(alive: Sieve): boolean {
    if (this.#known.has(alive)) return true
    const died = this.#diedUntil(alive.words)
    if (died === undefined) return false
    this.#append(died)
    this.#words = alive.words
    this.#known.add(alive)
    return true
  }

  /** Who died after so many others. @param to at most as many as there are */
  between(from: number, to: number): Uint32Array {
    return this.#rows.subarray(from, to)
  }

  /** Who is alive in the last sieve and dead in this one; undefined = somebody is the reverse. */
  #diedUntil(words: Uint32Array): Uint32Array | undefined {
    const rows: number[] = []
    for (let i = 0; i < words.length; i++) {
      const held = this.#words[i]! // as long
      const now = words[i]!
      if (held === now) continue
      if ((now & ~held) !== 0) return undefined
      for (let rest = held & ~now; rest !== 0; rest &= rest - 1) {
        rows.push((i << 5) + bitCount((rest & -rest) - 1))
      }
    }
    return Uint32Array.from(rows)
  }

  #append(died: Uint32Array): void {
    const needed = this.#count + died.length
    if (needed > this.#rows.length) {
      const grown = new Uint32Array(Math.max(needed, this.#rows.length * 2))
      grown.set(this.#rows.subarray(0, this.#count))
      this.#rows = grown
    }
    this.#rows.set(died, this.#count)
    this.#count = needed
  }
}
