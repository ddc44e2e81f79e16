import { test } from 'tap'
import { spanText } from '../../src/dashboard/span-text.js'

test('a duration is shown in the largest unit with a whole number of it', async (t) => {
  t.equal(spanText(1_000), '1 second')
  t.equal(spanText(90_000), '90 seconds')
  t.equal(spanText(900_000), '15 minutes')
  t.equal(spanText(86_400_000), '1 day')
  t.equal(spanText(90_000_000), '25 hours')
})
