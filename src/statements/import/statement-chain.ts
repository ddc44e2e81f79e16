// What the balances of several statements show about equal entries of one day.
//
// An account's entries have one true order, and a statement whose entries lead from its opening to
// its closing balance is a part of it without a gap. Two statements of one day may each have an
// entry with the same text, amount and days. They are two entries if the statements do not overlap:
//
//   100 ─ coffee -10 ─▶ 90          90 ─ coffee -10 ─▶ 80        chained: two coffees
//   100 ─ tea -5, coffee -10 ─▶ 85  95 ─ coffee -10 ─▶ 85        overlapping: one coffee
//
// `later` follows `earlier` if it opens with the closing balance of `earlier`, unless the balance
// of the account may have been the same before, within the day: then the two may overlap. Without
// the true order of the entries, this is possible if
//
//   - some entries that both have add up to zero: they may be the end of one, start of the other
//   - all entries of one are also in the other, which may contain it
//   - entries that both have add up to the whole distance from the opening of `earlier` to the
//     closing of `later`: then `later` may be the earlier one
//
// None of these is possible if the balance moves in one direction all day, which allows chains of
// more than two statements. A wrong answer would lose a row or add one, so everything else is
// unknown.
import type { Sum } from '../../money.js'
import type { Balances, KeptStatement } from '../../store/kept-statement.js'

/** Equal entries of one statement and day. */
interface EqualEntries {
  readonly count: number
  /** Of one of them. */
  readonly amount: Sum
  readonly hasReference: boolean
}

/** The entries of one statement on one day, by their digests. */
type DayEntries = ReadonlyMap<string, EqualEntries>

/** What the balances show about two statements with equal entries of one day. */
export type Relation = 'apart' | 'overlapping' | 'unknown'

/** A statement, and its entries of its first or last day. */
export interface StatementDay {
  readonly statement: KeptStatement
  readonly day: number
  readonly entries: DayEntries
}

export function dayOfStatement(day: number, statement: KeptStatement): StatementDay {
  const { firstDay, lastDay } = statement
  const entries = new Map<string, EqualEntries>()
  for (const each of statement.entries) {
    if (!((each.isOnFirstDay && firstDay === day) || (each.isOnLastDay && lastDay === day)))
      continue
    const { digest, amount, hasReference } = each
    const count = (entries.get(digest)?.count ?? 0) + 1
    entries.set(digest, { count, amount, hasReference })
  }
  return { statement, day, entries }
}

/** What the balances show about two statements that have equal entries of the day. */
export function relationOf(one: StatementDay, other: StatementDay): Relation {
  const orders = [
    { earlier: one, later: other },
    { earlier: other, later: one },
  ].filter(({ earlier, later }) => ends(earlier) && begins(later))
  const adjacent = orders.filter(
    ({ earlier, later }) => earlier.statement.closing === later.statement.opening,
  )
  if (adjacent.length > 0) {
    return adjacent.every(({ earlier, later }) => mayOverlap(earlier, later)) ? 'unknown' : 'apart'
  }
  // Two longer statements that both begin or both end with the day have all of it in common.
  const isExplained =
    orders.length === 0 ||
    orders.some(({ earlier, later }) => isOverlapping(earlier, later)) ||
    isInside(one, other) ||
    isInside(other, one)
  return isExplained ? 'overlapping' : 'unknown'
}

/**
 * The number of equal entries that a statement and others have together on a day, by digest, as far
 * as the balances show that they are different ones; without those that a reference identifies.
 * @param others statements of the same day; the balances between any two of them are compared too
 *   if `own` connects them
 */
export function countsOn(own: StatementDay, others: readonly StatementDay[]): Map<string, number> {
  const counts = new Map<string, number>()
  const raise = (digest: string, count: number): void => {
    if (count > (counts.get(digest) ?? 0)) counts.set(digest, count)
  }
  for (const other of others) {
    const contested = contestedOf(own, other)
    if (contested.length === 0 || relationOf(own, other) !== 'apart') continue
    for (const digest of contested) raise(digest, countOf(digest, own) + countOf(digest, other))
  }
  const direction = directionOf(own.entries)
  if (direction === undefined) return counts
  const days = [own, ...others.filter(({ entries }) => directionOf(entries) === direction)]
  for (const digest of sharedBy(days)) raise(digest, longestChain(digest, days, direction))
  return counts
}

/** Digests of the entries that both have, and that no reference identifies. */
export function contestedOf(one: StatementDay, other: StatementDay): string[] {
  return [...commonOf(one.entries, other.entries)].flatMap(([digest, { hasReference }]) =>
    hasReference ? [] : [digest],
  )
}

export function countOf(digest: string, { entries }: StatementDay): number {
  return entries.get(digest)?.count ?? 0
}

