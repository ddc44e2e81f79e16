import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatInstant, instantOfDay } from '../../src/instant.js'
import { type DayOrder, dayOrderOf, readDay } from '../../src/statements/day-text.js'
import { assertProperty } from '../fixtures/assert-property.js'

function written(text: string, order: DayOrder): string | undefined {
  const day = readDay(text, order)
  return day === undefined ? undefined : formatInstant(day).slice(0, 10)
}

test('a day is parsed in its order', async (t) => {
  t.equal(written('31.12.2024', 'dmy'), '2024-12-31')
  t.equal(written('1.2.24', 'dmy'), '2024-02-01')
  t.equal(written('12/31/2024', 'mdy'), '2024-12-31')
  t.equal(written('2024-12-31', 'ymd'), '2024-12-31')
  t.equal(written('20241231', 'ymd'), '2024-12-31')
  t.equal(written('2024-12-31T23:59:59+02:00', 'ymd'), '2024-12-31', 'the day as written')
  t.equal(written('31.12.2024 23:59', 'dmy'), '2024-12-31')
  for (const text of ['12-Dec-2019', '12 Dezember 19', 'Dec 12, 2019', '12. dez. 2019']) {
    t.equal(written(text, 'dmy'), '2019-12-12', text)
    t.equal(written(text, 'mdy'), '2019-12-12', text)
    t.equal(dayOrderOf(text), 'dmy', text)
    t.equal(readDay(text, 'ymd'), undefined, text)
  }
  t.equal(written('2019.04.19.', 'ymd'), '2019-04-19', 'as Hungarian writes it')
  t.equal(written('05/01-2024', 'dmy'), '2024-01-05', 'as Danish banks write it')
  t.equal(dayOrderOf('05/01-2024'), 'dmy')
  for (const text of ['05/13-2024', '05-01/2024', '05/01-24']) {
    t.equal(dayOrderOf(text), undefined, text)
  }
})

test('a text that is not a calendar day is refused', async (t) => {
  const wrong: [string, DayOrder][] = [
    ['30.02.2024', 'dmy'],
    ['29.02.2023', 'dmy'],
    ['31.12.2024', 'mdy'],
    ['31.12.2024', 'ymd'],
    ['2024-12-31', 'dmy'],
    ['31.12/2024', 'dmy'],
    ['31.12.024', 'dmy'],
    ['offen', 'dmy'],
    ['', 'ymd'],
    ['31.12.2024 and more', 'dmy'],
    ['20241301', 'ymd'],
    ['30-Feb-2024', 'dmy'],
    ['12-Foo-2024', 'dmy'],
    ['12-Dec-024', 'dmy'],
  ]
  for (const [text, order] of wrong) t.equal(readDay(text, order), undefined, `${text} ${order}`)
})

test('one day determines its order, or leaves it open', async (t) => {
  t.equal(dayOrderOf('2024-01-02'), 'ymd')
  t.equal(dayOrderOf('01.02.2024'), 'dmy', 'points mean day first')
  t.equal(dayOrderOf('13/02/2024'), 'dmy')
  t.equal(dayOrderOf('02/13/2024'), 'mdy')
  t.equal(dayOrderOf('01/02/2024'), 'ambiguous')
  t.equal(dayOrderOf('01-02-2024'), 'ambiguous')
  t.equal(dayOrderOf('Betrag'), undefined)
  t.equal(dayOrderOf('99/99/2024'), undefined)
})

test('every day of this century survives each notation', async () => {
  assertProperty(
    fc.property(
      fc.integer({ min: 2000, max: 2099 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 }),
      (year, month, day) => {
        const expected = instantOfDay(year, month, day)
        const short = String(year % 100).padStart(2, '0')
        assert.equal(readDay(`${day}.${month}.${year}`, 'dmy'), expected)
        assert.equal(readDay(`${day}.${month}.${short}`, 'dmy'), expected)
        assert.equal(readDay(`${month}/${day}/${year}`, 'mdy'), expected)
        assert.equal(readDay(`${year}-${month}-${day}`, 'ymd'), expected)
      },
    ),
    { numRuns: 300 },
  )
})
