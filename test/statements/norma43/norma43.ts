import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { detectFormat } from '../../../src/statements/detect.js'
import { readNorma43 } from '../../../src/statements/norma43/norma43.js'
import { isNorma43 } from '../../../src/statements/norma43/norma43-records.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  assertCutAnywhere,
  assertSurvivesMutations,
  assertTruncationNamed,
  moreFiles,
  moreOutcome,
  zeroPadded,
} from '../../fixtures/fixed-width-texts.js'
import { normaAccount, normaFile, normaLine, normaMovement } from '../../fixtures/norma43-text.js'
import {
  balanceGaps,
  messagesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const REPOSITORY = 'sequra+norma43_parser'

test('a movement has the fields of all its records', async (t) => {
  const lines = [
    normaMovement(-12_345, { 42: '0000004711', 52: '000000123456', 64: 'RECIBO 0524' }),
    normaLine('2301', { 4: 'COMPAÑIA ELECTRICA DEL SUR, SOCIEDAD A', 42: 'NONIMA, FACTURA 17' }),
    normaLine('2302', { 4: 'CONTRATO 99' }),
    normaLine('2401', { 4: '840', 7: zeroPadded(13_500, 14) }),
  ]
  const text = normaFile(normaAccount(lines, { opening: 50_000, amounts: [-12_345] }))
  const outcome = await readAll(readNorma43, text)
  t.strictSame(messagesOf(outcome), [])
  t.strictSame(transactionsOf(outcome).map(plain), [
    {
      amount: '-123.45',
      booked: '2024-05-31',
      valued: '2024-05-30',
      currency: 'EUR',
      type: 'Giros, transferencias, traspasos, cheques',
      purpose:
        'COMPAÑIA ELECTRICA DEL SUR, SOCIEDAD ANONIMA, FACTURA 17 CONTRATO 99 Document 0000004711',
      original: '-135',
      originalCurrency: 'USD',
      counterpart: { customerReference: '000000123456 RECIBO 0524' },
      position: 'entry 1 (line 2)',
    },
  ])
  t.strictSame(balanceGaps(outcome), ['0 EUR'])
  t.match(outcome.events[0], {
    account: {
      iban: 'ES9121000418450200051332',
      accountNumber: '0200051332',
      holderName: 'PANADERIA SOL SL',
      currency: 'EUR',
    },
  })
  t.match(outcome.events.at(-1), {
    balance: { kind: 'closing', amount: { unscaled: 37_655, scale: 2 }, at: Date.UTC(2024, 4, 31) },
  })
})

test('generated files are read exactly: rows, sums and balances', async () => {
  const minor = fc.integer({ min: -9_999_999, max: 9_999_999 })
  const one = fc.record({
    opening: minor,
    amounts: fc.array(minor, { maxLength: 8 }),
    currency: fc.constantFrom('978', '840', '756'),
  })
  await assertProperty(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 3 }), async (accounts) => {
      const text = normaFile(
        ...accounts.map((frame) =>
          normaAccount(
            frame.amounts.map((each) => normaMovement(each)),
            frame,
          ),
        ),
      )
      const outcome = await readAll(readNorma43, text)
      const found = transactionsOf(outcome).map(({ amount: { unscaled, scale } }) =>
        Math.round((unscaled / 10 ** scale) * 100),
      )
      assert.deepEqual(
        found,
        accounts.flatMap(({ amounts }) => amounts.map((each) => each || 0)),
      )
      assert.ok(balanceGaps(outcome).every((gap) => gap.startsWith('0 ')))
      assert.equal(balanceGaps(outcome).length, accounts.length)
      assert.deepEqual(messagesOf(outcome), [])
    }),
  )
})

test('the real file of a bank is read whole', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'example2.n43', readNorma43)
  if (outcome === undefined) return
  const found = transactionsOf(outcome).map(plain)
  t.strictSame(
    found.map(({ amount }) => amount),
    ['97.26', '74.33', '82.25', '88.94'],
  )
  t.match(found[0], {
    booked: '2025-03-17',
    valued: '2025-03-14',
    type: 'Giros, transferencias, traspasos, cheques',
    purpose: 'MARIA NARANJO ENFLOR A48555633617 01826874 Document 6871166755',
    counterpart: { customerReference: 'TRANSFERENCI A48555633617' },
  })
  t.match(found[2], { type: 'Varios', counterpart: { customerReference: 'BIZUM' } })
  t.match(outcome.events[1], {
    balance: { kind: 'opening', amount: { unscaled: 8_614_571 }, currency: 'EUR' },
  })
  // The file ends after its fourth movement.
  t.match(messagesOf(outcome), [/no closing balance \(record 33\); the file may be truncated/])
})

test('a trailer that does not match the movements gives warnings', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'example1.n43', readNorma43)
  if (outcome === undefined) return
  t.strictSame(
    transactionsOf(outcome).map((transaction) => plain(transaction)['amount']),
    ['12.34', '12.34', '12.34', '12.34'],
  )
  t.match(messagesOf(outcome), [
    /record 33 has 4 debits of 49\.36 in all; there are 0 of 0/,
    /record 33 has 2 credits of 9999\.99 in all; there are 4 of 49\.36/,
  ])
})

