import { strict as assert } from 'node:assert'
import { AMOUNT_SCALE_MAX } from '../../limits.js'
import { type Amount, formatSum, parseAmount, type Sum, sumOf } from '../../money.js'
import type { KeptEntry } from '../../store/kept-statement.js'
import type { OpenWorkspace } from '../../store/workspace-writer.js'
import type { StatementTransaction } from '../statement.js'
import { type CheckedStatement, type ClosingBalance, differenceOf } from './balance-check.js'
import { digestOf } from './digest.js'
import { utcDayOf } from './identity.js'
import {
  contestedOf,
  countOf,
  countsOn,
  dayOfStatement,
  endOfChain,
  relationOf,
  type StatementDay,
} from './statement-chain.js'

/** Entries of one day of a statement that are compared: more than a company has in an hour. */
const DAY_ENTRIES_MAX = 10_000

/** Statements of one day that are compared, two by two. */
const DAY_STATEMENTS_MAX = 100

/** What is kept of an entry until its statement ends: little, because a day has thousands. */
interface BoundaryEntry {
  readonly amount: Amount
  readonly identifiedBy:
    | { readonly kind: 'texts'; readonly base: string; readonly transaction: StatementTransaction }
    | { readonly kind: 'reference'; readonly reference: string }
}

/** The entries of the first and last day of an open statement, in one currency. */
class OpenDays {
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  /** By day: one or two. */
  readonly #days = new Map<number, BoundaryEntry[]>()
  /** Whether an entry is missing here. */
  #isPartial = false

  add(day: number, entry: BoundaryEntry): void {
    if (day > this.first && day < this.last) return
    const list = this.#days.get(day)
    if (list === undefined) {
      this.#days.set(day, [entry])
      this.first = Math.min(day, this.first)
      this.last = Math.max(day, this.last)
      for (const each of this.#days.keys()) {
        if (each !== this.first && each !== this.last) this.#days.delete(each)
      }
    } else if (list.length < DAY_ENTRIES_MAX) list.push(entry)
    else this.#isPartial = true
  }

