import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  formatInstant,
  formatPeriod,
  httpDateNow,
  instantOfDay,
  parseDay,
  parseInstant,
  startOfPeriod,
} from '../src/instant.js'
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

test('a period begins at midnight UTC and has one name', async (t) => {
  const instant = Date.UTC(2024, 10, 30, 23, 59, 59, 999)
  const periods = ['day', 'month', 'quarter', 'year'] as const
  const named = (ms: number): string[] => periods.map((period) => formatPeriod(ms, period))
  t.same(named(instant), ['2024-11-30', '2024-11', '2024-Q4', '2024'])
  t.same(named(Date.UTC(2025, 0, 1)), ['2025-01-01', '2025-01', '2025-Q1', '2025'])
  const starts = (later: number): string[] =>
    periods.map((period) => formatInstant(startOfPeriod(instant, period, later)).slice(0, 10))
  t.same(starts(0), ['2024-11-30', '2024-11-01', '2024-10-01', '2024-01-01'])
  t.same(starts(1), ['2024-12-01', '2024-12-01', '2025-01-01', '2025-01-01'])
  const early = parseInstant('0000-02-29T12:00:00.000Z') ?? Number.NaN
  t.same(named(early), ['0000-02-29', '0000-02', '0000-Q1', '0000'])
  t.equal(startOfPeriod(early, 'year'), parseInstant('0000-01-01T00:00:00.000Z'))
  t.equal(startOfPeriod(early, 'month', 1), parseInstant('0000-03-01T00:00:00.000Z'))
})
