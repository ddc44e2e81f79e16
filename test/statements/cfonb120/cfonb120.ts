import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import { readCfonb120 } from '../../../src/statements/cfonb120/cfonb120.js'
import {
  isCfonb120,
  isCfonb240,
  readOverpunched,
} from '../../../src/statements/cfonb120/cfonb120-records.js'
import { detectFormat } from '../../../src/statements/detect.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  CFONB_SIGNS,
  cfonbDetail,
  cfonbLine,
  cfonbOperation,
  cfonbStatement,
} from '../../fixtures/cfonb120-text.js'
import {
  assertCutAnywhere,
  assertSurvivesMutations,
  assertTruncationNamed,
  moreFiles,
  moreOutcome,
} from '../../fixtures/fixed-width-texts.js'
import {
  balanceGaps,
  messagesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const REPOSITORY = 'silarhi+cfonb-parser'

test('the last digit of an amount has its sign', async (t) => {
  for (const [plus, positive, minus, negative] of CFONB_SIGNS) {
    const read = (sign: string): string => {
      const amount = readOverpunched(`000000000012${sign}`.padStart(14, '0'), '1')
      return typeof amount === 'string' ? amount : formatAmount(amount.unscaled, amount.scale)
    }
    t.equal(read(plus), `12.${positive.slice(1)}`.replace('.0', ''))
    t.equal(read(minus), `-12.${negative.slice(1)}`.replace('.0', ''))
  }
  t.match(readOverpunched('00000000012345', '2'), /is not an amount; expected 13 digits and a sign/)
  t.match(readOverpunched('0000000001234S', '2'), /is not an amount/)
  t.match(readOverpunched('000000000 234A', '2'), /is not an amount/)
  t.match(readOverpunched('0000000001234A', ' '), /not a number of decimals; expected for/)
})

test('generated statements are read exactly: rows, sums and balances', async () => {
  const minor = fc.integer({ min: -9_999_999, max: 9_999_999 })
  await assertProperty(
    fc.asyncProperty(minor, fc.array(minor, { maxLength: 10 }), async (opening, amounts) => {
      const closing = amounts.reduce((sum, amount) => sum + amount, opening)
      const lines = amounts.map((amount) => cfonbOperation(amount))
      const outcome = await readAll(readCfonb120, cfonbStatement(lines, opening, closing))
      const found = transactionsOf(outcome).map(({ amount: { unscaled, scale } }) =>
        Math.round((unscaled / 10 ** scale) * 100),
      )
      assert.deepEqual(
        found,
        amounts.map((amount) => amount || 0),
      )
      assert.deepEqual(balanceGaps(outcome), ['0 EUR'])
      assert.deepEqual(messagesOf(outcome), [])
    }),
  )
})

test('amounts and balances of every real file', async (t) => {
  const files: readonly [name: string, amounts: string[], gaps: string[]][] = [
    ['simple-test.txt', [], ['0 EUR']],
    [
      'complex-test.txt',
      ['-22.79', '-20.11', '-5000', '-117.75', '-50.25'],
      Array<string>(8).fill('0 EUR'),
    ],
    [
      'non-strict-test.txt',
      ['-22.79', '-20.11', '-5000', '-117.75', '-50.25'],
      Array<string>(8).fill('0 EUR'),
    ],
    ['test-unused-parts.txt', [], Array<string>(8).fill('0 EUR')],
  ]
  for (const [name, amounts, gaps] of files) {
    const outcome = await moreOutcome(t, REPOSITORY, name, readCfonb120)
    if (outcome === undefined) continue
    t.strictSame(messagesOf(outcome), [], name)
    t.strictSame(
      transactionsOf(outcome).map((transaction) => plain(transaction)['amount']),
      amounts,
      name,
    )
    t.strictSame(balanceGaps(outcome), gaps, name)
  }
})

test('every field of real movements', async (t) => {
  const outcome = await moreOutcome(t, REPOSITORY, 'complex-test.txt', readCfonb120)
  if (outcome === undefined) return
  const found = transactionsOf(outcome).map(plain)
  t.match(found[0], {
    booked: '2020-04-07',
    valued: '2020-04-07',
    currency: 'EUR',
    type: 'B1',
    purpose: 'PRLV SEPA ONLINE SAS DEDIBOX 3706114',
    position: 'entry 1 (line 2)',
  })
  t.match(found[3], {
    booked: '2020-04-10',
    valued: '2020-04-01',
    type: '62',
    primanota: '0001692',
    purpose: 'FACTURE SGT20022040001692 DONT TVA 11 39EUR',
  })
  t.match(found[4], {
    purpose: 'PRLV SEPA OVH SAS PAYMENT ORDER 124359169 ERS INF ORDER 124359169',
  })
  const account = outcome.events.find((event) => event.kind === 'account')
  t.match(account, { account: { accountNumber: '00012345603', currency: 'EUR' } })
})

test('real files are detected as CFONB120, CFONB240 or neither', async (t) => {
  for (const { name, bytes } of moreFiles(t, REPOSITORY)) {
    const head = bytes.toString('latin1')
    const is240 = name.startsWith('cfonb.240')
    t.equal(isCfonb120(head), !is240, name)
    t.equal(isCfonb240(head), is240, name)
    const found = detectFormat(head, name)
    if (is240) t.match(found, { kind: 'unsupported', message: /CFONB240.*import the account/ })
    else t.match(found, { kind: 'format', format: 'cfonb120' })
    await assertSurvivesMutations(readCfonb120, bytes, 60)
  }
})

test('details by their qualifiers', async (t) => {
  const read = async (minor: number, details: readonly string[]): Promise<unknown> => {
    const text = cfonbStatement([cfonbOperation(minor), ...details], 0, minor)
    const outcome = await readAll(readCfonb120, text)
    t.strictSame(messagesOf(outcome), [])
    const { position, booked, valued, currency, type, ...rest } = plain(
      transactionsOf(outcome)[0] ?? assert.fail(),
    )
    return rest
  }
  const party = [
    cfonbDetail('NPY', 'BOULANGERIE MARTIN'),
    cfonbDetail('NBE', 'ELECTRICITE SA'),
    cfonbDetail('RCN', `${'E2E-2024-05'.padEnd(35)}OTHR`),
    cfonbDetail('REF', 'REF BANQUE 17'),
    cfonbDetail('IBE', `${'FR72ZZZ123456'.padEnd(35)}ICS`),
    cfonbDetail('RUM', 'MANDAT-4711'),
    cfonbDetail('CBE', 'FR1420041010050500013M02606'),
    cfonbDetail('BDB', 'PSSTFRPPLIL'),
  ]
  t.strictSame(await read(-12_345, party), {
    amount: '-123.45',
    purpose: 'PRLV SEPA ELECTRICITE OTHR BOULANGERIE MARTIN',
    endToEndReference: 'E2E-2024-05',
    counterpart: {
      customerReference: 'REF BANQUE 17',
      creditorId: 'FR72ZZZ123456',
      mandateReference: 'MANDAT-4711',
      iban: 'FR1420041010050500013M02606',
      bic: 'PSSTFRPPLIL',
      name: 'ELECTRICITE SA',
    },
  })
  t.match(await read(12_345, party), { counterpart: { name: 'BOULANGERIE MARTIN' } })
  const full = 'UN LIBELLE QUI REMPLIT EXACTEMENT LES SOIXANTE-DIX COLONNES DE LA ZON'
  t.strictSame(
    await read(-100, [
      cfonbDetail('LIB', `${full}E`),
      cfonbDetail('LIB', 'S ET CONTINUE'),
      cfonbDetail('LIB', 'AUTRE LIGNE'),
      cfonbDetail('LCC', `${'FACTURE 2024-1'.padEnd(69)}7`),
      cfonbDetail('LC2', '8 DE MAI'),
      cfonbDetail('ZZZ', 'UN TEXTE SANS CHAMP'),
    ]),
    {
      amount: '-1',
      purpose:
        `PRLV SEPA ELECTRICITE ${full}ES ET CONTINUE AUTRE LIGNE FACTURE 2024-1 78 DE MAI ` +
        'UN TEXTE SANS CHAMP',
      counterpart: {},
    },
  )
  t.strictSame(
    await read(-77_61, [
      cfonbDetail('MMO', 'USD000000000008358300000001077'),
      cfonbDetail('FEE', 'EUR200000000000740'),
    ]),
    {
      amount: '-77.61',
      original: '-8358',
      originalCurrency: 'USD',
      purpose: 'PRLV SEPA ELECTRICITE Rate 1.077 Charges 7.4 EUR',
      counterpart: {},
    },
  )
  t.match(await read(-100, [cfonbDetail('RCN', 'PREMIER'), cfonbDetail('RCN', 'SECOND')]), {
    endToEndReference: 'PREMIER',
    purpose: 'PRLV SEPA ELECTRICITE SECOND',
  })
  t.match(await read(-100, [cfonbDetail('MMO', 'ILLISIBLE')]), {
    purpose: 'PRLV SEPA ELECTRICITE MMO ILLISIBLE',
  })
})

test('two references are both kept', async (t) => {
  const lines = [cfonbOperation(100, { 104: 'CHEQUE 17' }), cfonbDetail('REF', 'REF BANQUE 17')]
  const outcome = await readAll(readCfonb120, cfonbStatement(lines, 0, 100))
  t.match(transactionsOf(outcome)[0], {
    purpose: 'PRLV SEPA ELECTRICITE CHEQUE 17',
    counterpart: { customerReference: 'REF BANQUE 17' },
  })
})

test('the name of the other party is taken with one warning', async (t) => {
  const lines = [
    ...[cfonbOperation(-100), cfonbDetail('NPY', 'INTERNET SA')],
    ...[cfonbOperation(-100), cfonbDetail('NPY', 'TELEPHONE SA')],
  ]
  const outcome = await readAll(readCfonb120, cfonbStatement(lines, 0, -200))
  t.match(
    transactionsOf(outcome).map(({ counterpart }) => counterpart.name),
    ['INTERNET SA', 'TELEPHONE SA'],
  )
  t.strictSame(messagesOf(outcome), [
    "entry 1 (line 2): the name of the payer of a debit is used as the counterpart's name, here " +
      'and in later entries',
  ])
})

test('the account: its derived IBAN, or that of --account in Monaco', async (t) => {
  const text = cfonbStatement([cfonbOperation(100)], 0, 100)
  const accountOf = async (account?: string): Promise<unknown> => {
    const options = account === undefined ? {} : { account }
    const { events } = await readAll(readCfonb120, text, options)
    return events.flatMap((event) => (event.kind === 'account' ? [event.account] : []))[0]
  }
  const expected = {
    iban: 'FR1420041010050500013M02606',
    accountNumber: '0500013M026',
    currency: 'EUR',
  }
  t.strictSame(await accountOf(), expected)
  t.strictSame(await accountOf('DE89370400440532013000'), expected, 'another account')
  t.strictSame(await accountOf('mc93 2004 1010 0505 0001 3M02 606'), {
    ...expected,
    iban: 'MC9320041010050500013M02606',
  })
})

test('an account without a number is that of --account', async (t) => {
  const text = cfonbStatement([cfonbOperation(100)], 0, 100)
  const blank = text.replaceAll('0500013M026', ' '.repeat(11))
  const { events } = await readAll(readCfonb120, blank, { account: '4711' })
  t.match(events[0], { account: { accountNumber: '4711', currency: 'EUR' } })
  const { events: unnamed } = await readAll(readCfonb120, blank)
  t.strictSame(unnamed[0]?.kind === 'account' && unnamed[0].account, { currency: 'EUR' })
})

test('faults are refused, and irregularities give warnings', async (t) => {
  const messages = async (lines: readonly string[]): Promise<string[]> =>
    messagesOf(await readAll(readCfonb120, cfonbStatement(lines, 0, 100)))
  t.match(await messages([cfonbOperation(100, { 90: '00000000010000' })]), [
    /^entry 1 \(line 2\), 04 amount: "00000000010000" is not an amount; expected 13 digits/,
  ])
  t.match(await messages([cfonbOperation(100, { 19: ' ' })]), [/not a number of decimals/])
  t.match(await messages([cfonbOperation(100, { 21: '99999999999' })]), [
    /names the account "99999999999 EUR"; expected "0500013M026 EUR" as in/,
  ])
  t.match(await messages([cfonbOperation(100, { 16: 'USD' })]), [/names the account .*USD/])
  t.match(await messages([`${cfonbOperation(100)}XYZ`]), [/columns may be shifted: "XYZ" follows/])
  t.match(await messages([cfonbOperation(100, { 34: '310299' })]), [
    /has the booking date "310299"; the value date is taken for it/,
  ])
  t.match(await messages([cfonbOperation(100, { 34: '      ', 42: '000000' })]), [
    /no booking date; the day of the statement is taken/,
  ])
  t.match(await messages([cfonbDetail('LIB', 'X')]), [/record 05 follows no movement/])
  t.match(await messages([cfonbLine('09', {})]), [/line 2, record: "0920041 .*begins no record/])
  const text = cfonbStatement([cfonbOperation(100)], 0, 100)
  const cut = text.split('\n').slice(0, 2).join('\n')
  t.match(messagesOf(await readAll(readCfonb120, cut)), [/no new balance .*truncated/])
  t.match(messagesOf(await readAll(readCfonb120, cfonbOperation(100))), [/is in no statement/])
  t.match((await readAll(readCfonb120, 'x')).error?.message, /contains no CFONB120 statement/)
  const noCurrency = text.replaceAll('EUR2', '   2')
  t.match(messagesOf(await readAll(readCfonb120, noCurrency)), [/--currency EUR/])
  const named = await readAll(readCfonb120, noCurrency, { currency: 'EUR' })
  t.match(transactionsOf(named), [{ currency: 'EUR' }])
})

test('a statement that occurs twice has one key', async (t) => {
  const first = cfonbStatement([cfonbOperation(100)], 0, 100)
  const next = cfonbStatement([cfonbOperation(100)], 100, 200)
  const { events } = await readAll(readCfonb120, first + next + first)
  const keys = events.flatMap((event) => (event.kind === 'account' ? [event.statementKey] : []))
  t.equal(keys[0], keys[2])
  t.not(keys[0], keys[1])
})

test('files that are cut or mutated end in events or a fault', async () => {
  const text = cfonbStatement(
    [cfonbOperation(-100), cfonbDetail('NBE', 'CAFÉ'), cfonbOperation(200)],
    0,
    100,
  )
  await assertCutAnywhere(readCfonb120, text)
  await assertTruncationNamed(readCfonb120, text)
  await assertSurvivesMutations(readCfonb120, Buffer.from(text, 'latin1'), 300)
})
