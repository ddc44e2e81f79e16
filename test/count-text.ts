import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { bytesText, countedText, countText, spanText } from '../src/count-text.js'
import { assertProperty } from './fixtures/assert-property.js'

test('counts are grouped by thousands', async (t) => {
  assertProperty(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (count) => {
      assert.equal(countText(count), count.toLocaleString('en-US'))
    }),
  )
  t.same(
    [0, 1, 2_000].map((count) => countedText(count, 'row')),
    ['0 rows', '1 row', '2,000 rows'],
  )
  t.equal(countedText(2, 'entry', 'entries'), '2 entries')
})

test('bytes have one to three digits before the point', async (t) => {
  const cases = { 0: '0 bytes', 999: '999 bytes', 1000: '1 KB', 1540: '1.5 KB', 15400: '15 KB' }
  for (const [bytes, text] of Object.entries(cases)) t.equal(bytesText(Number(bytes)), text)
  t.equal(bytesText(999_600), '1 MB')
  t.equal(bytesText(2_340_000_000), '2.3 GB')
})

test('a duration is shown in the largest unit with a whole number of it', async (t) => {
  t.equal(spanText(1_000), '1 second')
  t.equal(spanText(90_000), '90 seconds')
  t.equal(spanText(900_000), '15 minutes')
  t.equal(spanText(86_400_000), '1 day')
  t.equal(spanText(90_000_000), '25 hours')
})
