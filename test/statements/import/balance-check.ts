import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  BalanceCheck,
  type CheckedStatement,
  differenceOf,
  differencesOf,
  gapSentence,
  gapsBetween,
  isContradicted,
} from '../../../src/statements/import/balance-check.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { amount, DAY_MS, FIRST_DAY } from '../../fixtures/statement-events.js'
import { amounts } from '../../fixtures/workspaces.js'

test('a statement that adds up has no difference, however large its sums', async () => {
  const entries = fc.array(amounts(), { maxLength: 30 })
  assertProperty(
    fc.property(entries, amounts(), (list, [opening, openingScale]) => {
      const check = new BalanceCheck()
      check.addBalance({
        kind: 'opening',
        amount: { unscaled: opening, scale: openingScale },
        currency: 'EUR',
      })
      let cents = BigInt(opening) * 10n ** BigInt(5 - openingScale)
      for (const [unscaled, scale] of list) {
        check.addEntry({ unscaled, scale }, 'EUR', undefined)
        cents += BigInt(unscaled) * 10n ** BigInt(5 - scale)
      }
      if (cents > 10n ** 15n || cents < -(10n ** 15n)) return
      const closing = { unscaled: Number(cents), scale: 5 }
      check.addBalance({ kind: 'closing', amount: closing, currency: 'EUR' })
      const [only] = check.statements()
      assert(only !== undefined)
      assert.equal(differenceOf(only), 0n)
      assert.equal(only.entryCount, list.length)
    }),
    { numRuns: 300 },
  )
})

test('a statement that does not add up warns with account, sums and difference', async (t) => {
  const check = new BalanceCheck()
  check.addBalance({ kind: 'opening', amount: amount('100'), currency: 'EUR' })
  check.addEntry(amount('-20.5'), 'EUR', FIRST_DAY)
  check.addEntry(amount('0.00001'), 'EUR', FIRST_DAY)
  check.addEntry(amount('7'), 'USD', undefined)
  check.addBalance({ kind: 'closing', amount: amount('80'), currency: 'EUR', at: FIRST_DAY })
  const [euros, dollars] = check.statements()
  assert(euros !== undefined && dollars !== undefined)
  t.same(differencesOf('account DE1', [euros]), [
    'account DE1, statement of 2026-01-01: opening balance 100 and entries -20.49999 ' +
      'do not add up to the closing balance 80 EUR: the difference is 0.49999',
  ])
  const besides = /the difference is 0\.49999; entries in other currencies are not in the sum: /
  const [sentence] = differencesOf('account DE1', check.statements())
  t.match(sentence, besides)
  t.match(sentence, /: 7 USD$/)
  for (const currency of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF']) {
    check.addEntry(amount('1'), currency, undefined)
  }
  t.match(
    differencesOf('account DE1', check.statements()),
    [/: 7 USD, 1 AAA, 1 BBB, 1 CCC, 1 DDD and 2 more$/],
    'five other currencies are named',
  )
  t.equal(differenceOf(dollars), undefined, 'without both balances nothing is compared')
})

test('a closing balance holds by value date without exactly the entries valued later', (t) => {
  const check = (closing: string): CheckedStatement[] => {
    const statement = new BalanceCheck()
    statement.addBalance({ kind: 'opening', amount: amount('100'), currency: 'EUR' })
    statement.addEntry(amount('5'), 'EUR', FIRST_DAY, FIRST_DAY)
    statement.addEntry(amount('15.37'), 'EUR', FIRST_DAY, FIRST_DAY + DAY_MS)
    statement.addEntry(amount('-3'), 'EUR', FIRST_DAY, FIRST_DAY + 2 * DAY_MS)
    const balance = { amount: amount(closing), currency: 'EUR', at: FIRST_DAY }
    statement.addBalance({ kind: 'closing', ...balance })
    return statement.statements()
  }
  t.same(differencesOf('account DE1', check('105')), [
    'account DE1, statement of 2026-01-01: the closing balance 105 EUR holds by value date: it ' +
      'does not include the entries valued later, 12.37 EUR together',
  ])
  t.same(check('105').map(isContradicted), [false])
  t.same(differencesOf('account DE1', check('117.37')), [], 'by booking date')
  t.match(differencesOf('account DE1', check('120.37')), [/the difference is 3$/])
  t.same(check('120.37').map(isContradicted), [true], 'without only some of them')
  t.end()
})

test('a closing balance without a day has the day of the newest entry', async (t) => {
  const check = new BalanceCheck()
  check.addEntry(amount('1'), 'EUR', FIRST_DAY + 1)
  check.addEntry(amount('1'), 'EUR', FIRST_DAY)
  check.addBalance({ kind: 'closing', amount: amount('2'), currency: 'EUR' })
  check.addBalance({ kind: 'closing', amount: amount('2'), currency: 'USD' })
  t.same(check.closings(), [
    { amount: amount('2'), currency: 'EUR', at: FIRST_DAY + 1, bookedLaterCount: 0 },
    { amount: amount('2'), currency: 'USD', at: undefined, bookedLaterCount: 0 },
  ])
})

