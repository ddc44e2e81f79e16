import fc from 'fast-check'
import { test } from 'tap'
import { plainOf, plainTextOf } from '../../src/match/plain-text.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a plain text is ASCII', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['RE-2024', 'RE-2024'],
    ['Müller', 'MUEller'],
    ['Mu\u0308ller', 'MUEller'],
    ['Ärger Öl Übel', 'AErger OEl UEbel'],
    ['Straße', 'StraSSe'],
    ['café', 'cafE'],
    ['Ｒ２０', 'R20'],
    ['№ 5 n° 7', 'NO 5 n; 7'],
    ['a–b—c−d', 'a-b-c-d'],
    ['a\u00a0b\u2028c', 'a b c'],
    ['12,50 €', '12,50 EUR'],
    ['٢٠٢٤', '2024'],
    ['РО 15', 'PO 15'],
    ['Ζ1', 'Z1'],
    ['Счёт 15', '; 15'],
    ['2\u03360\u03362', '202'],
    ['20\u00ad24\u200b5\u202e6', '20-2456'],
    ['Rech\u00adnung', 'Rechnung'],
    ['Łódź', 'LODZ'],
    ['\ud800', ';'],
  ]
  for (const [text, plain] of rows) t.equal(plainOf(text).toUpperCase(), plain.toUpperCase())
})

test('the short path gives the same text, and every unit has its origin', async (t) => {
  const latin = fc.string({
    unit: fc.integer({ min: 1, max: 0x17f }).map((n) => String.fromCharCode(n)),
  })
  const any = fc.oneof(latin, fc.string({ unit: ANY_CHARACTER }), fc.string({ unit: 'grapheme' }))
  assertProperty(
    fc.property(any, (text) => {
      const { text: plain, origins } = plainTextOf(text)
      if (plainOf(text).toUpperCase() !== plain.toUpperCase()) throw new Error(plain)
      if (/[^\0-\x7f]/.test(plain)) throw new Error('not ASCII')
      if (origins === undefined) {
        if (plain !== text) throw new Error('changed without origins')
        return
      }
      if (origins.length !== plain.length) throw new Error('origins of other length')
      origins.forEach((origin, i) => {
        if (origin < (origins[i - 1] ?? 0) || origin >= text.length) throw new Error('disorder')
      })
    }),
    { numRuns: 2_500 },
  )
  t.pass()
})

test('no character expands to more than a few', async (t) => {
  t.equal(plainOf('a\ufdfab'), 'A;B')
  let longest = 0
  for (let point = 0; point <= 0x10ffff; point++) {
    longest = Math.max(longest, plainOf(String.fromCodePoint(point)).length)
  }
  t.equal(longest, 6)
})
