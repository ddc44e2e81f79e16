import { test } from 'tap'
import { EntryNotes } from '../../../src/statements/import/entry-notes.js'
import { FIRST_DAY, IBAN } from '../../fixtures/statement-events.js'

const ROW = { amount: { unscaled: 1, scale: 0 }, currency: 'EUR', bookedAt: FIRST_DAY }

test('each kind of warning is given once a file, with the first entry and a count', async (t) => {
  const warnings = new EntryNotes()
  const { bookedAt: _, ...undated } = { ...ROW, valuedAt: FIRST_DAY }
  warnings.take({ ...ROW, counterpart: { iban: IBAN }, position: 'entry 1' })
  t.same(warnings.sentences(), [], 'none without an irregularity')
  for (const number of [2, 3, 4]) {
    warnings.take({ ...undated, counterpart: {}, position: `entry ${number}` })
  }
  for (const number of [5, 6]) {
    const iban = 'DE00370400440532013000'
    warnings.take({ ...ROW, counterpart: { iban }, position: `entry ${number}` })
  }
  t.same(warnings.sentences(), [
    'entry 2: has no booking date, so its value date 2026-01-01 is taken for it; the same in 2 ' +
      'more entries',
    "entry 5: the counterpart's IBAN DE00370400440532013000 has wrong check digits or a wrong " +
      'length, and is kept as it is written; the same in one more entry',
  ])
})

test('an IBAN is checked in the same way after any number of others', async (t) => {
  const warnings = new EntryNotes()
  for (let i = 0; i < 10_000; i++) {
    warnings.take({ ...ROW, counterpart: { iban: IBAN }, position: `entry ${i}` })
  }
  t.same(warnings.sentences(), [])
  warnings.take({ ...ROW, counterpart: { iban: IBAN.replace('89', '98') }, position: 'entry' })
  t.equal(warnings.sentences().length, 1)
})
