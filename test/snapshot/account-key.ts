import { test } from 'tap'
import { accountKeyOf } from '../../src/snapshot/account-key.js'

test('zeros before a number and the branch of a BIC make no difference', async (t) => {
  const key = accountKeyOf('532013000', 'COBADEFF')
  t.type(key, 'string')
  for (const number of ['532013000', '0532013000', '532 013 000']) {
    for (const bank of ['COBADEFF', 'COBADEFFXXX', 'cobadeff', 'COBA DE FF 123']) {
      t.equal(accountKeyOf(number, bank), key, `${number} ${bank}`)
    }
  }
  t.equal(accountKeyOf('paypal@example.org', '1'), accountKeyOf('PayPal@Example.org', '1'))
})

test('other numbers and other banks are other accounts', async (t) => {
  const keys = [
    ...['1', '10', '0', 'A1', '01A', '1A'].map((number) => accountKeyOf(number, '37040044')),
    ...['12030000', '3704004400', 'COBADEFF', 'COBADEHH', 'COBADEFFXX'].map((bank) =>
      accountKeyOf('1', bank),
    ),
  ]
  t.equal(new Set(keys).size, keys.length)
})

test('a number without a bank, or a bank without a number, is no account', async (t) => {
  for (const missing of [null, '', ' ']) {
    t.equal(accountKeyOf('532013000', missing), undefined)
    t.equal(accountKeyOf(missing, 'COBADEFF'), undefined)
  }
})
