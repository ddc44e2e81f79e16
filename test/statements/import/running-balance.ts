import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type BalanceRow,
  RunningBalance,
  type RunningOutcome,
} from '../../../src/statements/import/running-balance.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { amount, DAY_MS, FIRST_DAY } from '../../fixtures/statement-events.js'

/** A row in whole units. */
interface Line {
  readonly amount: number
  readonly balance: number
  readonly day: number
  readonly line: number
}

function rowOf({ amount: moved, balance, day, line }: Line): BalanceRow {
  return {
    amount: amount(String(moved)),
    balance: amount(String(balance)),
    bookedAt: FIRST_DAY + day * DAY_MS,
    position: `line ${line}`,
  }
}

function outcomeOf(lines: readonly Line[]): RunningOutcome {
  const running = new RunningBalance('EUR')
  for (const line of lines) running.add(rowOf(line))
  return running.outcome()
}

function numbered(lines: readonly Omit<Line, 'line'>[]): Line[] {
  return lines.map((each, i) => ({ ...each, line: i + 2 }))
}

/** Rows of consecutive days whose balances chain from 1000, oldest first. */
function chained(moves: readonly number[]): Omit<Line, 'line'>[] {
  let balance = 1_000
  return moves.map((moved, day) => {
    balance += moved
    return { amount: moved, balance, day }
  })
}

/** Figures far apart, so that two sums are equal only where they have to be. */
const moves = (minLength: number): fc.Arbitrary<number[]> =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { minLength, maxLength: 12 })
    .map((list) => list.map((each) => 1 + ((each * 7_919 * 104_729) % 999_983)))

const order = fc.constantFrom('oldest first', 'newest first')

function listed(lines: readonly Omit<Line, 'line'>[], how: string): Line[] {
  return numbered(how === 'oldest first' ? lines : [...lines].reverse())
}

test('chained rows are proved in both orders, and the newest balance is found', async () => {
  assertProperty(
    fc.property(moves(2), order, fc.infiniteStream(fc.boolean()), (list, how, signs) => {
      const signed = list.map((each) => (signs.next().value === true ? -each : each))
      const lines = chained(signed)
      const { result, newest, fault } = outcomeOf(listed(lines, how))
      assert.equal(result, 'proved')
      assert.equal(fault, undefined)
      assert.deepEqual(newest, {
        amount: amount(String(lines.at(-1)?.balance)),
        at: FIRST_DAY + (lines.length - 1) * DAY_MS,
      })
    }),
  )
})

test('one wrong amount or balance names that row alone, with the difference', async () => {
  const wrong = fc.constantFrom('amount', 'balance')
  const by = fc.integer({ min: 1, max: 99 })
  assertProperty(
    fc.property(moves(6), order, wrong, fc.nat(), by, (list, how, field, place, difference) => {
      const lines = chained(list)
      // The first row has no balance before it; of two rows, either may have the wrong balance.
      const at =
        field === 'amount' ? 1 + (place % (lines.length - 1)) : 1 + (place % (lines.length - 2))
      const right = lines[at] ?? { amount: 0, balance: 0, day: 0 }
      lines[at] = { ...right, [field]: right[field] + difference }
      const table = listed(lines, how)
      const named = table.find(({ day }) => day === at)
      const { result, fault } = outcomeOf(table)
      assert.equal(result, 'contradicted')
      assert.equal(fault?.position, `line ${named?.line}`)
      const found = field === 'amount' ? -difference : difference
      assert.ok(fault?.message.endsWith(`: the difference is ${found}`), fault?.message)
    }),
  )
})

/** The same by trying every order of at most six rows. */
function chainsInSomeOrder(lines: readonly Line[]): boolean {
  const tryFrom = (last: Line | undefined, rest: readonly Line[]): boolean =>
    rest.length === 0 ||
    rest.some((next, i) => {
      const follows = last === undefined || next.balance - next.amount === last.balance
      return follows && tryFrom(next, rest.toSpliced(i, 1))
    })
  return tryFrom(undefined, lines)
}

test('shuffled rows that chain in some order are proved, as by a naive twin', async () => {
  const places = fc.array(fc.nat({ max: 999 }), { minLength: 12, maxLength: 12 })
  const maybeWrong = fc.option(fc.nat({ max: 5 }), { nil: undefined })
  assertProperty(
    fc.property(moves(2), places, maybeWrong, (list, order, wrongAt) => {
      const lines = chained(list.slice(0, 6))
      const wrong = wrongAt === undefined ? undefined : lines[wrongAt]
      if (wrong !== undefined && wrongAt !== undefined) {
        lines[wrongAt] = { ...wrong, amount: wrong.amount + 7 }
      }
      const table = numbered(
        lines
          .map((each, i) => ({ ...each, place: order[i] ?? 0 }))
          .sort((a, b) => a.place - b.place),
      )
      const { result, newest } = outcomeOf(table)
      assert.equal(result === 'proved', chainsInSomeOrder(table), JSON.stringify(table))
      // A balance is kept only where it is the right one.
      if (result === 'proved' && newest !== undefined) {
        assert.deepEqual(newest.amount, amount(String(lines.at(-1)?.balance)))
      }
    }),
    { numRuns: 500 },
  )
})

test('rows without a balance count between those with one', async (t) => {
  const running = new RunningBalance('EUR')
  for (const line of [
    { amount: 5, balance: 105, day: 0, line: 2 },
    { amount: 7, balance: undefined, day: 0, line: 3 },
    { amount: -2, balance: 110, day: 1, line: 4 },
  ]) {
    if (line.balance === undefined) running.skip(amount(String(line.amount)))
    else running.add(rowOf({ ...line, balance: line.balance }))
  }
  t.match(running.outcome(), { result: 'proved', newest: { amount: amount('110') } })
  running.skip(amount('1'))
  t.equal(running.outcome().newest, undefined, 'the newest row has none')
})

test('a single row proves nothing, and its balance is the newest', async (t) => {
  t.same(new RunningBalance('EUR').outcome(), {
    result: 'unproved',
    newest: undefined,
    fault: undefined,
  })
  t.match(outcomeOf([{ amount: 5, balance: 105, day: 3, line: 2 }]), {
    result: 'unproved',
    newest: { amount: amount('105'), at: FIRST_DAY + 3 * DAY_MS },
  })
})

test('an uncertain newest row gives no balance', async (t) => {
  const oneDay = numbered([
    { amount: 5, balance: 105, day: 0 },
    { amount: -5, balance: 100, day: 0 },
  ])
  t.match(outcomeOf(oneDay), { result: 'proved', newest: undefined })
  const before = numbered([
    { amount: 5, balance: 100, day: 2 },
    { amount: 7, balance: 93, day: 1 },
    { amount: 1, balance: 92, day: 0 },
  ])
  const { result, newest } = outcomeOf(before)
  t.equal(result, 'contradicted', 'a balance before the row, newest first')
  t.equal(newest, undefined)
})

test('the sentence about the first wrong row has its figures, and counts the others', async (t) => {
  const lines = numbered([
    { amount: 10, balance: 110, day: 0 },
    { amount: 10, balance: 125, day: 1 },
    { amount: 10, balance: 140, day: 2 },
    { amount: 10, balance: 150, day: 3 },
  ])
  t.same(outcomeOf(lines).fault, {
    position: 'line 3',
    message:
      'the balance 125 EUR does not follow from the balance 110 before it and the amount 10: ' +
      'the difference is 5; one more balance does not follow',
  })
})
