import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type Amount, parseAmount } from '../../../src/money.js'
import { BalanceCheck } from '../../../src/statements/import/balance-check.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { amounts } from '../../fixtures/workspaces.js'

const DAY = 1_767_225_600_000

function amount(text: string): Amount {
  const parsed = parseAmount(text)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

test('a statement that adds up gives no warning, however large its sums', async () => {
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
      assert.deepEqual(check.differences('account 1'), [])
    }),
    { numRuns: 300 },
  )
})

test('a statement that does not add up warns with account, sums and difference', async (t) => {
  const check = new BalanceCheck()
  check.addBalance({ kind: 'opening', amount: amount('100'), currency: 'EUR' })
  check.addEntry(amount('-20.5'), 'EUR', DAY)
  check.addEntry(amount('0.00001'), 'EUR', DAY)
  check.addEntry(amount('7'), 'USD', undefined)
  check.addBalance({ kind: 'closing', amount: amount('80'), currency: 'EUR', at: DAY })
  t.same(check.differences('account DE1'), [
    'account DE1, statement of 2026-01-01: opening balance 100 and entries -20.49999 ' +
      'do not add up to the closing balance 80 EUR: the difference is 0.49999',
  ])
})

test('currencies are added up separately; one without both balances is not checked', async (t) => {
  const check = new BalanceCheck()
  for (const currency of ['EUR', 'USD', 'CHF']) {
    if (currency !== 'CHF') check.addBalance({ kind: 'opening', amount: amount('1'), currency })
    check.addEntry(amount('1'), currency, undefined)
    check.addBalance({ kind: 'closing', amount: amount(currency === 'EUR' ? '2' : '3'), currency })
  }
  const [only, another] = check.differences('account 1')
  t.match(only, /closing balance 3 USD: the difference is 1$/)
  t.equal(another, undefined)
})

test('a closing balance without a day has the day of the newest entry', async (t) => {
  const check = new BalanceCheck()
  check.addEntry(amount('1'), 'EUR', DAY + 1)
  check.addEntry(amount('1'), 'EUR', DAY)
  check.addBalance({ kind: 'closing', amount: amount('2'), currency: 'EUR' })
  check.addBalance({ kind: 'closing', amount: amount('2'), currency: 'USD' })
  t.same(check.closings(), [
    { amount: amount('2'), currency: 'EUR', at: DAY + 1 },
    { amount: amount('2'), currency: 'USD', at: undefined },
  ])
})
