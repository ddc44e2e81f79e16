// Ranges of numbers in texts: a reference within one is not absent.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { digitKey, isInRange, numberRanges } from '../../../bench/match-eval/candidate.js'
import { assertProperty } from '../../fixtures/assert-property.js'

const isWithin = (reference: string, text: string): boolean =>
  numberRanges(text).some((range) => isInRange(digitKey(reference), range))

test('a reference is in a range when its number lies between the ends', async () => {
  assertProperty(
    fc.property(
      fc.integer({ min: 1_000, max: 8_000 }),
      fc.integer({ min: 2, max: 90 }),
      fc.integer({ min: -100, max: 200 }),
      fc.boolean(),
      (first, length, offset, isShort) => {
        const [last, number] = [first + length, first + offset]
        const isSameHundred = Math.floor(first / 100) === Math.floor(last / 100)
        const end = isShort && isSameHundred && last % 100 >= 10 ? last % 100 : last
        const text = `Rechnungen 17-${first} bis ${end}`
        const isBetween = number > first && number < last
        assert.equal(isWithin(`RE 17/${number}`, text), isBetween)
        assert.equal(isWithin(String(number), text), isBetween)
        assert.equal(isWithin(`RE 18/${number}`, text), false, 'another series')
      },
    ),
  )
})

test('two numbers far apart, or in falling order, are no range', async (t) => {
  for (const text of ['RE 1000 und 9000', 'RE 1620 - 1614', 'RE 1614 1615', 'RE 1614']) {
    t.same(numberRanges(text), [], text)
  }
  t.same(numberRanges('RE 1614 – 1620'), [{ head: '', first: '1614', last: '1620' }])
})
