import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatDuration, parseDuration } from '../../src/cli/duration.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a time is a whole number of seconds, minutes, hours or days', async (t) => {
  const right: readonly (readonly [text: string, ms: number])[] = [
    ['0', 0],
    ['0s', 0],
    ['30s', 30_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
  ]
  for (const [text, ms] of right) t.equal(parseDuration(text), ms, text)
  for (const text of ['', '1', 's', '1w', '1.5h', '-1h', '1 h', '1H', '1h30m', '1ms', `${1e9}s`]) {
    t.equal(parseDuration(text), undefined, text)
  }
})

test('a duration is printed in its largest unit, and parsed back', async (t) => {
  t.equal(formatDuration(86_400_000), '1d')
  t.equal(formatDuration(90_000), '90s')
  t.equal(formatDuration(0), '0')
  assertProperty(
    fc.property(fc.nat({ max: 1e8 }), (seconds) => {
      assert.equal(parseDuration(formatDuration(seconds * 1_000)), seconds * 1_000)
    }),
  )
  t.pass('whole seconds')
})
