import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { decodeFormText, decodePercent, safeUriText } from '../../src/wire/percent.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('output of encodeURIComponent is decoded', async (t) => {
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
      assert.equal(decodePercent(encodeURIComponent(text)), text)
      assert.equal(decodeFormText(encodeURIComponent(text).replaceAll('%20', '+')), text)
    }),
  )
  t.pass('100 texts')
})

test('malformed encoding and malformed UTF-8 are refused', async (t) => {
  for (const text of [
    '%',
    '%4',
    '%zz',
    'a%2',
    '%C3',
    '%C3%28',
    '%80',
    '%C0%80',
    '%C1%BF',
    '%E0%80%AF',
    '%ED%A0%80',
    '%ED%A0%BD%ED%B8%80',
    '%F4%90%80%80',
    '%F8%88%80%80%80',
    '%FF',
    'ä',
    'Ã¤',
    'a b',
    'a\tb',
    '\0',
    '\u007f',
  ]) {
    t.equal(decodePercent(text), undefined, JSON.stringify(text))
    t.equal(decodeFormText(`x+${text}`), undefined, JSON.stringify(text))
  }
})

test('plus is a space in a query and itself in a path', async (t) => {
  t.equal(decodePercent('a+b%2Bc'), 'a+b+c')
  t.equal(decodeFormText('a+b%2Bc'), 'a b+c')
})

test('a text made safe for a URI means the same and contains no delimiter', async (t) => {
  t.equal(safeUriText('/v1/a?b=%20c&d=1:2,3'), '/v1/a?b=%20c&d=1:2,3')
  t.equal(
    safeUriText('a>b<"\\^`{|}[]#ä\r\n\ud800'),
    'a%3Eb%3C%22%5C%5E%60%7B%7C%7D%5B%5D%23%C3%A4%0D%0A%EF%BF%BD',
  )
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
      const safe = safeUriText(text)
      assert.match(safe, /^[!$-;=?-Z_a-z~]*$/)
      assert.equal(safeUriText(safe), safe)
      if (!text.includes('%')) assert.equal(decodeURIComponent(safe), text)
    }),
  )
})
