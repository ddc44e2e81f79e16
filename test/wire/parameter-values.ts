import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Amount } from '../../src/money.js'
import {
  ABSOLUTE_AMOUNT,
  ACCOUNT_IDS,
  AMOUNT_FROM,
  BOOKED_FROM,
  CURRENCY,
} from '../../src/wire/filter-parameters.js'
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
  readAccounts,
  readAmount,
  readChoice,
  readCurrency,
  readDay,
  readInstant,
  readInteger,
  readLastOfDay,
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

test('an instant is one of the calendar, to the millisecond, the second or the day', async (t) => {
  const read = (text: string): number => readInstant(BOOKED_AFTER, `<${text}>`, 1, text.length + 1)
  t.equal(read('2024-02-29T23:59:59.999Z'), Date.UTC(2024, 1, 29, 23, 59, 59, 999))
  t.equal(read('2024-02-29T23:59:59Z'), Date.UTC(2024, 1, 29, 23, 59, 59))
  t.equal(read('2024-02-29'), Date.UTC(2024, 1, 29))
  const wrong = [
    ...['2023-02-29T00:00:00.000Z', '2023-02-29T00:00:00Z', '2023-02-29', '2024-02-29T24:00:00Z'],
    ...['2024-01-01T00:00:00.000 00:00', '2024-01-01T00:00:00', '2024-01-01T00:00Z', '2024-1-1'],
    ...['2024-01-01T00:00:00.00Z', '2024-01-01Z', '2024-01-01T', '01.01.2024', '20240101', 'now'],
  ]
  for (const text of wrong) {
    t.throws(() => read(text), {
      code: 'invalid_parameter',
      message:
        /^bookedAfter must be a valid instant YYYY.*not ".*bookedAfter=2026-01-31T00:00:00\.000Z$/,
    })
  }
})

test('a day is one of the calendar, from its first to its last millisecond', async (t) => {
  const read = (text: string): number[] =>
    [readDay, readLastOfDay].map((of) => of(BOOKED_FROM, `<${text}>`, 1, text.length + 1))
  t.same(read('2024-02-29'), [Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1) - 1])
  for (const text of [
    '2023-02-29',
    '2024-02-29T00:00:00.000Z',
    '2024-2-29',
    '29.02.2024',
    '2024',
  ]) {
    t.throws(() => read(text), {
      code: 'invalid_parameter',
      message: /^bookedFrom must be a valid day YYYY-MM-DD, not ".*bookedFrom=2026-01-31$/,
    })
  }
})

test('an amount is a plain decimal number of up to 15 digits, 5 of them decimals', async (t) => {
  const read = (text: string): Amount => readAmount(AMOUNT_FROM, `<${text}>`, 1, text.length + 1)
  const whole = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 9_999_999_999 }), fc.nat(99_999))
  const zeros = fc.constantFrom('', '0', '0000000000000000000000')
  assertProperty(
    fc.property(whole, zeros, fc.integer({ min: 0, max: 5 }), (drawn, before, decimals) => {
      const [isNegative, integer, fraction] = drawn
      const digits = String(fraction).padStart(5, '0').slice(0, decimals)
      const point = decimals === 0 ? '' : '.'
      const text = `${isNegative ? '-' : ''}${before}${integer}${point}${digits}`
      const { unscaled, scale } = read(text)
      assert.equal(BigInt(unscaled) * 10n ** BigInt(5 - scale), fifths(text))
    }),
  )
  t.same(read('007'), { unscaled: 7, scale: 0 })
  t.same(read('-0'), { unscaled: 0, scale: 0 })
  t.same(read('0.00001'), { unscaled: 1, scale: 5 })
  t.same(read('-999999999999999'), { unscaled: -999_999_999_999_999, scale: 0 })
  const wrong = [
    ...['+5', '.5', '5.', '1e3', '1,5', '1.234.5', '--1', '-', '1 000', ' 1', '٣', 'NaN', '0x1'],
    ...['1.234567', '1000000000000000', '12345678901.12345', '999999999999999.0'],
  ]
  for (const text of wrong) {
    t.throws(() => read(text), {
      code: 'invalid_parameter',
      message: /^amountFrom must be a decimal number with up to 15 .*not ".*amountFrom=1000$/,
    })
  }
  t.same(readAmount(ABSOLUTE_AMOUNT, '-0.0', 0, 4), { unscaled: 0, scale: 0 })
  t.throws(() => readAmount(ABSOLUTE_AMOUNT, '-5', 0, 2), {
    message: /^absoluteAmount must be a decimal number of 0 or more .*absoluteAmount=574\.7$/,
  })
})

/** The number as a count of fifth decimals. */
function fifths(text: string): bigint {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text) ?? []
  const magnitude = BigInt(whole + decimals.padEnd(5, '0'))
  return sign === '-' ? -magnitude : magnitude
}

test('a currency is three capital letters', async (t) => {
  for (const code of ['EUR', 'XXX']) t.equal(readCurrency(CURRENCY, code, 0, 3), code)
  for (const text of ['eur', 'EURO', 'EU', '€', 'E R', 'ÄÖÜ']) {
    t.throws(() => readCurrency(CURRENCY, text, 0, text.length), {
      code: 'invalid_parameter',
      message: /^currency must be a currency code .*, not ".*"; for example currency=EUR$/,
    })
  }
})

test('accounts are ids or IBANs, separated by commas, each once', async (t) => {
  const read = (text: string): unknown => readAccounts(ACCOUNT_IDS, `<${text}>`, 1, text.length + 1)
  t.same(read('1'), [{ accountId: 1 }])
  t.same(read('2,de02120300000000202051,02,DE02120300000000202051'), [
    { accountId: 2 },
    { iban: 'DE02120300000000202051' },
  ])
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`)
  const ibans = numbers(50).map(
    (number) => `MT84MALT011000012345MTLCAST0${number.padStart(3, '0')}`,
  )
  t.equal((read(ibans.join(',')) as unknown[]).length, 50)
  t.equal((read([...numbers(50), '1', '050'].join(',')) as unknown[]).length, 50)
  for (const text of [',', '1,', ',1', '1,,2', '1, 2', ' 1', '0', '1;2', 'ä', '9'.repeat(16)]) {
    t.throws(() => read(text), {
      code: 'invalid_parameter',
      message:
        /^accountIds must be account ids or IBANs, separated by commas without spaces, not "/,
    })
  }
  t.throws(() => read(numbers(51).join(',')), {
    message:
      'accountIds must name at most 50 accounts, not 51; for example accountIds=1,DE8937040044053' +
      '2013000',
  })
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
