import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  BOOKED_AFTER,
  CATEGORY,
  EXPLAIN,
  LIMIT,
  MATCH_QUERY,
  OFFSET,
  ORDER,
  QUERY,
} from '../../src/wire/parameter-table.js'
import {
  digitsValue,
  readChoice,
  readInstant,
  readInteger,
  readReference,
  readSwitch,
  readTerms,
  readText,
} from '../../src/wire/parameter-values.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('plain decimal digits up to a safe integer are a number, and nothing else is', async (t) => {
  assertProperty(
    fc.property(fc.maxSafeNat(), fc.constantFrom('', '0', '000'), (value, zeros) => {
      const text = `x${zeros}${value}y`
      assert.equal(digitsValue(text, 1, text.length - 1), value)
    }),
  )
  t.equal(digitsValue('9007199254740991', 0, 16), Number.MAX_SAFE_INTEGER)
  for (const text of [
    '',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '0x1',
    ' 1',
    '1 ',
    '１',
    '٣',
    'NaN',
    '9007199254740992',
    '9'.repeat(400),
  ]) {
    t.equal(digitsValue(text, 0, text.length), -1, text.slice(0, 20))
  }
})

test('an integer beyond its bounds is refused with the bounds', async (t) => {
  t.equal(readInteger(LIMIT, '250', 0, 3), 250)
  t.equal(readInteger(LIMIT, '0', 0, 1), 0)
  t.equal(readInteger(OFFSET, '9007199254740991', 0, 16), Number.MAX_SAFE_INTEGER)
  t.throws(() => readInteger(LIMIT, '251', 0, 3), {
    code: 'invalid_parameter',
    message: 'limit must be a whole number from 0 to 250, not "251"; for example limit=100',
  })
  t.throws(() => readInteger(OFFSET, '-1', 0, 2), { message: /offset must be a whole number/ })
})

test('a text has at most 256 code points, control characters among them', async (t) => {
  for (const point of ['x', 'ä', '😀']) {
    const longest = point.repeat(256)
    t.equal(readText(CATEGORY, longest, 0, longest.length), longest)
    const longer = `${longest}${point}`
    t.throws(() => readText(CATEGORY, longer, 0, longer.length), {
      message: /^category must be at most 256 characters long; for example category=Groceries$/,
    })
  }
  for (const text of ['a\0', '\n', 'a\tb', '\u007f', '\u0085']) {
    t.equal(readText(CATEGORY, text, 0, text.length), text)
  }
  t.equal(readText(CATEGORY, ' \u2028\u200b', 0, 3), ' \u2028\u200b')
})

test('a search text is at most 32 terms of 256 code points in all', async (t) => {
  const read = (text: string): string[] =>
    readTerms(QUERY, `x=${text}`, 2, text.length + 2).map(({ first }) => first)
  t.same(read(''), [])
  t.same(read(' \u3000\u2028'), [])
  t.same(read(`.*  %_'"\\ ()[]`), ['.*', `%_'"\\`, '()[]'])
  t.same(read('😀'.repeat(256)), ['😀'.repeat(256)])
  t.equal(read('ä '.repeat(32)).length, 32)
  const refused = {
    [`${'😀'.repeat(257)}`]: /^query must be at most 256 characters long; for example query=/,
    [' '.repeat(257)]: /^query must be at most 256 characters long/,
    ['a '.repeat(33)]: /^query must be at most 32 terms, not 33; for example query=/,
    // A spacing diaeresis is a blank and a mark.
    ['a\u00a8b '.repeat(17)]: /^query must be at most 32 terms, not 34/,
    'a\0b':
      /^query must not contain control characters or lone surrogates such as U\+0000; for exam/,
    'a\tb': /such as U\+0009/,
    'a\n': /such as U\+000A/,
    '\u007f': /such as U\+007F/,
    '\u0085': /such as U\+0085/,
    '\ud800': /such as U\+D800/,
    'x\udc00x': /such as U\+DC00/,
  }
  for (const [text, message] of Object.entries(refused)) {
    t.throws(() => read(text), { code: 'invalid_parameter', message })
  }
})

test('an instant has one format and exists', async (t) => {
  const text = '2024-02-29T23:59:59.999Z'
  t.equal(readInstant(BOOKED_AFTER, text, 0, 24), Date.UTC(2024, 1, 29, 23, 59, 59, 999))
  for (const wrong of ['2023-02-29T00:00:00.000Z', '2024-01-01', '2024-01-01T00:00:00.000 00:00']) {
    t.throws(() => readInstant(BOOKED_AFTER, wrong, 0, wrong.length), {
      code: 'invalid_parameter',
      message:
        /^bookedAfter must be a valid instant YYYY.*.*bookedAfter=2026-01-31T00:00:00\.000Z$/,
    })
  }
})

test('a choice is one of its words, case-sensitive', async (t) => {
  const meanings = ['asc', 'desc', '1', '-1'].map((word) => readChoice(ORDER, word, 0, word.length))
  t.same(meanings, ['asc', 'desc', 'asc', 'desc'])
  for (const word of ['ASC', 'up', '0', '+1', 'toString', '__proto__']) {
    t.throws(() => readChoice(ORDER, word, 0, word.length), {
      message: /^order must be one of .*asc.*; for example order=asc$/,
    })
  }
})

test('a reference has 2 to 256 code points of any kind', async (t) => {
  for (const point of ['x', 'ä', '😀', '\u202e', '\t', '\u0301']) {
    for (const count of [2, 3, 255, 256]) {
      const text = point.repeat(count)
      t.equal(readReference(MATCH_QUERY, `<${text}>`, 1, text.length + 1), text)
    }
    t.throws(() => readReference(MATCH_QUERY, point, 0, point.length), {
      code: 'invalid_parameter',
      message: /^query must be at least 2 characters long; for example query=/,
    })
    const long = point.repeat(257)
    t.throws(() => readReference(MATCH_QUERY, long, 0, long.length), {
      message: /^query must be at most 256 characters long/,
    })
  }
})

test('a switch is the word true or false', async (t) => {
  t.equal(readSwitch(EXPLAIN, 'true', 0, 4), true)
  t.equal(readSwitch(EXPLAIN, 'xfalse', 1, 6), false)
  for (const text of ['1', '0', 'TRUE', 'yes', 'on', '']) {
    t.throws(() => readSwitch(EXPLAIN, text, 0, text.length), {
      code: 'invalid_parameter',
      message: /^explain must be true or false, not ".*"; for example explain=true$/,
    })
  }
})
