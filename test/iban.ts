import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  accountNumberOfIban,
  blzOfIban,
  compactCode,
  hasRightCheckDigits,
  ibanLengthOf,
  ibansIn,
  isBic,
  isIban,
  looksLikeIban,
} from '../src/iban.js'
import { assertProperty } from './fixtures/assert-property.js'

test('an IBAN is kept compact and checked by mod 97', async (t) => {
  const iban = compactCode('de89 3704 0044 0532 0130 00')
  t.equal(iban, 'DE89370400440532013000')
  t.ok(isIban(iban))
  t.ok(looksLikeIban(iban))
  t.notOk(isIban('DE88370400440532013000'))
  t.ok(looksLikeIban('DE88370400440532013000'))
  t.notOk(looksLikeIban('12345'))
})

test('check digits alone are judged as a whole IBAN is', async () => {
  const valid = ['DE89370400440532013000', 'NL91ABNA0417164300', 'FR1420041010050500013M02606']
  const changed = fc.record({
    iban: fc.constantFrom(...valid),
    at: fc.integer({ min: 2, max: 17 }),
    digit: fc.constantFrom(...'0123456789'),
  })
  assertProperty(
    fc.property(changed, ({ iban, at, digit }) => {
      const other = `${iban.slice(0, at)}${digit}${iban.slice(at + 1)}`
      // A digit in the place of a letter is no such IBAN, right check digits or not.
      if (/\d/.test(iban[at] ?? '')) assert.equal(hasRightCheckDigits(other), isIban(other))
    }),
  )
})

test("the length of an IBAN is its country's", async (t) => {
  t.equal(ibanLengthOf('DE89'), 22)
  t.equal(ibanLengthOf('NO'), 15)
  for (const code of ['US', 'EV', 'x', '']) t.equal(ibanLengthOf(code), undefined, code)
})

test('a German IBAN contains bank code and account number', async (t) => {
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

function withoutIbans(text: string): string {
  let left = ''
  let from = 0
  for (const { start, end } of ibansIn(text)) {
    left += `${text.slice(from, start)}#`
    from = end
  }
  return left + text.slice(from)
}

test('IBANs are found in texts, in any spelling', async (t) => {
  const cases: [string, string][] = [
    ['IBAN: DE89370400440532013000 BIC COBADEFFXXX', 'IBAN: # BIC COBADEFFXXX'],
    ['de89 3704 0044 0532 0130 00 Miete 2026', '# Miete 2026'],
    ['SVWZ+REDE89370400440532013000AT611904300234573201', 'SVWZ+RE##'],
    ['DE8937040044053\r\n2013000, AT61-1904-3002-3457-3201', '#, #'],
    ['DE00 3704 0044 0532 0130 00 has wrong check digits', ''],
    ['NO202612345678, RE2026100000000000', ''],
    ['cut off: DE89370400440532', 'cut off: #'],
    ['RE2026100000000000, DE12 Rechnung 4711, XX89370400440532013000, DE1', ''],
    ['GB33BUKB20201555555555 NL91ABNA0417164300', '# #'],
    ['', ''],
  ]
  for (const [text, left] of cases) t.equal(withoutIbans(text), left === '' ? text : left)
})
