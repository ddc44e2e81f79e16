import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  bankingDayFrom,
  bankingDays,
  dayNumberOf,
  dayOf,
  germanDate,
  isBankingDay,
  isoDate,
  midnightOf,
  periodDays,
  shopTime,
  weekdayOf,
} from '../../src/demo/calendar.js'
import { randomOf } from '../../src/demo/random.js'
import { formatInstant, parseDay } from '../../src/instant.js'
import { assertProperty } from '../fixtures/assert-property.js'

const dayNumbers = fc.integer({ min: -10_000, max: 40_000 })

function dayNumber(text: string): number {
  return dayNumberOf(parseDay(text) ?? Number.NaN)
}

test('a day number is the day that the clock shows', async (t) => {
  assertProperty(
    fc.property(dayNumbers, (number) => {
      assert.equal(isoDate(dayOf(number)), formatInstant(midnightOf(number)).slice(0, 10))
      assert.equal(dayNumberOf(midnightOf(number) + 86_399_999), number)
    }),
  )
  t.equal(germanDate(dayOf(dayNumber('2024-02-29'))), '29.02.2024')
  t.equal(weekdayOf(dayNumber('2024-05-03')), 4, 'a Friday')
})

test('banks close at weekends and on the closing days of T2', async (t) => {
  const closed = [
    '2024-01-01',
    '2024-03-29', // Good Friday
    '2024-04-01', // Easter Monday
    '2025-04-18',
    '2025-04-21',
    '2024-05-01',
    '2024-12-25',
    '2024-12-26',
    '2024-05-04',
    '2024-05-05',
  ]
  for (const text of closed) t.notOk(isBankingDay(dayOf(dayNumber(text))), text)
  for (const text of ['2024-12-24', '2024-04-02', '2024-03-28', '2024-10-03']) {
    t.ok(isBankingDay(dayOf(dayNumber(text))), text)
  }
  const of2024 = bankingDays(dayNumber('2024-01-01'), dayNumber('2024-12-31'))
  t.equal(of2024.length, 256)
})

test('steps over banking days go both ways', async (t) => {
  const friday = dayNumber('2024-05-03')
  t.equal(bankingDayFrom(friday, 1), dayNumber('2024-05-06'))
  t.equal(bankingDayFrom(friday, -3), dayNumber('2024-04-29'), 'over 1 May')
  t.equal(bankingDayFrom(friday, 0), friday)
})

test('a bigger file is a longer history of a bigger company', async (t) => {
  t.equal(periodDays(1), 1)
  t.equal(periodDays(20_000), 4 * 365)
  t.equal(periodDays(1_000_000), 10 * 365)
  t.equal(periodDays(5_000_000), 12 * 365)
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 4_999_999 }), (transactions) => {
      assert.ok(periodDays(transactions) <= periodDays(transactions + 1))
    }),
  )
})

test('shops are open', async (t) => {
  const random = randomOf(1)
  for (let i = 0; i < 100; i++) t.match(shopTime(random), /^(0[7-9]|1\d|20):[0-5]\d$/)
})
