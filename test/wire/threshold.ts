import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { THRESHOLD } from '../../src/wire/parameter-table.js'
import { readThreshold } from '../../src/wire/threshold.js'
import { assertProperty } from '../fixtures/assert-property.js'

function read(text: string): number | 'refused' {
  try {
    return readThreshold(THRESHOLD, `<${text}>`, 1, text.length + 1)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_parameter') return 'refused'
    throw error
  }
}

const THRESHOLDS: Readonly<Record<string, number | 'refused'>> = {
  '0': 0,
  '0.0': 0,
  '.0': 0,
  '000': 0,
  '0e999999999999999999999': 0,
  '1': 10_000,
  '1.0': 10_000,
  '01.000': 10_000,
  '1e0': 10_000,
  '10e-1': 10_000,
  '0.1e1': 10_000,
  '0.6': 6_000,
  '.5': 5_000,
  '1e-1': 1_000,
  '1E-1': 1_000,
  '6.0e-01': 6_000,
  '0.00006e+4': 6_000,
  '0.6001': 6_001,
  '0.60001': 6_001,
  '0.600000000000000000000000000001': 6_001,
  '0.59999999999999999999999999': 6_000,
  '0.0001': 1,
  '0.00001': 1,
  '1e-400': 1,
  '1e-99999999999999999999999999': 1,
  '0.9999': 9_999,
  '0.99990000000000000000001': 10_000,
  '1.0000001': 'refused',
  '1.00000000000000000000000001': 'refused',
  '1.1': 'refused',
  '2': 'refused',
  '10': 'refused',
  '1e1': 'refused',
  '1e99999999999999999999999999': 'refused',
  '-0': 'refused',
  '-0.1': 'refused',
  '+0.5': 'refused',
  ' 0.5': 'refused',
  '0.5 ': 'refused',
  '0,5': 'refused',
  '1.': 'refused',
  '.': 'refused',
  '': 'refused',
  e1: 'refused',
  '1e': 'refused',
  '1e1.0': 'refused',
  '0x1': 'refused',
  '1_0e-1': 'refused',
  '60%': 'refused',
  NaN: 'refused',
  Infinity: 'refused',
  '\u0661': 'refused',
}

test('decimal and exponent notation from 0 to 1, exactly', async (t) => {
  for (const [text, score] of Object.entries(THRESHOLDS)) t.equal(read(text), score, `"${text}"`)
  t.throws(() => readThreshold(THRESHOLD, 'NaN', 0, 3), {
    message: /^threshold must be a number from 0 to 1 .*not "NaN"; for example threshold=0.6$/,
  })
})

test('a score reaches the threshold exactly when the fraction does', async (t) => {
  const digits = fc.stringMatching(/^[0-9]{0,12}$/)
  const exponent = fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined })
  let withinCount = 0
  assertProperty(
    fc.property(digits, digits, exponent, (whole, fraction, power) => {
      const ending = power === undefined ? '' : `e${power}`
      const text = `${whole || '0'}${fraction && `.${fraction}`}${ending}`
      // value = numerator / denominator
      const shift = 40 - fraction.length + (power ?? 0)
      const numerator = BigInt(`${whole || '0'}${fraction}`) * 10n ** BigInt(shift)
      const denominator = 10n ** 40n
      const score = read(text)
      if (numerator > denominator) {
        assert.equal(score, 'refused', text)
        return
      }
      withinCount += 1
      assert.ok(typeof score === 'number', text)
      const reaches = (n: number): boolean => BigInt(n) * denominator >= numerator * 10_000n
      assert.ok(reaches(score) && (score === 0 || !reaches(score - 1)), `${text}: ${score}`)
    }),
    { numRuns: 2_000 },
  )
  t.ok(withinCount > 200, `${withinCount} within 0 to 1`)
})
