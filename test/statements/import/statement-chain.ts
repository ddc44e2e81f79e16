import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  countsOn,
  dayOfStatement,
  endOfChain,
  relationOf,
  type StatementDay,
} from '../../../src/statements/import/statement-chain.js'
import type { KeptStatement } from '../../../src/store/kept-statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'

/** An entry of an account's true history; equal ones have the same text, day and amount. */
interface TrueEntry {
  readonly day: number
  readonly text: string
  readonly amount: bigint
}

const DAY = 2

/** The part of a history from one entry to before another, as a statement. */
function partOf(history: readonly TrueEntry[], from: number, to: number): KeptStatement {
  const sum = (entries: readonly TrueEntry[]): bigint =>
    entries.reduce((total, { amount }) => total + amount, 0n)
  const part = history.slice(from, to)
  const [firstDay = 0, lastDay = 0] = [part[0]?.day, part.at(-1)?.day]
  return {
    opening: sum(history.slice(0, from)),
    closing: sum(history.slice(0, to)),
    ...{ firstDay, lastDay },
    entries: part
      .filter(({ day }) => day === firstDay || day === lastDay)
      .map(({ day, text, amount }) => ({
        digest: `${text} ${amount} ${day}`,
        amount,
        isOnFirstDay: day === firstDay,
        isOnLastDay: day === lastDay,
        hasReference: false,
      })),
  }
}

function daysOf(statements: readonly KeptStatement[]): StatementDay[] {
  return statements
    .filter(({ firstDay, lastDay }) => firstDay === DAY || lastDay === DAY)
    .map((each) => dayOfStatement(DAY, each))
}

/** Counts after each statement has arrived, in this order. */
function countsInOrder(statements: readonly KeptStatement[]): Map<string, number> {
  const counts = new Map<string, number>()
  const days = daysOf(statements)
  days.forEach((own, i) => {
    for (const [digest, count] of countsOn(own, days.slice(0, i))) {
      counts.set(digest, Math.max(count, counts.get(digest) ?? 0))
    }
  })
  return counts
}

/** Histories of three days with few texts and amounts, and some of their parts. */
function histories(amounts: fc.Arbitrary<bigint>): fc.Arbitrary<{
  history: TrueEntry[]
  parts: [from: number, to: number][]
}> {
  const entry = fc.record({
    day: fc.integer({ min: 1, max: 3 }),
    text: fc.constantFrom('coffee', 'tea'),
    amount: amounts,
  })
  return fc
    .array(entry, { minLength: 1, maxLength: 9 })
    .map((entries) => entries.sort((a, b) => a.day - b.day))
    .chain((history) => {
      const part = fc
        .tuple(fc.nat(history.length), fc.nat(history.length))
        .filter(([from, to]) => from < to)
      return fc.record({ history: fc.constant(history), parts: fc.array(part, { maxLength: 5 }) })
    })
}

const ANY_AMOUNT = fc.bigInt(-3n, 3n)

test('no more equal entries are counted than the account truly has', async () => {
  await assertProperty(
    fc.property(histories(ANY_AMOUNT), ({ history, parts }) => {
      const statements = parts.map(([from, to]) => partOf(history, from, to))
      for (const [digest, count] of countsInOrder(statements)) {
        const seen = history.filter(
          ({ day, text, amount }, i) =>
            `${text} ${amount} ${day}` === digest && parts.some(([a, b]) => a <= i && i < b),
        )
        assert(count <= seen.length, `${digest}: ${count} of ${seen.length}`)
      }
    }),
    { numRuns: 5_000 },
  )
})

test('the order in which statements arrive does not change the counts', async () => {
  const shuffled = histories(ANY_AMOUNT).chain(({ history, parts }) => {
    const statements = parts.map(([from, to]) => partOf(history, from, to))
    return fc.record({
      statements: fc.constant(statements),
      other: fc.shuffledSubarray(statements, { minLength: statements.length }),
    })
  })
  await assertProperty(
    fc.property(shuffled, ({ statements, other }) => {
      const [one, two] = [statements, other].map((order) => [...countsInOrder(order)].sort())
      assert.deepEqual(one, two)
    }),
    { numRuns: 2_000 },
  )
})

