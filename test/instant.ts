import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatInstant, httpDateNow, instantOfDay, parseDay, parseInstant } from '../src/instant.js'
import { assertProperty } from './fixtures/assert-property.js'

test("only the contract's format with real calendar days is an instant", async (t) => {
  t.equal(parseInstant('2024-02-29T23:59:59.999Z'), Date.UTC(2024, 1, 29, 23, 59, 59, 999))
  for (const text of [
    '2023-02-29T00:00:00.000Z',
    '2024-01-01T24:00:00.000Z',
    '2024-01-01T00:00:00Z',
    '2024-01-01',
    '2024-01-01T00:00:00.000+00:00',
    '',
  ]) {
    t.equal(parseInstant(text), undefined, text)
  }
})

test('an instant is a text that survives parsing and formatting', async () => {
  const digits = (max: number, length: number) =>
    fc.integer({ min: 0, max }).map((value) => String(value).padStart(length, '0'))
  const parts = fc.tuple(
    ...[digits(9999, 4), digits(13, 2), digits(32, 2)],
    ...[digits(25, 2), digits(61, 2), digits(61, 2), digits(999, 3)],
  )
  assertProperty(
    fc.property(parts, ([year, month, day, hour, minute, second, milliseconds]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
      const ms = Date.parse(text)
      const exists = Number.isFinite(ms) && new Date(ms).toISOString() === text
      assert.equal(parseInstant(text), exists ? ms : undefined, text)
    }),
    { numRuns: 1_000 },
  )
})

test('an instant survives formatting and parsing', async (t) => {
  for (const ms of [0, 1, Date.UTC(1999, 11, 31), Date.UTC(2100, 0, 1)]) {
    t.equal(parseInstant(formatInstant(ms)), ms)
  }
})

test('a day is its midnight UTC', async (t) => {
  t.equal(parseDay('2024-05-03'), Date.UTC(2024, 4, 3))
  t.equal(instantOfDay(2024, 5, 3), Date.UTC(2024, 4, 3))
  t.equal(parseDay('2024-02-30'), undefined)
  t.equal(instantOfDay(2024, 2, 30), undefined)
})

test('earlier calls do not change a result', async () => {
  const days = fc.constantFrom('1970-01-01', '2024-02-29', '2024-02-30', '2023-02-29', 'x', '')
  const instants = fc.constantFrom(0, -0, 1, -1, Date.UTC(2024, 1, 29))
  fc.assert(
    fc.property(fc.array(fc.tuple(days, instants)), (asked) => {
      for (const [day, ms] of asked) {
        const midnight = `${day}T00:00:00.000Z`
        if (parseDay(day) !== parseInstant(midnight)) throw new Error(day)
        if (formatInstant(ms) !== new Date(ms).toISOString()) throw new Error(`${ms}`)
      }
    }),
  )
})

test('the Date of a response is the present, to the second', async (t) => {
  const before = Date.now()
  const text = httpDateNow()
  t.match(text, /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
  const second = Date.parse(text)
  t.ok(second >= before - (before % 1_000) && second <= Date.now(), text)
})