test('entries after the day of a closing balance are counted if it includes them', async () => {
  const days = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 12 })
  await assertProperty(
    fc.property(days, fc.boolean(), fc.boolean(), (bookedOn, hasOpening, isRight) => {
      const check = new BalanceCheck()
      const [opening, closing] = [5, 5 + bookedOn.length + (isRight ? 0 : 1)]
      if (hasOpening) {
        const first = { kind: 'opening', amount: amount(String(opening)), currency: 'EUR' } as const
        check.addBalance(first)
      }
      for (const day of bookedOn) check.addEntry(amount('1'), 'EUR', FIRST_DAY + day * DAY_MS + 7)
      const last = { kind: 'closing', amount: amount(String(closing)), currency: 'EUR' } as const
      check.addBalance({ ...last, at: FIRST_DAY })
      const isProved = hasOpening && isRight
      const laterCount = isProved ? bookedOn.filter((day) => day > 0).length : 0
      assert.equal(check.closings()[0]?.bookedLaterCount, laterCount)
    }),
  )
})

/** A statement of one day with one entry. */
function statementOf(
  day: number,
  opening: bigint | undefined,
  entries: bigint,
  closing: bigint | undefined,
): CheckedStatement {
  const closedAt = FIRST_DAY + day * DAY_MS
  const checked = { opening, entries, closing, closedAt, oldestBookedAt: closedAt }
  return { currency: 'EUR', entryCount: 1, valuedLater: 0n, ...checked }
}

test('statements of consecutive days have no gap, in any order; a missing day is one', async () => {
  const moves = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { minLength: 4, maxLength: 9 })
  const order = fc.constantFrom('oldest first', 'newest first', 'shuffled')
  assertProperty(
    fc.property(moves, order, fc.nat(), fc.nat(), (sums, listed, missing, seed) => {
      let balance = 500n
      const statements = sums.map((sum, day) => {
        const opening = balance
        balance += sum
        return statementOf(day, opening, sum, balance)
      })
      const place = (each: CheckedStatement): number => ((each.closedAt ?? 0) * (seed + 7)) % 101
      const inOrder = (list: readonly CheckedStatement[]): CheckedStatement[] => {
        if (listed === 'oldest first') return [...list]
        if (listed === 'newest first') return [...list].reverse()
        return [...list].sort((a, b) => place(a) - place(b))
      }
      assert.deepEqual(gapsBetween(inOrder(statements)), [])
      const at = 1 + (missing % (statements.length - 2))
      const [gap, another] = gapsBetween(inOrder(statements.toSpliced(at, 1)))
      assert.equal(another, undefined)
      assert.deepEqual(gap, {
        earlier: statements[at - 1],
        later: statements[at + 1],
        difference: sums[at],
      })
    }),
  )
})

test('a gap is named with both statements and the difference', async (t) => {
  const [gap] = gapsBetween([
    statementOf(0, 10_000_000n, 100_000n, 10_100_000n),
    statementOf(2, 9_850_000n, 0n, 9_850_000n),
  ])
  assert(gap !== undefined)
  t.equal(
    gapSentence('account DE1', gap),
    'account DE1, statement of 2026-01-03: its opening balance is not the closing balance of the ' +
      'statement of 2026-01-01 before it: the difference is -2.5 EUR; a statement between them ' +
      'may be missing',
  )
})

test('a statement that does not add up is no gap too, whichever figure is wrong', async (t) => {
  const next = statementOf(1, 110n, 5n, 115n)
  t.same(gapsBetween([statementOf(0, 100n, 10n, 111n), next]), [], 'the closing balance')
  t.same(gapsBetween([statementOf(0, 100n, 11n, 110n), next]), [], 'an entry')
  t.equal(gapsBetween([statementOf(0, 100n, 11n, 112n), next]).length, 1, 'both')
})

test('a statement with one balance gets the other from its entries', async (t) => {
  const truncated = statementOf(0, 100n, 10n, undefined)
  t.same(gapsBetween([truncated, statementOf(1, 110n, 5n, 115n)]), [])
  t.equal(gapsBetween([truncated, statementOf(1, 112n, 5n, 117n)]).length, 1)
  const first = statementOf(0, undefined, 10n, 110n)
  t.same(gapsBetween([first, statementOf(1, undefined, 5n, 115n)]), [])
  t.equal(gapsBetween([first, statementOf(1, undefined, 5n, 116n)]).length, 1)
  t.same(gapsBetween([first, statementOf(0, undefined, 5n, 116n)]), [], 'downloads may overlap')
  const bare = statementOf(1, undefined, 5n, undefined)
  t.same(gapsBetween([first, bare, statementOf(2, 130n, 5n, 135n)]), [], 'no balance, no gap')
})
