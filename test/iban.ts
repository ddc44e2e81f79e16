import { test } from 'tap'
import {
  accountNumberOfIban,
  blzOfIban,
  compactCode,
  isBic,
  isIban,
  looksLikeIban,
} from '../src/iban.js'

test('an IBAN is kept compact and checked by mod 97', async (t) => {
  const iban = compactCode('de89 3704 0044 0532 0130 00')
  t.equal(iban, 'DE89370400440532013000')
  t.ok(isIban(iban))
  t.ok(looksLikeIban(iban))
  t.notOk(isIban('DE88370400440532013000'))
  t.ok(looksLikeIban('DE88370400440532013000'))
  t.notOk(looksLikeIban('12345'))
})

test('a German IBAN holds bank code and account number', async (t) => {
  t.equal(blzOfIban('DE89370400440532013000'), '37040044')
  t.equal(accountNumberOfIban('DE89370400440532013000'), '532013000')
  t.equal(blzOfIban('NL91ABNA0417164300'), undefined)
  t.equal(accountNumberOfIban('NL91ABNA0417164300'), undefined)
})

test('a BIC has 8 or 11 characters', async (t) => {
  t.ok(isBic('COBADEFFXXX'))
  t.ok(isBic('COBADEFF'))
  t.notOk(isBic('COBA'))
})