/** The balance that statements of a day lead to; undefined if there are several or none. */
export function endOfChain(statements: readonly Balances[], from: Sum): Sum | undefined {
  const moving = statements.filter(({ opening, closing }) => opening !== closing)
  const reached = new Set([from])
  // A set iterates over what is added meanwhile.
  for (const balance of reached) {
    for (const { opening, closing } of moving) if (opening === balance) reached.add(closing)
  }
  const ends = [...reached].filter((each) => !moving.some(({ opening }) => opening === each))
  return ends.length === 1 ? ends[0] : undefined
}

function begins({ statement, day }: StatementDay): boolean {
  return statement.firstDay === day
}

function ends({ statement, day }: StatementDay): boolean {
  return statement.lastDay === day
}

/** Whether the end of one is the beginning of the other, by the balances too. */
function isOverlapping(earlier: StatementDay, later: StatementDay): boolean {
  const common = sumOfEntries(commonOf(earlier.entries, later.entries))
  return later.statement.opening === earlier.statement.closing - common
}

/** Whether two statements with the same balance in between may have entries in common. */
function mayOverlap(earlier: StatementDay, later: StatementDay): boolean {
  const common = commonOf(earlier.entries, later.entries)
  if (directionOf(earlier.entries, later.entries) !== undefined) return false
  const direction = directionOf(common)
  if (direction === undefined) return true
  if (isPart(later, earlier) || isPart(earlier, later)) return true
  if (!begins(earlier) || !ends(later)) return false
  const distance = (later.statement.closing - earlier.statement.opening) * direction
  const amounts = [...common.values()].map(({ amount }) => amount * direction)
  const least = amounts.reduce((min, amount) => (amount < min ? amount : min))
  return distance >= least && distance <= sumOfEntries(common) * direction
}

/** Whether the first is of this day alone, and the second has all its entries. */
function isPart(part: StatementDay, whole: StatementDay): boolean {
  if (!begins(part) || !ends(part)) return false
  return [...part.entries].every(([digest, { count }]) => count <= countOf(digest, whole))
}

/** Whether the second may contain the first, also by the balances. */
function isInside(part: StatementDay, whole: StatementDay): boolean {
  if (!isPart(part, whole)) return false
  const { opening, closing } = whole.statement
  const start = begins(whole) ? opening : closing - sumOfEntries(whole.entries)
  let [least, most] = [start, start]
  for (const [digest, { count, amount }] of whole.entries) {
    const sum = amount * BigInt(count - countOf(digest, part))
    if (sum < 0n) least += sum
    else most += sum
  }
  return part.statement.opening >= least && part.statement.opening <= most
}

function commonOf(one: DayEntries, other: DayEntries): DayEntries {
  const common = new Map<string, EqualEntries>()
  for (const [digest, entries] of one) {
    const count = Math.min(entries.count, other.get(digest)?.count ?? 0)
    if (count > 0) common.set(digest, { ...entries, count })
  }
  return common
}

function sumOfEntries(entries: DayEntries): Sum {
  let sum = 0n
  for (const { count, amount } of entries.values()) sum += BigInt(count) * amount
  return sum
}

/** 1 if all amounts are positive, -1 if all are negative; undefined without entries too. */
function directionOf(...parts: readonly DayEntries[]): 1n | -1n | undefined {
  const amounts = parts.flatMap((entries) => [...entries.values()].map(({ amount }) => amount))
  if (amounts.length === 0) return undefined
  if (amounts.every((amount) => amount > 0n)) return 1n
  return amounts.every((amount) => amount < 0n) ? -1n : undefined
}

/** Digests without references that more than one statement has. */
function sharedBy(days: readonly StatementDay[]): string[] {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { entries } of days) {
    for (const [digest, { hasReference }] of entries) {
      if (hasReference) continue
      if (seen.has(digest)) shared.add(digest)
      seen.add(digest)
    }
  }
  return [...shared]
}

/** The most equal entries that one chain of statements has. @param days move in this direction */
function longestChain(digest: string, days: readonly StatementDay[], direction: 1n | -1n): number {
  const counts = new Map<Sum, number>()
  let most = 0
  const take = (day: StatementDay): void => {
    const { opening, closing } = day.statement
    const before = begins(day) ? (counts.get(opening) ?? 0) : 0
    const count = before + countOf(digest, day)
    most = Math.max(most, count)
    if (ends(day)) counts.set(closing, Math.max(count, counts.get(closing) ?? 0))
  }
  const within = days.filter((day) => begins(day) && ends(day))
  const byOpening = (a: StatementDay, b: StatementDay): number => {
    const distance = (a.statement.opening - b.statement.opening) * direction
    return distance < 0n ? -1 : distance > 0n ? 1 : 0
  }
  for (const day of days) if (!begins(day)) take(day)
  for (const day of within.sort(byOpening)) take(day)
  for (const day of days) if (!ends(day)) take(day)
  return most
}
