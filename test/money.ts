import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  addAmounts,
  amountSortKey,
  compareAmounts,
  formatAmount,
  formatSum,
  negateAmount,
  parseAmount,
  sumOf,
  sumValue,
} from '../src/money.js'
import { assertProperty } from './fixtures/assert-property.js'

const amounts = fc
  .record({
    unscaled: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    scale: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ unscaled, scale }) => ({ unscaled: unscaled === 0 ? 0 : unscaled, scale }))

test('a decimal text is parsed exactly', async (t) => {
  const cases: [string, number, number][] = [
    ['-1234.50', -12345, 1],
    ['0', 0, 0],
    ['-0.00', 0, 0],
    ['.5', 5, 1],
    ['7.', 7, 0],
    ['0.00001', 1, 5],
    ['1.5e3', 1500, 0],
    ['15E-1', 15, 1],
    ['+12', 12, 0],
    ['999999999999999', 999_999_999_999_999, 0],
    ['0000000000000000000012.30', 123, 1],
  ]
  for (const [text, unscaled, scale] of cases) t.same(parseAmount(text), { unscaled, scale }, text)
})

test('an invalid amount has a reason', async (t) => {
  for (const text of ['', '.', '-', '1,5', '12..34', 'NaN', '0x1', '1e', ' 1', '1 ']) {
    t.equal(parseAmount(text), 'is not a decimal number', JSON.stringify(text))
  }
  t.equal(parseAmount('1234567890123456'), 'has more than 15 digits')
  t.equal(parseAmount('1e15'), 'has more than 15 digits')
  t.equal(parseAmount('0.000001'), 'has more than 5 decimals')
})

test('an amount survives formatting and parsing, and JSON reads the same number', async () => {
  assertProperty(
    fc.property(amounts, ({ unscaled, scale }) => {
      const text = formatAmount(unscaled, scale)
      const back = parseAmount(text)
      assert.notEqual(typeof back, 'string', text)
      assert.ok(typeof back !== 'string' && compareAmounts(back, { unscaled, scale }) === 0, text)
      assert.equal(JSON.stringify(JSON.parse(text)), text, 'shortest form, no exponent')
    }),
    { numRuns: 300 },
  )
})

test('order and sum agree with BigInt arithmetic', async () => {
  const at5 = (a: { unscaled: number; scale: number }): bigint =>
    BigInt(a.unscaled) * 10n ** BigInt(5 - a.scale)
  assertProperty(
    fc.property(amounts, amounts, (a, b) => {
      const difference = at5(a) - at5(b)
      assert.equal(Math.sign(compareAmounts(a, b)), difference < 0n ? -1 : difference > 0n ? 1 : 0)
      const sum = addAmounts(a, b)
      if (sum !== undefined) assert.equal(at5(sum), at5(a) + at5(b))
      assert.equal(at5(negateAmount(a)), -at5(a))
    }),
    { numRuns: 300 },
  )
})

test('sort keys are ordered like their amounts, however close', async (t) => {
  const near = fc
    .record({
      unscaled: fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }),
      scale: fc.integer({ min: 0, max: 3 }),
      shift: fc.integer({ min: 0, max: 2 }),
      distance: fc.constantFrom(-1, 0, 0, 1),
    })
    .map(({ unscaled, scale, shift, distance }) => [
      { unscaled, scale },
      { unscaled: unscaled * 10 ** shift + distance, scale: scale + shift },
    ])
  let equalCount = 0
  assertProperty(
    fc.property(fc.oneof(near, fc.array(amounts, { minLength: 2, maxLength: 2 })), (pair) => {
      const [a = { unscaled: 0, scale: 0 }, b = a] = pair
      const difference = amountSortKey(a) - amountSortKey(b)
      assert.equal(Math.sign(difference), Math.sign(compareAmounts(a, b)))
      if (difference === 0) equalCount += 1
    }),
    { numRuns: 1_000 },
  )
  t.ok(equalCount > 100, `${equalCount} pairs were equal`)
})

test('a sum is printed exactly, in the form of an amount where it fits', async (t) => {
  assertProperty(
    fc.property(fc.array(amounts, { maxLength: 8 }), (list) => {
      const sum = list.reduce(
        (all, { unscaled, scale }) => all + sumOf(BigInt(unscaled), scale),
        0n,
      )
      const text = formatSum(sum)
      const [whole = '', decimals = ''] = text.split('.')
      const sign = text.startsWith('-') ? -1n : 1n
      const back = BigInt(whole) * 100_000n + sign * BigInt(decimals.padEnd(5, '0'))
      assert.equal(back, sum, text)
      assert.doesNotMatch(text, /\.\d*0$|^-0$|\.$/, 'the shortest form')
      const value = sumValue(sum)
      assert.equal(String(value), text, 'no digit is lost in JSON')
      assert.equal(typeof value, text.replace(/\D|^-?0\.0*/g, '').length > 15 ? 'string' : 'number')
    }),
    { numRuns: 500 },
  )
  assertProperty(
    fc.property(amounts, ({ unscaled, scale }) => {
      assert.equal(formatSum(sumOf(BigInt(unscaled), scale)), formatAmount(unscaled, scale))
    }),
  )
  t.same([0n, -5n, 12_345_600_000n].map(sumValue), [0, -0.00005, 123_456])
})
