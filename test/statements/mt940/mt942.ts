// MT942 reports, as reader and as sums.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatSum, sumOf } from '../../../src/money.js'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import { ReportSums } from '../../../src/statements/mt940/mt942-sums.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  messagesOf,
  type Outcome,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const HEAD =
  ':20:1\n:25:DE89370400440532013000\n:28C:1\n:34F:EURD0,\n:34F:EURC0,\n:13D:2405311200+0200\n'

const read = (text: string): Promise<Outcome> => readAll(readMt940, text)

test('a report: currency of its floor limit, no balances, no pending entries', async (t) => {
  const outcome = await read(`${HEAD}:61:240531D1,NMSC\n:61:240531EC5,NTRF\n:90D:1EUR1,\n-\n`)
  t.same(outcome.events[0], {
    kind: 'account',
    account: { iban: 'DE89370400440532013000', currency: 'EUR' },
    statementKey: 'DE89370400440532013000 1   2405311200+0200',
  })
  t.equal(transactionsOf(outcome).length, 1)
  t.match(messagesOf(outcome), [/^entry 2 \(line 8\): is pending, not booked/])
})

test('numbers and sums agree with the entries, with or without pending ones', async (t) => {
  const entries =
    ':61:240531D1,1NMSC\n:61:240531RC2,20NMSC\n:61:240531C5,NTRF\n:61:240531ED7,NTRF\n'
  const faultsOf = async (sums: string): Promise<string[]> =>
    messagesOf(await read(`${HEAD}${entries}${sums}-\n`)).slice(1)
  t.same(await faultsOf(':90D:2EUR3,30\n:90C:1EUR5,\n'), [])
  t.same(await faultsOf(':90D:3EUR10,3\n:90C:00001EUR5,00\n'), [], 'with the expected one')
  t.match(await faultsOf(':90D:2EUR3,31\n:90C:2EUR5,\n'), [
    /^line 11: :90D: names 2 debits of 3\.31 EUR, the report lists 3 debits of 10\.3 EUR$/,
    /^line 12: :90C: names 2 credits of 5 EUR, the report lists 1 credit of 5 EUR$/,
  ])
  t.match(await faultsOf(':90C:1USD5,\n'), [/names 1 credit of 5 USD, the report lists .* 5 EUR$/])
  t.match(await faultsOf(':90C:X\n'), [
    /:90C: "X" is not a number and sum; expected for example 3E/,
  ])
  t.match(await faultsOf(':90C:1EUR1,123456\n'), [/:90C: "1,123456" has more than 5 decimals/])
})

test('a floor limit explains missing entries', async (t) => {
  const text = HEAD.replaceAll('0,', '100,')
  const outcome = await read(`${text}:61:240531D250,NMSC\n:90D:2EUR260,\n-\n`)
  t.match(messagesOf(outcome), [
    /; it leaves out entries below 100 EUR, import the MT940 statement/,
  ])
})

test('a refused entry leaves the sums unproved', async (t) => {
  const outcome = await read(`${HEAD}:61:240531X1,NMSC\n:90D:2EUR260,\n-\n`)
  t.match(messagesOf(outcome), [/is not a statement line/])
  t.equal(messagesOf(outcome).length, 1)
})

test('a report without entries names its account and is complete', async (t) => {
  const outcome = await read(
    ':20:DEUTDEFFXXXX\n:25:00000000/DE89370400440532013000\n:28C:00000/001\n:34F:EURC0,\n' +
      ':13D:1912090901+0100\n:90D:0EUR0,\n:90C:0EUR0,\n-\n',
  )
  t.match(outcome.events, [{ kind: 'account', account: { iban: 'DE89370400440532013000' } }])
  t.equal(outcome.events.length, 1)
})

test('pending entries in addition to an MT940 are not booked', async (t) => {
  const outcome = await read(
    ':20:STARTUMSE\n:25:37040044/0532013000\n:28C:00000/001\n:60F:C240530EUR100,00\n' +
      ':61:2405310531D10,00NMSCNONREF\n:62F:C240531EUR90,00\n-\n' +
      ':20:STARTDISPE\n:25:37040044/0532013000\n:28C:00000/001\n:34F:EURD5,95\n:13:2405311300\n' +
      ':61:2406030531DR5,95NDDTNONREF\n:86:105?00FOLGELASTSCHRIFT?20EREF+1\n' +
      ':90D:1EUR5,95\n:90C:0EUR0,00\n-\n',
  )
  t.equal(transactionsOf(outcome).length, 1)
  t.match(messagesOf(outcome), [/^entry 2 \(line 13\): is pending \(:20:STARTDISP…\), not booked/])
  t.equal(messagesOf(outcome).length, 1, 'and the sums agree')
})

test('sums of any amounts equal the naive ones', async () => {
  const amount = fc.record({
    unscaled: fc.integer({ min: -(10 ** 15 - 1), max: 10 ** 15 - 1 }),
    scale: fc.integer({ min: 0, max: 5 }),
  })
  assertProperty(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 9 }), (amounts) => {
      const sums = new ReportSums()
      for (const each of amounts) sums.add(each, true)
      const debits = amounts.filter(({ unscaled }) => unscaled < 0)
      let naive = 0n
      for (const { unscaled, scale } of debits) naive -= sumOf(BigInt(unscaled), scale)
      const [listed] = /\d+ debits? of [\d.]+/.exec(
        sums.difference('90D', '99999EUR1,', 'EUR', undefined)?.split(', the')[1] ?? '',
      ) ?? ['']
      const noun = debits.length === 1 ? 'debit' : 'debits'
      assert.equal(listed, `${debits.length} ${noun} of ${formatSum(naive)}`)
    }),
  )
})