test('statements in a row are counted together while money flows one way', async () => {
  const cut = histories(fc.bigInt(-3n, -1n)).chain(({ history }) =>
    fc.record({
      history: fc.constant(history),
      cuts: fc.uniqueArray(fc.nat(history.length), { maxLength: 6 }),
    }),
  )
  await assertProperty(
    fc.property(cut, ({ history, cuts }) => {
      const ends = [0, ...cuts.filter((at) => at > 0 && at < history.length), history.length]
      ends.sort((a, b) => a - b)
      const statements = ends.slice(1).map((to, i) => partOf(history, ends[i] ?? 0, to))
      const counts = countsInOrder(statements)
      const digests = history
        .filter(({ day }) => day === DAY)
        .map(({ text, amount }) => `${text} ${amount} ${DAY}`)
      const parts = daysOf(statements)
      // A statement that has the day neither first nor last has all of it.
      if (parts.length === 0) return
      for (const digest of new Set(digests)) {
        const most = Math.max(...parts.map(({ entries }) => entries.get(digest)?.count ?? 0))
        const expected = digests.filter((each) => each === digest).length
        assert.equal(Math.max(counts.get(digest) ?? 0, most), expected, digest)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('the relation of two statements of a day', (t) => {
  const entries = (texts: string): TrueEntry[] =>
    texts.split(' ').map((each) => {
      const [text = '', amount = ''] = each.split(':')
      return { day: DAY, text, amount: BigInt(amount) }
    })
  const day = (opening: bigint, texts: string): StatementDay => {
    const part = partOf([{ day: 1, text: 'start', amount: opening }, ...entries(texts)], 1, 99)
    return dayOfStatement(DAY, part)
  }
  const cases: [StatementDay, StatementDay, ReturnType<typeof relationOf>][] = [
    [day(100n, 'coffee:-10'), day(90n, 'coffee:-10'), 'apart'],
    [day(100n, 'pay:5 coffee:-10'), day(95n, 'coffee:-10 tea:-3'), 'apart'],
    [day(100n, 'tea:-5 coffee:-10'), day(95n, 'coffee:-10 tea:-3'), 'overlapping'],
    [day(100n, 'tea:-5 coffee:-10'), day(100n, 'tea:-5'), 'overlapping'],
    [day(100n, 'in:50 out:-50'), day(100n, 'in:50 out:-50 tea:-3'), 'unknown'],
    [day(100n, 'coffee:-10 back:10'), day(100n, 'coffee:-10'), 'unknown'],
    [day(100n, 'coffee:-10'), day(80n, 'coffee:-10'), 'unknown'],
  ]
  for (const [one, other, expected] of cases) {
    t.equal(relationOf(one, other), expected)
    t.equal(relationOf(other, one), expected, 'in the other order')
  }
  t.end()
})

test('an entry with a reference is never counted, whatever the balances are', (t) => {
  const history = [1n, 2n].map((amount) => ({ day: DAY, text: 'R1', amount: -amount }))
  const referenced = (part: KeptStatement): KeptStatement => ({
    ...part,
    entries: part.entries.map((each) => ({ ...each, digest: 'R1', hasReference: true })),
  })
  const [one, two] = [partOf(history, 0, 1), partOf(history, 1, 2)].map(referenced)
  if (one === undefined || two === undefined) throw new Error('two parts')
  t.equal(relationOf(dayOfStatement(DAY, one), dayOfStatement(DAY, two)), 'apart')
  t.equal(countsOn(dayOfStatement(DAY, two), [dayOfStatement(DAY, one)]).size, 0)
  t.end()
})

test('a chain of balances ends where no statement goes on', (t) => {
  const steps = [
    { opening: 3n, closing: 4n },
    { opening: 1n, closing: 2n },
    { opening: 2n, closing: 3n },
  ]
  t.equal(endOfChain(steps, 1n), 4n)
  t.equal(endOfChain(steps, 4n), 4n, 'without a statement at its own end')
  t.equal(endOfChain([...steps, { opening: 4n, closing: 1n }], 1n), undefined, 'not in a circle')
  t.equal(endOfChain([...steps, { opening: 2n, closing: 9n }], 1n), undefined, 'nor at two ends')
  t.equal(endOfChain([...steps, { opening: 1n, closing: 4n }], 1n), 4n, 'by two ways')
  t.equal(endOfChain([...steps, { opening: 4n, closing: 4n }], 1n), 4n, 'nor moves at the end')
  t.end()
})
