// The CODA files of the folder that KONTOR_MORE_STATEMENTS names: every field against what the
// records say, and every sum against the balances of the file.
import { test } from 'tap'
import { readCoda } from '../../../src/statements/coda/coda.js'
import { isCoda } from '../../../src/statements/coda/coda-records.js'
import {
  assertSurvivesMutations,
  moreFiles,
  moreOutcome,
} from '../../fixtures/fixed-width-texts.js'
import { balanceGaps, messagesOf, plain, transactionsOf } from '../../fixtures/statement-reading.js'

const REPOSITORY = 'wimverstuyf+php-coda-parser'

// Those that do not add up were shortened by their author; the trailers say so too.
const SUMS: readonly [name: string, amounts: string[], gap: string][] = [
  ['sample1.cod', ['5', '25', '20', '30'], '0 EUR'],
  ['sample3.cod', ['-812.69'], '-812.69 EUR'],
  ['sample4.cod', ['17233.54'], '17233.54 EUR'],
  ['sample9.cod', ['5'], '-75 EUR'],
  ['sample10.cod', ['250', '750'], '0 EUR'],
  ['sample11.cod', ['1000'], '0 EUR'],
]

test('amounts and balances of every file', async (t) => {
  const files = moreFiles(t, REPOSITORY)
  for (const { name, bytes } of files) {
    t.ok(isCoda(bytes.toString('latin1')), name)
    t.ok(
      SUMS.some(([known]) => known === name),
      `${name} is expected`,
    )
  }
  for (const [name, amounts, gap] of SUMS) {
    const outcome = await moreOutcome(t, REPOSITORY, name, readCoda)
    if (outcome === undefined) continue
    t.equal(outcome.error, undefined, name)
    t.strictSame(
      transactionsOf(outcome).map((transaction) => plain(transaction)['amount']),
      amounts,
      name,
    )
    t.strictSame(balanceGaps(outcome), [gap], name)
    const warnings = messagesOf(outcome).filter((message) => message.includes('record 9'))
    t.equal(warnings.length === 0, gap === '0 EUR', `${name}: ${warnings}`)
  }
})

test('a structured communication, the counterpart and its address', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'sample1.cod', readCoda)
  if (outcome === undefined) return
  const [first] = transactionsOf(outcome)
  t.match(first && plain(first), {
    amount: '5',
    currency: 'EUR',
    booked: '2017-10-11',
    valued: '2017-10-11',
    type: 'SEPA credit transfer: Transfer in your favour',
    purpose: '+++000/0035/05158+++ GROTE WEG 32 3215 HASSELT',
    counterpart: { name: 'KLANT1 MET NAAM1', iban: 'BE22313215646432', bic: 'KREDBEBB' },
  })
  const account = outcome.events.find((event) => event.kind === 'account')
  t.match(account, {
    account: {
      accountNumber: '138536152215',
      name: 'BC-Bedrijfsrekening',
      holderName: 'BOUWBEDRIJF VOOR GROTE WER',
      bic: 'KREDBEBB',
      currency: 'EUR',
    },
  })
})

test('a batch becomes its direct debits, with mandates and references', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'sample10.cod', readCoda)
  if (outcome === undefined) return
  const [first, second] = transactionsOf(outcome).map(plain)
  t.match(first, {
    amount: '250',
    booked: '2024-06-06',
    endToEndReference: '243690000141',
    type: 'Direct debit: Credit after collection',
    position: /entry 1, detail 1/,
    counterpart: { name: 'KLANT1 MET NAAM1', mandateReference: 'SEPA-000000001' },
  })
  t.match(first?.['purpose'], /REF-RECUR-06-05/, 'the reference of the batch')
  t.match(second, {
    amount: '750',
    endToEndReference: '243690000142',
    counterpart: { name: 'KLANT2 MET NAAM2', mandateReference: 'SEPA-00000002' },
  })
})

test('details of an amount are texts of one transaction', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'sample3.cod', readCoda)
  if (outcome === undefined) return
  const [only] = transactionsOf(outcome)
  t.match(only && plain(only), {
    amount: '-812.69',
    type: 'Credit: Short-term loan',
    purpose: 'Message goes here and continues here (-805.73 EUR) or here (-6.96 EUR)',
    counterpart: { accountNumber: 'XXXXXXXXXXXX' },
  })
  t.match(messagesOf(outcome).join('\n'), /record 8 names another account \(BE23732038134791\)/)
})

test('free information continues in the next record', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'sample4.cod', readCoda)
  if (outcome === undefined) return
  const [only] = transactionsOf(outcome)
  t.match(only?.purpose, /STRAATSTREEEEEET 123 1111 PLACE Belgie IBAN: BE34359648312349$/)
  t.match(only?.counterpart, { iban: 'BE34359648312345' })
})

test('mutated files end in events or a fault', async (t) => {
  for (const { bytes } of moreFiles(t, REPOSITORY)) {
    await assertSurvivesMutations(readCoda, bytes, 60)
  }
})