test('real files are recognized, and survive mutations', async (t) => {
  for (const { name, bytes } of moreFiles(t, REPOSITORY)) {
    const head = bytes.toString('latin1')
    t.ok(isNorma43(head), name)
    t.match(detectFormat(head, name), { kind: 'format', format: 'norma43' })
    await assertSurvivesMutations(readNorma43, bytes, 100)
  }
  const text = normaFile(normaAccount([], { opening: 0, amounts: [] }))
  t.ok(isNorma43(`00 a record of the sender\r\n${text}`))
  t.notOk(isNorma43(text.replace(/^11/, '12')))
})

test('faults are refused, and irregularities give warnings', async (t) => {
  const messages = async (...lines: readonly string[]): Promise<string[]> =>
    messagesOf(
      await readAll(readNorma43, normaFile(normaAccount(lines, { opening: 0, amounts: [] }))),
    ).filter((message) => !message.includes('record 33 has'))
  t.match(await messages(normaMovement(100, { 28: '0000000001O000' })), [
    /^entry 1 \(line 2\), 22 amount: "0000000001O000" is not an amount of 14 digits; expected 14/,
  ])
  t.match(await messages(normaMovement(100, { 27: '3' })), [
    /"3" is not a sign; expected 1 for debit/,
  ])
  t.match(await messages(`${normaMovement(100)}XY`), [/columns may be shifted: "XY" follows/])
  t.match(await messages(normaMovement(100, { 10: '240231' })), [
    /has the booking date "240231"; the value date is taken for it/,
  ])
  t.match(await messages(normaMovement(100, { 10: '000000', 16: '000000' })), [
    /the day of the statement is taken for it/,
  ])
  t.match(await messages(normaLine('2301', { 4: 'X' })), [/record 23 follows no movement/])
  t.match(await messages(normaLine('55', {})), [
    /line 2, record: "55 .*begins no record; expected 11/,
  ])
  t.match(
    await messages(normaMovement(100), normaLine('2401', { 4: '999', 7: zeroPadded(1, 14) })),
    [/record 24, original amount: "999" is not a currency number; it is left out/],
  )
})

test('missing parts are named', async (t) => {
  t.match(messagesOf(await readAll(readNorma43, normaMovement(100))), [
    /belongs to no account; expected a/,
  ])
  t.match((await readAll(readNorma43, 'x')).error?.message, /contains no Norma 43 account/)
  const text = normaFile(
    normaAccount([normaMovement(100)], { opening: 0, amounts: [100], currency: '999' }),
  )
  t.match(messagesOf(await readAll(readNorma43, text)), [
    /"999" is not a currency number, such as 978 for EUR$/,
    /11 currency: .*--currency EUR/,
  ])
  const named = await readAll(readNorma43, text, { currency: 'EUR' })
  t.match(messagesOf(named), [/"999" is not a currency number.*; EUR is taken for it/])
  t.match(transactionsOf(named), [{ currency: 'EUR' }])
  const whole = normaFile(normaAccount([normaMovement(100)], { opening: 0, amounts: [100] }))
  const without = whole.replace(/\n22.*/, '')
  t.match(messagesOf(await readAll(readNorma43, without)), [
    /record 33 has 1 credits of 1 in all; there are 0 of 0/,
  ])
  const short = whole.replace('000003', '000007')
  t.match(messagesOf(await readAll(readNorma43, short)), [
    /record 88 counts "000007" records; there are 3: some may be missing/,
  ])
  t.strictSame(messagesOf(await readAll(readNorma43, `002100240531\n${whole}`)), [])
  const counted = whole.replace(/000003(?=\s*$)/, '000004')
  t.strictSame(messagesOf(await readAll(readNorma43, counted)), [], 'record 88 counts itself')
})

test('an account without a number is that of --account', async (t) => {
  const lines = normaAccount([normaMovement(100)], { opening: 0, amounts: [100] })
  const text = normaFile(lines).replaceAll('0200051332', ' '.repeat(10))
  const read = async (options: object): Promise<unknown> => {
    const { events } = await readAll(readNorma43, text, options)
    return events.flatMap((event) => (event.kind === 'account' ? [event.account] : []))[0]
  }
  t.strictSame(await read({}), { holderName: 'PANADERIA SOL SL', currency: 'EUR' })
  t.strictSame(await read({ account: '4711' }), {
    ...{ accountNumber: '4711', holderName: 'PANADERIA SOL SL', currency: 'EUR' },
  })
})

test('a period that occurs twice has one key', async (t) => {
  const frame = { opening: 0, amounts: [100] }
  const one = normaAccount([normaMovement(100)], frame)
  const other = normaAccount([normaMovement(100)], { ...frame, currency: '840' })
  const { events } = await readAll(readNorma43, normaFile(one, other, one))
  const keys = events.flatMap((event) => (event.kind === 'account' ? [event.statementKey] : []))
  t.equal(keys[0], keys[2])
  t.not(keys[0], keys[1])
})

test('files that are cut or mutated end in events or a fault', async () => {
  const lines = [normaMovement(-100), normaLine('2301', { 4: 'PANADERÍA' }), normaMovement(200)]
  const text = normaFile(normaAccount(lines, { opening: 0, amounts: [-100, 200] }))
  await assertCutAnywhere(readNorma43, text)
  await assertTruncationNamed(readNorma43, text)
  await assertSurvivesMutations(readNorma43, Buffer.from(text, 'latin1'), 300)
})
