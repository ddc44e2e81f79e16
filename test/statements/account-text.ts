import { test } from 'tap'
import {
  isMeantAsIban,
  isSurelyIban,
  readOwnAccount,
  warningOfCounterpartIban,
  warningOfIban,
} from '../../src/statements/account-text.js'

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

test('the currency after an account is not part of its number', async (t) => {
  t.same(readOwnAccount('1291.99.348EUR'), { accountNumber: '1291.99.348', currency: 'EUR' })
  t.same(readOwnAccount('3462.483.153 EUR'), { accountNumber: '3462.483.153', currency: 'EUR' })
  t.same(readOwnAccount('1222333444DEM'), { accountNumber: '1222333444', currency: 'DEM' })
  t.same(readOwnAccount('UBRTHUHB/112233445566/HUF'), {
    ...{ bic: 'UBRTHUHB', accountNumber: '112233445566', currency: 'HUF' },
  })
  t.same(readOwnAccount('NL47INGB0001212121EUR'), { iban: 'NL47INGB0001212121', currency: 'EUR' })
  t.same(readOwnAccount('NL84RABO01212121212 EUR'), {
    ...{ iban: 'NL84RABO01212121212', currency: 'EUR' },
  })
  t.same(readOwnAccount('00000000/DE89370400440532013000'), { iban: 'DE89370400440532013000' })
  for (const accountNumber of ['EUR', 'DEPOT EURO', '4711ABC', 'FIRMA-USD', '808XXXXXX292']) {
    t.same(readOwnAccount(accountNumber), { accountNumber }, accountNumber)
  }
  const hostile = readOwnAccount(`${'COBADEFF/'.repeat(100_000)}1`)
  t.equal(hostile?.bic, 'COBADEFF', 'one bank, not one in the other')
})

test('codes of no country or of another length are not IBANs', async (t) => {
  t.equal(isMeantAsIban('EV41411REP170112'), false)
  t.equal(isMeantAsIban('US12345678901234567'), false, 'a country without IBANs')
  t.equal(isMeantAsIban('NL47INGB0001212121'), true)
  t.equal(isSurelyIban('NL47INGB0001212121'), true)
  t.equal(isSurelyIban('NL47INGB00012121'), false)
  t.equal(warningOfCounterpartIban(undefined), undefined)
  t.equal(warningOfCounterpartIban('DE89370400440532013000'), undefined)
  t.match(warningOfCounterpartIban('DE88370400440532013000'), /^the counterpart's IBAN DE88/)
})

test('an IBAN with wrong check digits still counts as one, with a warning', async (t) => {
  t.same(readOwnAccount('NL71RABO0123456789'), { iban: 'NL71RABO0123456789' })
  t.match(
    warningOfIban({ iban: 'NL71RABO0123456789' }),
    /NL71RABO0123456789 has wrong check digits/,
  )
  t.equal(warningOfIban({ iban: 'DE89370400440532013000' }), undefined)
  t.equal(warningOfIban({ accountNumber: '1' }), undefined)
  t.equal(isMeantAsIban('DE12A'), false)
})
