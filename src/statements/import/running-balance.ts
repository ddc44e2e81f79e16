// Whether the balances after each row of a file chain.
//
// A row moves the account from `before` (its balance minus its amount) to `after` (its balance).
// The balances chain if each row begins with the balance of the row before it. Files list the
// oldest row first (down), or the newest (up), so each pair of neighbours is checked in both
// directions at once, in constant memory:
//
//   down   before of this row = after of the last one
//   up     after of this row = before of the last one
//
// Some banks shuffle the rows of a day, or sort by another date than that of the balance. Then the
// balances chain in some other order: every balance except the first and the last is the `after` of
// as many rows as it is the `before` of. Balances without their other side are kept, up to a limit;
// a file in order has two.
import type { EpochMs } from '../../instant.js'
import { type Amount, formatSum, type Sum, sumOf } from '../../money.js'
import { utcDayOf } from './identity.js'

/** Balances without their other side: more rows than the busiest day of a company has. */
const WAITING_MAX = 10_000

/** One row of a file that has a balance after its rows. */
export interface BalanceRow {
  /** Signed change of the balance. */
  readonly amount: Amount
  /** The account's balance after the row. */
  readonly balance: Amount
  readonly bookedAt: EpochMs | undefined
  readonly position: string
}

/** A row, with its amounts as sums. */
interface Row {
  readonly source: BalanceRow
  readonly before: Sum
  readonly after: Sum
}

/** A row that breaks the chain: it does not begin with the balance of its older neighbour. */
interface BalanceFault {
  readonly row: Row
  /** The balance of the older neighbour. */
  readonly earlier: Sum
  readonly difference: Sum
}

/** The rows in one direction: the first row that breaks the chain, and the number of such rows. */
class Direction {
  first: BalanceFault | undefined
  faultCount = 0
  #last: BalanceFault | undefined

  /**
   * Takes the comparison of two neighbours. A difference that reverses the one before is not a
   * second fault: only the balance of the row between them is wrong.
   * @param between the fault of that row, if it is not the one before
   */
  take(fault: BalanceFault, between?: BalanceFault): void {
    const last = this.#last
    this.#last = undefined
    if (fault.difference === 0n) return
    if (last?.difference === -fault.difference) {
      if (this.first === last) this.first = between ?? last
      return
    }
    this.#last = fault
    this.first ??= fault
    this.faultCount += 1
  }
}

/** Result for one account and currency. */
export interface RunningOutcome {
  /** `unproved`: fewer than two rows, so no row is between two balances. */
  readonly result: 'proved' | 'unproved' | 'contradicted'
  /**
   * The newest balance, and the newest booking day of all rows; undefined if the newest row is
   * uncertain.
   */
  readonly newest: { readonly amount: Amount; readonly at: EpochMs | undefined } | undefined
  /** The first row that breaks the chain: its position, and a sentence. */
  readonly fault: { readonly position: string; readonly message: string } | undefined
}

/** The rows of one account and currency, in the order of the file. */
export class RunningBalance {
  readonly #down = new Direction()
  readonly #up = new Direction()
  #first: Row | undefined
  #last: Row | undefined
  #pairCount = 0
  /** Sum of the rows without a balance since the last row with one. */
  #skipped: Sum = 0n
  #isSkipping = false
  /** Whether rows without a balance come before the first row with one. */
  #beginsWithout = false
  #newestBookedAt: EpochMs | undefined
  /** Balance -> rows that end with it minus rows that begin with it; undefined = too many. */
  #waiting: Map<Sum, number> | undefined = new Map()

  constructor(private readonly currency: string) {}

