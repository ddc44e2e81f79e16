// The real camt.053 files of KONTOR_STATEMENTS; other means count their content.
import { test } from 'tap'
import { readCamt053 } from '../../../src/statements/camt/camt.js'
import {
  balanceGaps,
  messagesOf,
  readFile,
  realFileReading,
  realFiles,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

/** Files that are wrong on purpose, or of another kind, and the message for each. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'genkgo__camt053.v2.wrong.xml': /^line 1, Stmt: the message has no statement/,
  'genkgo__camt052.v8.xml':
    /^line 3, BkToCstmrAcctRpt: is a camt\.052 report, not a camt\.053 .* --format camt052$/,
}

/** Files whose balances and entries disagree, because they are invented or shortened. */
const UNBALANCED: Readonly<Record<string, string>> = {
  'genkgo__camt053.v2.all-balance-types.xml': '5.82 EUR',
  'genkgo__camt053.v2.five.decimals.xml': '-0.05 EUR',
  'iso20022js-gs__camt_053_us_v2_sample.xml': '3038.95 USD',
  'moov__camt.053_P_CH2909000000250094239_1110092698_0_2020112503071366.xml': '1537 CHF',
  'newinnov__example-camt053-b.xml': '29.06 USD',
  'viafintech__valid_example_v8.xml': '-1230.05 CHF',
  'viafintech__valid_example_with_batch.xml': '-12774.14 EUR',
}

/**
 * Counts transactions by a naive scan of the text: details where an entry has several, else one.
 */
function countNaively(text: string): { entries: number; transactions: number } {
  const entries = text.match(/<Ntry>.*?<\/Ntry>/gs) ?? []
  const counts = entries.map((entry) => Math.max(1, entry.match(/<TxDtls>/g)?.length ?? 0))
  return { entries: entries.length, transactions: counts.reduce((sum, count) => sum + count, 0) }
}

const { outcomeOf, check } = realFileReading('camt053', readCamt053)

test('every entry of the real files is read, and the balances agree', async (t) => {
  for (const { name, bytes } of realFiles(t, 'camt053')) {
    const outcome = await readFile(readCamt053, bytes)
    if (REFUSED[name] !== undefined) {
      t.match(outcome.error?.message, REFUSED[name], name)
      t.comment(`${name}: refused, ${outcome.error?.message}`)
      continue
    }
    const expected = countNaively(bytes.toString())
    const found = transactionsOf(outcome).length
    const refused = outcome.events.filter(({ kind }) => kind === 'refused').length
    const accounts = outcome.events.filter(({ kind }) => kind === 'account').length
    const gaps = balanceGaps(outcome)
    t.equal(outcome.error, undefined, name)
    t.equal(found + refused, expected.transactions, `${name}: transactions`)
    t.equal(
      gaps.filter((gap) => !gap.startsWith('0 ')).join(', '),
      UNBALANCED[name] ?? '',
      `${name}: gaps`,
    )
    t.comment(
      `${name}: ${accounts} accounts, ${expected.entries} entries, ${found} transactions of ` +
        `${expected.transactions}, ${refused} refused, ` +
        `opening + entries - closing: ${gaps.join(', ')}`,
    )
  }
})

test('a file with an unreadable amount is refused with entry and text', async (t) => {
  const outcome = await outcomeOf(t, 'bsparser__camt053_garbled_amount.xml')
  if (outcome === undefined) return
  t.same(messagesOf(outcome), [
    'entry 1 (line 16), Amt: "12..34" is not a decimal number; expected for example 1234.56',
  ])
})

test('fields of the Dutch samples', async (t) => {
  const naam = { name: 'NAAM', bic: 'ABNANL2A', customerReference: '3095D4322561460S0PS' }
  await check(t, 'iso20022js-abn__example_camt.xml', {
    0: {
      ...{ amount: '1', type: 'PMNT-RCDT-NTAV', purpose: '11.11.111.111 Naam Adres 7 2960 Dorp' },
      ...{ counterpart: {}, bankReference: '2102830989503100038 2013-04-02 1 EUR' },
    },
    1: {
      ...{ type: 'SEPA OVERBOEKING', purpose: 'OMSCHRIJVING', endToEndReference: undefined },
      counterpart: { name: 'NAAM', iban: 'NL46ABNA0499998748', bic: 'ABNANL2A' },
    },
    3: {
      ...{ amount: '1', type: 'SEPA ACCEPTGIRO BATCH', purpose: '1234567812345678' },
      ...{ counterpart: { ...naam, iban: 'NL46ABNA0499998748' } },
      bankReference: '3095D4322561460S0PS/1 2013-04-02 1 EUR',
    },
    12: {
      ...{ position: 'entry 4 (line 326), detail 10 (line 843)' },
      bankReference: '3095D4322561460S0PS/10 2013-04-02 1 EUR',
    },
    13: {
      endToEndReference: '01-04-2013 21:01 0050001248302363',
      purpose: '2305271368 0050001248302363 pid2305271368t Mud Masters Mud Masters',
    },
    18: {
      ...{ amount: '-1', purpose: 'REF 2202389041/ 708723862112/ 5401939189' },
      ...{ endToEndReference: '540193918971', type: 'SEPA Incasso algemeen doorlopend' },
      counterpart: {
        ...{ name: 'Naam/SA', iban: 'BE21319980275903', bic: 'BBRUBEBB' },
        ...{ mandateReference: 'N000001861650', creditorId: 'BE57XC00476306127' },
      },
    },
    28: {
      ...{ amount: '-921', type: 'SEPA Incasso terugboeking bank', booked: '2012-04-02' },
      purpose: 'Levering maand mei, zie nota 1234557. Uw klantnummer 123455666 Return MS03',
      counterpart: {
        ...{ name: 'Debtor', iban: 'NL27ABNA0592326340', bic: 'ABNANL2A' },
        ...{ mandateReference: '123456788XXmandaat', customerReference: 'PMTIDPAIN008' },
      },
    },
  })
  await check(t, 'iso20022js__ing-example_camt.xml', {
    0: { amount: '350', purpose: '0010008346912014', type: 'PMNT-RCDT-ESCT' },
    1: { bankReference: '98888208N8 2014-01-03 125 EUR' },
    3: { amount: '270', purpose: 'Batch SCTBtchId20140103A2PSTN 2 transactions', counterpart: {} },
    4: {
      ...{ purpose: 'UstrdRemiInf127881778INGB9 Return AC04', type: 'PMNT-RCDT-RRTN' },
      bankReference: '98888208N8 2014-01-03 125 EUR #2',
    },
    8: { valued: '2013-12-20', bankReference: '3101963431841 2014-01-03 -30 EUR #2' },
  })
})

test('fields of the German, Swiss, Finnish and Lithuanian files', async (t) => {
  await check(t, 'viafintech__valid_example.xml', {
    0: {
      ...{ amount: '-2', endToEndReference: 'EndToEndReference' },
      counterpart: {
        ...{ name: 'Testkonto Nummer 2', iban: 'DE09300606010012345671', bic: 'DAAEDEDDXXX' },
        ...{ bankName: 'Bank', mandateReference: 'MandateReference' },
        ...{ creditorId: 'CreditorIdentifier', customerReference: 'PaymentIdentification' },
      },
    },
    1: {
      ...{ purpose: 'Test+berweisung mit BIC und IBAN SEPA', endToEndReference: undefined },
      counterpart: {
        ...{ name: 'Testkonto Nummer 2', iban: 'DE58740618130100033626', bic: 'GENODEF1PFK' },
      },
    },
    2: { counterpart: { name: 'Testkonto Nummer 2', accountNumber: '740618130100033626' } },
    3: { amount: '-3.5', bankReference: '2013122711513230000/1 2013-12-27 -3.5 EUR' },
    4: { amount: '-2.5', endToEndReference: 'STZV-EtE27122013-11:02-2' },
  })
  await check(t, 'viafintech__valid_example_v8.xml', {
    1: { purpose: 'RF38000000000000000000552', type: 'Credit Creditor Reference' },
    2: {
      ...{ amount: '-20.97', currency: 'EUR', original: '-19.69', originalCurrency: 'CHF' },
      ...{ purpose: '000000270148751802165444888', endToEndReference: '1208481' },
    },
  })
  await check(t, 'moov__camt.053_P_CH2909000000250094239_1110092698_0_2020112503071366.xml', {
    3: { valued: '2020-11-25', bankReference: '07582000303KBMSU 2020-11-24 1537 CHF' },
    4: { valued: '2020-11-24', bankReference: '07582000303KBMSU 2020-11-24 1692.22 CHF' },
  })
  await check(t, 'iso20022js__nordea-example_camt.xml', {
    1: { purpose: 'Free text max 140 characters and max 35 characters in one line' },
    2: { purpose: 'RF332348236', counterpart: { customerReference: 'PMNTINFID08052019' } },
  })
  await check(t, 'moov__statement_1.xml', {
    2: {
      amount: '-30.16',
      counterpart: {
        ...{ name: 'Antstolis Vardenis Pavardenis', iban: 'LT007044000000000000' },
        ...{ bic: 'CBVILT2XXXX', bankName: 'SEB BANK', customerReference: '224881' },
      },
    },
  })
})

test('fields of the American sample and of small ones', async (t) => {
  await check(t, 'newinnov__example-camt053-b.xml', {
    9: {
      ...{ amount: '-29.06', currency: 'EUR', original: '-25', originalCurrency: 'USD' },
      counterpart: {
        ...{ name: 'Test creditor name', iban: 'GB14BARC20325340846481' },
        ...{ bic: 'BARCGB22XXX', customerReference: '1' },
      },
    },
    11: {
      type: 'Outgoing Wire Return',
      counterpart: {
        ...{ name: 'OPY USA INC.', accountNumber: '107049932', bic: 'GSCRUS33' },
      },
    },
    14: { purpose: 'Return R02', type: 'ACH Credit Payment Return' },
  })
  await check(t, 'bsparser__camt.053.001.02.xml', {
    1: { amount: '-200000', purpose: 'Batch FINP-0055/001 20 transactions', booked: '2010-10-18' },
    2: { amount: '30000', original: '3255', originalCurrency: 'EUR' },
  })
  const coffee = { amount: '-4.5', counterpart: { name: 'CITY COFFEE' }, bankReference: undefined }
  await check(t, 'bsparser__camt053_duplicate_same_day.xml', { 0: coffee, 1: coffee })
  await check(t, 'genkgo__camt053.v2.minimal.ultimate.xml', {
    0: {
      ...{ purpose: '4654654654654654 ABWE+CREDITOR NAME NM', type: '544' },
      counterpart: { name: 'DEBTOR NAME NM' },
    },
  })
})
