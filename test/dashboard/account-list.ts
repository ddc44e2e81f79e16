import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { accountName, accountsOf, amountOf } from '../../src/dashboard/account-list.js'
import type { Account } from '../../src/domain/account.js'
import { formatAmount } from '../../src/money.js'
import { assertProperty } from '../fixtures/assert-property.js'

const PLAIN: Account = {
  ...{ id: 7, currency: 'EUR', createdAt: '2026-01-01T00:00:00.000Z' },
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('accounts are parsed from the rendered JSON of a snapshot', async (t) => {
  const bytes = Buffer.from(JSON.stringify(PLAIN))
  const absent = { iban: undefined, blz: undefined, bic: undefined, balance: undefined }
  const entry = { id: 7, code: 0, currency: 'EUR', ...absent, bytes }
  t.same(accountsOf([entry]), [PLAIN])
})

test('an account is shown under its most telling name', async (t) => {
  t.equal(accountName(PLAIN), 'Account 7')
  t.equal(accountName({ ...PLAIN, iban: 'DE1' }), 'DE1')
  t.equal(accountName({ ...PLAIN, iban: 'DE1', holderName: 'Ada' }), 'Ada')
  t.equal(accountName({ ...PLAIN, iban: 'DE1', holderName: 'Ada', name: 'Giro' }), 'Giro')
})

test('an amount keeps every digit on the wire', async () => {
  const digits = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
  assertProperty(
    fc.property(digits, fc.integer({ min: 0, max: 5 }), (unscaled, scale) => {
      const text = formatAmount(unscaled, scale)
      const { unscaled: read, scale: decimals } = amountOf(JSON.parse(text) as number)
      assert.equal(formatAmount(read, decimals), text)
    }),
  )
})