  add(source: BalanceRow): void {
    const { bookedAt } = source
    const after = unitsOf(source.balance)
    const row = { source, after, before: after - unitsOf(source.amount) }
    const last = this.#last
    if (last !== undefined) {
      this.#pairCount += 1
      this.#down.take(faultOf(row, last.after + this.#skipped))
      const older = faultOf(last, row.after + this.#skipped)
      this.#up.take(older, older)
    }
    this.#match(row, last)
    if (this.#first === undefined) {
      this.#first = row
      this.#beginsWithout = this.#isSkipping
    }
    this.#last = row
    this.#skipped = 0n
    this.#isSkipping = false
    if (bookedAt !== undefined && bookedAt > (this.#newestBookedAt ?? bookedAt - 1)) {
      this.#newestBookedAt = bookedAt
    }
  }

  /** Adds a row without a balance in a file that has balances. */
  skip(amount: Amount): void {
    this.#skipped += unitsOf(amount)
    this.#isSkipping = true
    // Such a row has no place in an order by balances alone.
    this.#waiting = undefined
  }

  outcome(): RunningOutcome {
    const [first, last] = [this.#first, this.#last]
    if (first === undefined || last === undefined) return NOTHING
    if (first === last) {
      const isAlone = !this.#beginsWithout && !this.#isSkipping
      return { ...NOTHING, newest: isAlone ? this.#newestAt(first) : undefined }
    }
    const byDay = directionByDay(first, last)
    const [down, up] = [this.#down.faultCount, this.#up.faultCount]
    const isChained = down === 0 || up === 0
    if (!isChained && this.#chainsInSomeOrder()) {
      return {
        result: 'proved',
        newest: this.#endOfSomeOrder(first, last, byDay),
        fault: undefined,
      }
    }
    const direction: FileDirection = down < up ? 'down' : up < down ? 'up' : byDay
    // A column with mostly wrong rows, or with days in the other direction, is not a balance.
    const isRunning = isChained || Math.min(down, up) * 2 < this.#pairCount
    const isCertain = isRunning && (direction === byDay || (isChained && byDay === undefined))
    return {
      result: isChained ? 'proved' : 'contradicted',
      newest: isCertain ? this.#newestIn(direction, first, last) : undefined,
      fault: isChained ? undefined : this.#faultIn(direction === 'up' ? this.#up : this.#down),
    }
  }

  /** The balance at the newest end of the file, unless that end has rows without a balance. */
  #newestIn(direction: FileDirection, first: Row, last: Row): RunningOutcome['newest'] {
    if (direction === 'up' && !this.#beginsWithout) return this.#newestAt(first)
    if (direction === 'down' && !this.#isSkipping) return this.#newestAt(last)
    return undefined
  }

  #newestAt(row: Row): RunningOutcome['newest'] {
    return { amount: row.source.balance, at: this.#newestBookedAt }
  }

  #faultIn({ first, faultCount }: Direction): RunningOutcome['fault'] {
    if (first === undefined) return undefined
    const { row, earlier, difference } = first
    const others =
      faultCount === 2
        ? '; one more balance does not follow'
        : `; ${faultCount - 1} more balances do not follow`
    const message =
      `the balance ${formatSum(row.after)} ${this.currency} does not follow from the balance ` +
      `${formatSum(earlier)} before it and the amount ${formatSum(row.after - row.before)}: ` +
      `the difference is ${formatSum(difference)}${faultCount === 1 ? '' : others}`
    return { position: row.source.position, message }
  }

  #match(row: Row, last: Row | undefined): void {
    // A row of amount zero fits anywhere, so it has to be adjacent to its balance.
    const isLoop = row.before === row.after
    const isAfterLoop = last !== undefined && last.before === last.after
    if ((isLoop || isAfterLoop) && last !== undefined && !touches(row, last)) {
      this.#waiting = undefined
    }
    if (isLoop || this.#waiting === undefined) return
    addTo(this.#waiting, row.after, 1)
    addTo(this.#waiting, row.before, -1)
    if (this.#waiting.size > WAITING_MAX) this.#waiting = undefined
  }

  /** Whether all balances except a first and a last one have their other side. */
  #chainsInSomeOrder(): boolean {
    if (this.#waiting === undefined || this.#waiting.size > 2) return false
    return [...this.#waiting.values()].every((count) => count === 1 || count === -1)
  }

  /**
   * The last balance of that order, if the days of the file and its first or last row confirm it.
   */
  #endOfSomeOrder(first: Row, last: Row, byDay: FileDirection): RunningOutcome['newest'] {
    const [end] = [...(this.#waiting ?? [])].find(([, count]) => count === 1) ?? []
    if (end === last.after && byDay === 'down') return this.#newestAt(last)
    if (end === first.after && byDay === 'up') return this.#newestAt(first)
    return undefined
  }
}

const NOTHING: RunningOutcome = { result: 'unproved', newest: undefined, fault: undefined }

/** Down: the oldest row comes first; up: the newest one. undefined = not known. */
type FileDirection = 'down' | 'up' | undefined

function directionByDay(first: Row, last: Row): FileDirection {
  const days = [first.source.bookedAt, last.source.bookedAt]
  const [begin, end] = days.map((at) => (at === undefined ? undefined : utcDayOf(at)))
  if (begin === undefined || end === undefined || begin === end) return undefined
  return begin < end ? 'down' : 'up'
}

function faultOf(row: Row, earlier: Sum): BalanceFault {
  return { row, earlier, difference: row.before - earlier }
}

/** Whether one of the rows begins or ends with the unchanged balance of the other. */
function touches(a: Row, b: Row): boolean {
  return [a.before, a.after].some((balance) => balance === b.before || balance === b.after)
}

function addTo(counts: Map<Sum, number>, balance: Sum, step: 1 | -1): void {
  const count = (counts.get(balance) ?? 0) + step
  if (count === 0) counts.delete(balance)
  else counts.set(balance, count)
}

function unitsOf({ unscaled, scale }: Amount): Sum {
  return sumOf(BigInt(unscaled), scale)
}
