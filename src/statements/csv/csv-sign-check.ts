// Whether the balances after the rows contradict the signs of the amounts. Layouts are known by
// their columns, which do not say whether a bank writes debits with a minus.
//
// Files list the oldest row first (down), or the newest (up), so each pair of neighbours is
// compared in both directions at once, in constant memory:
//
//   down   balance of the last row + amount of this row  = balance of this row
//   up     balance of this row     + amount of the last row = balance of the last row
import type { EpochMs } from '../../instant.js'
import type { Amount, Sum } from '../../money.js'
import { formatSum, sumOf } from '../../money.js'
import type { StatementTransaction } from '../statement.js'
import { columnsText } from './csv-columns.js'
import type { CsvPlan } from './csv-plan.js'
import { columnSidesOf, writtenColumn } from './csv-plan.js'

/** A row with a balance after it. */
interface ChainedRow {
  readonly line: number
  readonly moved: Sum
  readonly after: Sum
}

/** A row whose balance follows from its neighbour only if its sign is reversed. */
interface ReversedRow {
  readonly line: number
  readonly amount: Sum
  readonly before: Sum
  readonly after: Sum
}

/** The pairs of neighbours in one direction. */
class DirectionPairs {
  /** Pairs that chain as the amount is read. */
  readCount = 0
  /** Pairs that chain with the sign reversed. */
  reversedCount = 0
  otherCount = 0
  firstReversed: ReversedRow | undefined

  take(older: ChainedRow, newer: ChainedRow): void {
    const { moved: amount, after, line } = newer
    if (amount === 0n) return
    const before = older.after
    if (before + amount === after) this.readCount += 1
    else if (before - amount === after) {
      this.reversedCount += 1
      this.firstReversed ??= { line, amount, before, after }
    } else this.otherCount += 1
  }

  get explainedCount(): number {
    return this.readCount + this.reversedCount
  }

  get isAllReversed(): boolean {
    return this.reversedCount > 0 && this.readCount + this.otherCount === 0
  }
}

/** The rows of one account and currency, in the order of the file. */
class Chain {
  readonly #down = new DirectionPairs()
  readonly #up = new DirectionPairs()
  #last: ChainedRow | undefined
  #firstDay: EpochMs | undefined
  #lastDay: EpochMs | undefined
  #hasDebit = false
  #hasCredit = false

  take(row: ChainedRow, day: EpochMs | undefined): void {
    this.noteSign(row.moved)
    this.#firstDay ??= day
    this.#lastDay = day ?? this.#lastDay
    if (this.#last !== undefined) {
      this.#down.take(this.#last, row)
      this.#up.take(row, this.#last)
    }
    this.#last = row
  }

  noteSign(moved: Sum): void {
    if (moved < 0n) this.#hasDebit = true
    if (moved > 0n) this.#hasCredit = true
  }

  /** Breaks the chain: the next row does not follow from the last one. */
  skip(): void {
    this.#last = undefined
  }

  /**
   * The first row that contradicts the signs: all pairs of a file with both signs are reversed, or
   * any pair of a file with one sign, most of whose pairs chain.
   */
  contradiction(): { readonly row: ReversedRow; readonly isWhole: boolean } | undefined {
    const { firstReversed: row, isAllReversed, explainedCount, otherCount } = this.#likelier()
    if (row === undefined) return undefined
    if (isAllReversed) return { row, isWhole: true }
    const hasBothSigns = this.#hasDebit && this.#hasCredit
    const isDoubtful = !hasBothSigns && explainedCount >= otherCount
    return isDoubtful ? { row, isWhole: false } : undefined
  }

  /** The direction that explains more pairs, else that of the days, else the one read as it is. */
  #likelier(): DirectionPairs {
    const [down, up] = [this.#down, this.#up]
    if (down.explainedCount !== up.explainedCount) {
      return down.explainedCount > up.explainedCount ? down : up
    }
    const [begin, end] = [this.#firstDay ?? 0, this.#lastDay ?? 0]
    if (begin !== end) return begin < end ? down : up
    return down.reversedCount <= up.reversedCount ? down : up
  }
}

/** Searches a table with balances after its rows for amounts whose signs they contradict. */
export class SignCheck {
  readonly #chains = new Map<string, Chain>()

  constructor(private readonly plan: CsvPlan) {}

  /** Takes a booking. @param accountKey the same text for all rows of one account */
  take(line: number, accountKey: string, transaction: StatementTransaction): void {
    const { amount, paypal, balanceAfter, currency, bookedAt, valuedAt } = transaction
    const { balanceAfter: at, balanceBefore } = this.plan.at
    if ((at ?? balanceBefore) === undefined) return
    const key = `${currency} ${accountKey}`
    const chain = this.#chains.get(key) ?? new Chain()
    this.#chains.set(key, chain)
    // The balance of PayPal moves by the amount minus the fee.
    const moved = unitsOf(paypal?.net ?? amount)
    if (balanceAfter === undefined) {
      chain.noteSign(moved)
      chain.skip()
      return
    }
    chain.take({ line, moved, after: unitsOf(balanceAfter) }, bookedAt ?? valuedAt)
  }

  /** The contradiction in all records taken, and its position; undefined = none. */
  problem(): { readonly position: string; readonly message: string } | undefined {
    for (const chain of this.#chains.values()) {
      const found = chain.contradiction()
      if (found === undefined) continue
      const message = found.isWhole ? this.#wholeText(found.row) : this.#partText(found.row)
      return { position: `line ${found.row.line}`, message }
    }
    return undefined
  }

  #contradictionText({ amount, before, after }: ReversedRow): string {
    const { at } = this.plan
    const column = writtenColumn(this.plan, at.balanceAfter ?? at.balanceBefore ?? 0)
    const sign = amount < 0n ? 'a debit' : 'a credit'
    return (
      `the balance in column ${column} goes from ${formatSum(before)} to ${formatSum(after)}, ` +
      `which contradicts the amount ${formatSum(amount)}, read as ${sign}`
    )
  }

  /** All amounts are reversed: the caller specifies what the balance is. */
  #wholeText(row: ReversedRow): string {
    const plain = columnsText(this.#sides().filter(([field]) => field !== 'balanceAfter'))
    return (
      `${this.#contradictionText(row)}, and so do all balances; if the balances are right, ` +
      `${this.#reversedText()}; if the amounts are right, and the column has a debt, ` +
      `specify the mapping without it: --columns '${plain}'`
    )
  }

  #reversedText(): string {
    const { at } = this.plan
    if (at.direction !== undefined) {
      return 'specify the words of direction= in the other order, such as direction=Column:in|out'
    }
    const other = new Map([
      ['amount', 'charge'],
      ['charge', 'amount'],
      ['debit', 'credit'],
      ['credit', 'debit'],
    ])
    const sides = this.#sides().map(([field, text]) => [other.get(field) ?? field, text] as const)
    return `specify the signs with --columns '${columnsText(sides)}'`
  }

  /** Some amounts have the wrong sign, and no mapping reads them. */
  #partText(row: ReversedRow): string {
    const plain = columnsText(this.#sides().filter(([field]) => field !== 'balanceAfter'))
    return (
      `${this.#contradictionText(row)}; no amount has another sign, so some must be wrong; if a ` +
      'column has debit or credit, map it with direction=; otherwise export the file with signs, ' +
      `or in another format; if the amounts are right, specify --columns '${plain}'`
    )
  }

  #sides(): [field: string, column: string][] {
    return columnSidesOf(this.plan)
  }
}

function unitsOf({ unscaled, scale }: Amount): Sum {
  return sumOf(BigInt(unscaled), scale)
}