  /** Empty if there are too many. */
  entries(): (readonly [day: number, entry: BoundaryEntry])[] {
    if (this.#isPartial) return []
    return [...this.#days].flatMap(([day, list]) => list.map((entry) => [day, entry] as const))
  }
}

/** Callbacks into the import. */
interface ChainOptions {
  readonly warn: (sentence: string) => void
  /**
   * Adds rows until there are so many with the base.
   * @param like a transaction of the open statement with it; undefined = a stored row has it
   * @returns number of added rows
   */
  readonly addUpTo: (
    accountId: number,
    base: string,
    count: number,
    like: StatementTransaction | undefined,
  ) => number
  /** Whether there are so many rows with the base. */
  readonly hasUpTo: (accountId: number, base: string, count: number) => boolean
}

/**
 * The statements of one import, next to those of earlier ones: entries that are equal, and that the
 * balances show to be different ones, become different rows (statement-chain.ts).
 */
export class ChainedStatements {
  /** By currency. */
  #open = new Map<string, OpenDays>()

  constructor(
    private readonly file: OpenWorkspace,
    private readonly options: ChainOptions,
  ) {}

  /** Begins a statement. */
  begin(): void {
    this.#open = new Map()
  }

  /** @param base digest of the identity's base, if no reference identifies the entry */
  addEntry(transaction: StatementTransaction, base: string | undefined): void {
    const { bookedAt = transaction.valuedAt, currency } = transaction
    if (bookedAt === undefined) return
    let days = this.#open.get(currency)
    if (days === undefined) {
      days = new OpenDays()
      this.#open.set(currency, days)
    }
    const { amount } = transaction
    days.add(utcDayOf(bookedAt), {
      amount,
      identifiedBy:
        base === undefined
          ? { kind: 'reference', reference: referenceOf(transaction) }
          : { kind: 'texts', base, transaction },
    })
  }

  /** Ends the statement, keeps it, and adds the rows that its balances show to be missing. */
  end(accountId: number, place: string, statements: readonly CheckedStatement[]): void {
    for (const checked of statements) {
      const open = this.#open.get(checked.currency)
      if (open !== undefined) this.#endOne(accountId, place, checked, open)
    }
    this.#open = new Map()
  }

  /** The balance that kept statements of the day lead to from another one; else that one. */
  endOf(accountId: number, { amount, currency, at }: ClosingBalance): Amount {
    if (at === undefined) return amount
    const day = utcDayOf(at)
    const statements = this.file.balancesOn(accountId, currency, day, DAY_STATEMENTS_MAX)
    const end = endOfChain(statements, unitsOf(amount))
    if (end === undefined || end === unitsOf(amount)) return amount
    const parsed = parseAmount(formatSum(end))
    return typeof parsed === 'string' ? amount : parsed
  }

  #endOne(accountId: number, place: string, checked: CheckedStatement, open: OpenDays): void {
    const { currency, opening, closing } = checked
    const entries = open.entries()
    if (differenceOf(checked) !== 0n || entries.length === 0) return
    assert(opening !== undefined && closing !== undefined)
    const { first: firstDay, last: lastDay } = open
    const kept = entries.map(
      ([day, entry]): KeptEntry => ({
        digest: digestOfEntry(entry),
        amount: unitsOf(entry.amount),
        isOnFirstDay: day === firstDay,
        isOnLastDay: day === lastDay,
        hasReference: entry.identifiedBy.kind === 'reference',
      }),
    )
    const statement = { opening, closing, firstDay, lastDay, entries: kept }
    const days = [...new Set([firstDay, lastDay])].flatMap((day): ComparedDay[] => {
      const others = this.#othersOn(accountId, currency, day)
      return others.length === 0 ? [] : [{ own: dayOfStatement(day, statement), others }]
    })
    const isNew = this.file.keepStatement(accountId, currency, statement)
    if (days.length === 0) return
    const like = new Map(
      entries.flatMap(([, { identifiedBy: by }]) =>
        by.kind === 'texts' ? [[by.base, by.transaction]] : [],
      ),
    )
    let addedCount = 0
    for (const { own, others } of days) {
      if (others.length > DAY_STATEMENTS_MAX) continue
      for (const [base, count] of countsOn(own, others)) {
        const added = this.options.addUpTo(accountId, base, count, like.get(base))
        if (!like.has(base)) addedCount += added
      }
    }
    if (addedCount > 0) this.options.warn(laterSentence(place, addedCount))
    if (!isNew) return
    const unknownCount = days.reduce((sum, each) => sum + this.#unknownCount(accountId, each), 0)
    if (unknownCount > 0) this.options.warn(unknownSentence(place, unknownCount))
  }

  /** The other statements of a day that have shared entries to compare. */
  #othersOn(accountId: number, currency: string, day: number): StatementDay[] {
    const stored = this.file.statementsOn(accountId, currency, day, DAY_STATEMENTS_MAX + 1)
    return stored.map((each) => dayOfStatement(day, each))
  }

  /** Entries of a day that may be new ones, and were not added. */
  #unknownCount(accountId: number, { own, others }: ComparedDay): number {
    const counts = new Map<string, number>()
    const isTooMany = others.length > DAY_STATEMENTS_MAX
    for (const other of others) {
      if (!isTooMany && relationOf(own, other) !== 'unknown') continue
      for (const base of contestedOf(own, other)) {
        const [one, two] = [countOf(base, own), countOf(base, other)]
        const all = isTooMany
          ? others.reduce((sum, each) => sum + countOf(base, each), one)
          : one + two
        if (this.options.hasUpTo(accountId, base, all)) continue
        counts.set(base, Math.max(Math.min(one, two), counts.get(base) ?? 0))
      }
    }
    return [...counts.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** A statement on its first or last day, and the other statements of the day. */
interface ComparedDay {
  readonly own: StatementDay
  readonly others: readonly StatementDay[]
}

/** What identifies an entry with a reference, but for its amount. */
function referenceOf(transaction: StatementTransaction): string {
  const { entry, bankReference, currency, bookedAt, valuedAt } = transaction
  return [entry?.key, bankReference, currency, bookedAt ?? valuedAt].join('\n')
}

function digestOfEntry({ amount, identifiedBy }: BoundaryEntry): string {
  if (identifiedBy.kind === 'texts') return identifiedBy.base
  return digestOf(`reference\n${unitsOf(amount)}\n${identifiedBy.reference}`)
}

function unitsOf({ unscaled, scale }: Amount): Sum {
  // A third of the time of a power of big integers.
  const units = unscaled * 10 ** (AMOUNT_SCALE_MAX - scale)
  return Number.isSafeInteger(units) ? BigInt(units) : sumOf(BigInt(unscaled), scale)
}

function laterSentence(place: string, addedCount: number): string {
  const entries = addedCount === 1 ? 'an entry' : `${addedCount} entries`
  return (
    `${place}: its balances show that ${entries} of other statements of that day had been taken ` +
    `for ${addedCount === 1 ? 'one' : 'entries'} already there; now added`
  )
}

function unknownSentence(place: string, count: number): string {
  const [entries, verb] =
    count === 1 ? ['1 entry', 'equals one'] : [`${count} entries`, 'equal some']
  return (
    `${place}: ${entries} ${verb} of another statement of that day, and the balances do not show ` +
    `whether ${count === 1 ? 'it is the same; it is' : 'they are the same; they are'} not added; ` +
    'compare the entries of that day with the bank'
  )
}
