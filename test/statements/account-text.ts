import { test } from 'tap'
import { doubtOfIban, isMeantAsIban, readOwnAccount } from '../../src/statements/account-text.js'

test('an own account has these notations', async (t) => {
  const iban = 'DE89370400440532013000'
  t.same(readOwnAccount(iban), { iban })
  t.same(readOwnAccount(' de89 3704 0044 0532 0130 00 '), { iban })
  t.same(readOwnAccount(`${iban}EUR`), { iban, currency: 'EUR' })
  t.same(readOwnAccount(`${iban} CHF`), { iban, currency: 'CHF' })
  t.same(readOwnAccount('37040044/0532013000'), { blz: '37040044', accountNumber: '532013000' })
  t.same(readOwnAccount('37040044/532013000 EUR'), {
    ...{ blz: '37040044', accountNumber: '532013000', currency: 'EUR' },
  })
  t.same(readOwnAccount('BPHKPLPK/320000546101'), {
    ...{ bic: 'BPHKPLPK', accountNumber: '320000546101' },
  })
  t.same(readOwnAccount(`COBADEFFXXX/${iban}`), { bic: 'COBADEFFXXX', iban })
  t.same(readOwnAccount('0001234567'), { accountNumber: '0001234567' })
  t.same(readOwnAccount('AT/1'), { accountNumber: 'AT/1' })
  t.same(readOwnAccount(' '), undefined)
})

test('an IBAN with wrong check digits still counts as one, with a warning', async (t) => {
  t.same(readOwnAccount('NL71RABO0123456789'), { iban: 'NL71RABO0123456789' })
  t.match(doubtOfIban({ iban: 'NL71RABO0123456789' }), /NL71RABO0123456789 has wrong check digits/)
  t.equal(doubtOfIban({ iban: 'DE89370400440532013000' }), undefined)
  t.equal(doubtOfIban({ accountNumber: '1' }), undefined)
  t.equal(isMeantAsIban('DE12A'), false)
})
