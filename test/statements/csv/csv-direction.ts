import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import { DIRECTION_WORDS, directionKeys } from '../../../src/statements/csv/csv-direction.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { eventsIn, faultsOf, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

function columns(text: string): ReadOptions {
  return { account: '4711', currency: 'EUR', columns: parseColumns(text) }
}

const DIRECTED = columns('bookingDate=Datum,amount=Bedrag,direction="Af Bij"')

function read(rows: readonly string[], options = DIRECTED): Promise<StatementEvent[]> {
  const table = rows.map((row) => `2024-01-13;${row}\n`).join('')
  return eventsIn(readCsv, `Datum;Bedrag;Af Bij\n${table}`, options)
}

test('a direction column signs the amounts, in the words of many banks', async (t) => {
  const pairs: [debit: string, credit: string][] = [
    ['Af', 'Bij'],
    ['D', 'C'],
    ['S', 'H'],
    ['SOLL', 'haben'],
    ['Debet', 'Credit'],
    ['Debit', 'Kredit'],
    ['DBIT', 'CRDT'],
    ['DR', 'CR'],
    ['-', '+'],
  ]
  for (const [debit, credit] of pairs) {
    const events = await read([`1,25;${debit}`, `0,50;${credit}`, `0,00;${debit}`])
    const amounts = transactionsOf(events).map(({ amount }) => amount.unscaled)
    t.strictSame(amounts, [-125, 5, 0], `${debit} ${credit}`)
  }
  const both = DIRECTION_WORDS.debit.filter((word) => DIRECTION_WORDS.credit.includes(word))
  t.strictSame(both, [], 'no word has two meanings')
  const all = [...DIRECTION_WORDS.debit, ...DIRECTION_WORDS.credit]
  t.equal(directionKeys(DIRECTION_WORDS).size, all.length, 'each word is listed once')
})

test('an amount with a sign of its own is never negated twice', async (t) => {
  t.equal(sumOf(transactionsOf(await read(['-1,25;Af', '0,50;Bij', '2,00-;Af']))), '-2.75')
  const mixed = await read(['1,25;Af', '-1,25;Af', '0,50;Bij'])
  t.equal(sumOf(transactionsOf(mixed)), '-0.75')
  t.match(faultsOf(mixed), [
    { position: 'line 3', field: 'Bedrag', message: /^"-1,25" has a minus next to "Af", unlike/u },
  ])
  t.match(faultsOf(await read(['-1,25;Bij'])), [
    { field: 'Bedrag', message: '"-1,25" has a minus, but "Bij" means credit' },
  ])
})

test('an unknown word refuses the record, and the message lists the known words', async (t) => {
  const events = await read(['1,25;Out', '1,25;Ja', '1,25;'])
  t.equal(sumOf(transactionsOf(events)), '-1.25')
  t.match(faultsOf(events), [
    {
      position: 'line 3',
      field: 'Af Bij',
      message:
        /^"Ja" is not known; the known words are Af, D, .* debit; Bij, C, .* direction=Column:out/u,
    },
    { position: 'line 4', field: 'Af Bij', message: /^is empty; the known words are/u },
  ])
  const own = columns('bookingDate=Datum,amount=Bedrag,direction="Af Bij":Ja|"Nee, nee"')
  t.equal(sumOf(transactionsOf(await read(['1,25;ja', '0,50;Nee, nee'], own))), '-0.75')
  t.match(faultsOf(await read(['1,25;Af'], own)), [
    { message: /^"Af" is not known; the known words are Ja for debit; Nee, nee for credit/u },
  ])
})

test('the sum is that of the signs, whatever word and sign a record has', async (t) => {
  const row = fc.record({
    cents: fc.integer({ min: 1, max: 99_999 }),
    isDebit: fc.boolean(),
  })
  await assertProperty(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), fc.boolean(), async (rows, hasSigns) => {
      const lines = rows.map(({ cents, isDebit }) => {
        const amount = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`
        return `${hasSigns && isDebit ? '-' : ''}${amount};${isDebit ? 'Af' : 'Bij'}`
      })
      const events = await read(lines)
      const sum = rows.reduce((total, { cents, isDebit }) => total + (isDebit ? -cents : cents), 0)
      assert.deepEqual(faultsOf(events), [])
      assert.equal(Math.round(Number(sumOf(transactionsOf(events))) * 100), sum)
    }),
  )
  t.pass('with and without signs of its own')
})

test('a fee next to the amount is subtracted, and named', async (t) => {
  const options = columns('bookingDate=D,amount=A,fee=F,balanceAfter=B,purpose=P')
  const events = await eventsIn(
    readCsv,
    'D;A;F;B;P\n2024-01-13;-10.00;0.25;89.75;Taxi\n2024-01-14;5.00;0.00;94.75;Refund\n',
    options,
  )
  const shown = transactionsOf(events).map(({ amount, balanceAfter, purpose }) => ({
    amount,
    balanceAfter,
    purpose,
  }))
  t.strictSame(shown, [
    {
      amount: { unscaled: -1025, scale: 2 },
      balanceAfter: { unscaled: 8975, scale: 2 },
      purpose: 'Taxi Charges 0.25 EUR',
    },
    {
      amount: { unscaled: 5, scale: 0 },
      balanceAfter: { unscaled: 9475, scale: 2 },
      purpose: 'Refund',
    },
  ])
  const minus = await eventsIn(readCsv, 'D;A;F;B;P\n2024-01-13;5.00;-0.25;1.00;Sale\n', options)
  t.match(faultsOf(minus), [{ field: 'F', message: /^"-0\.25" has a minus, so the amount after/u }])
})
