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
  assertCutAnywhere,
  assertSurvivesMutations,
  moreFiles,
  moreOutcome,
  recordWith,
  zeroPadded,
} from '../../fixtures/fixed-width-texts.js'
import {
  balanceGaps,
  messagesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const REPOSITORY = 'silarhi+cfonb-parser'

/** Naive twin of the sign in the last digit, from the table of the standard. */
const SIGNS = [
  ['{', '+0', '}', '-0'],
  ['A', '+1', 'J', '-1'],
  ['B', '+2', 'K', '-2'],
  ['C', '+3', 'L', '-3'],
  ['D', '+4', 'M', '-4'],
  ['E', '+5', 'N', '-5'],
  ['F', '+6', 'O', '-6'],
  ['G', '+7', 'P', '-7'],
  ['H', '+8', 'Q', '-8'],
  ['I', '+9', 'R', '-9'],
] as const

function overpunched(minor: number): string {
  const digits = zeroPadded(minor, 14)
  const [plus, , minus] = SIGNS[Number(digits.slice(13))] ?? assert.fail()
  return digits.slice(0, 13) + (minor < 0 ? minus : plus)
}

function line(type: string, columns: Readonly<Record<number, string>>): string {
  return recordWith(120, {
    0: type,
    2: '20041',
    11: '01005',
    16: 'EUR2',
    21: '0500013M026',
    ...columns,
  })
}

function operation(minor: number, columns: Readonly<Record<number, string>> = {}): string {
  return line('04', {
    7: '9162',
    32: 'B1',
    34: '310524',
    42: '300524',
    48: 'PRLV SEPA ELECTRICITE',
    81: '0000000',
    90: overpunched(minor),
    ...columns,
  })
}

function detail(qualifier: string, text: string): string {
  return line('05', { 7: '9162', 32: 'B1', 34: '310524', 45: qualifier, 48: text })
}

function statement(lines: readonly string[], opening: number, closing: number): string {
  const all = [
    line('01', { 34: '300524', 90: overpunched(opening) }),
    ...lines,
    line('07', { 34: '310524', 90: overpunched(closing) }),
  ]
  return `${all.join('\n')}\n`
}

test('the last digit of an amount has its sign', async (t) => {
  for (const [plus, positive, minus, negative] of SIGNS) {
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

test('generated statements come back: rows, sums and balances', async () => {
  const minor = fc.integer({ min: -9_999_999, max: 9_999_999 })
  await assertProperty(
    fc.asyncProperty(minor, fc.array(minor, { maxLength: 10 }), async (opening, amounts) => {
      const closing = amounts.reduce((sum, amount) => sum + amount, opening)
      const lines = amounts.map((amount) => operation(amount))
      const outcome = await readAll(readCfonb120, statement(lines, opening, closing))
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

test('real files are told apart', async (t) => {
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
    const text = statement([operation(minor), ...details], 0, minor)
    const outcome = await readAll(readCfonb120, text)
    t.strictSame(messagesOf(outcome), [])
    const { position, booked, valued, currency, type, ...rest } = plain(
      transactionsOf(outcome)[0] ?? assert.fail(),
    )
    return rest
  }
  const party = [
    detail('NPY', 'BOULANGERIE MARTIN'),
    detail('NBE', 'ELECTRICITE SA'),
    detail('RCN', `${'E2E-2024-05'.padEnd(35)}OTHR`),
    detail('REF', 'REF BANQUE 17'),
    detail('IBE', `${'FR72ZZZ123456'.padEnd(35)}ICS`),
    detail('RUM', 'MANDAT-4711'),
    detail('CBE', 'FR1420041010050500013M02606'),
    detail('BDB', 'PSSTFRPPLIL'),
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
      detail('LIB', `${full}E`),
      detail('LIB', 'S ET CONTINUE'),
      detail('LIB', 'AUTRE LIGNE'),
      detail('LCC', `${'FACTURE 2024-1'.padEnd(69)}7`),
      detail('LC2', '8 DE MAI'),
      detail('ZZZ', 'UN TEXTE SANS CHAMP'),
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
      detail('MMO', 'USD000000000008358300000001077'),
      detail('FEE', 'EUR200000000000740'),
    ]),
    {
      amount: '-77.61',
      original: '-8358',
      originalCurrency: 'USD',
      purpose: 'PRLV SEPA ELECTRICITE Rate 1.077 Charges 7.4 EUR',
      counterpart: {},
    },
  )
  t.match(await read(-100, [detail('RCN', 'PREMIER'), detail('RCN', 'SECOND')]), {
    endToEndReference: 'PREMIER',
    purpose: 'PRLV SEPA ELECTRICITE SECOND',
  })
  t.match(await read(-100, [detail('MMO', 'ILLISIBLE')]), {
    purpose: 'PRLV SEPA ELECTRICITE MMO ILLISIBLE',
  })
})

test('two references are both kept', async (t) => {
  const lines = [operation(100, { 104: 'CHEQUE 17' }), detail('REF', 'REF BANQUE 17')]
  const outcome = await readAll(readCfonb120, statement(lines, 0, 100))
  t.match(transactionsOf(outcome)[0], {
    purpose: 'PRLV SEPA ELECTRICITE CHEQUE 17',
    counterpart: { customerReference: 'REF BANQUE 17' },
  })
})

test('the name of the other party is taken with one warning', async (t) => {
  const lines = [
    ...[operation(-100), detail('NPY', 'INTERNET SA')],
    ...[operation(-100), detail('NPY', 'TELEPHONE SA')],
  ]
  const outcome = await readAll(readCfonb120, statement(lines, 0, -200))
  t.match(
    transactionsOf(outcome).map(({ counterpart }) => counterpart.name),
    ['INTERNET SA', 'TELEPHONE SA'],
  )
  t.strictSame(messagesOf(outcome), [
    "entry 1 (line 2): the payer's name of a debit is taken for the counterpart's, here and " +
      'further on',
  ])
})

test('the account: its derived IBAN, or that of --account in Monaco', async (t) => {
  const text = statement([operation(100)], 0, 100)
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

test('what is wrong is refused or named', async (t) => {
  const messages = async (lines: readonly string[]): Promise<string[]> =>
    messagesOf(await readAll(readCfonb120, statement(lines, 0, 100)))
  t.match(await messages([operation(100, { 90: '00000000010000' })]), [
    /^entry 1 \(line 2\), 04 amount: "00000000010000" is not an amount; expected 13 digits/,
  ])
  t.match(await messages([operation(100, { 19: ' ' })]), [/not a number of decimals/])
  t.match(await messages([operation(100, { 21: '99999999999' })]), [
    /names the account "99999999999 EUR"; expected "0500013M026 EUR" as in/,
  ])
  t.match(await messages([operation(100, { 16: 'USD' })]), [/names the account .*USD/])
  t.match(await messages([`${operation(100)}XYZ`]), [/columns are in doubt: "XYZ" is over/])
  t.match(await messages([operation(100, { 34: '310299' })]), [
    /has the booking date "310299"; the value date is taken for it/,
  ])
  t.match(await messages([operation(100, { 34: '      ', 42: '000000' })]), [
    /no booking date; the day of the statement is taken/,
  ])
  t.match(await messages([detail('LIB', 'X')]), [/record 05 follows no movement/])
  t.match(await messages([line('09', {})]), [/line 2, record: "0920041 .*begins no record/])
  const text = statement([operation(100)], 0, 100)
  const cut = text.split('\n').slice(0, 2).join('\n')
  t.match(messagesOf(await readAll(readCfonb120, cut)), [/no new balance .*truncated/])
  t.match(messagesOf(await readAll(readCfonb120, operation(100))), [/is in no statement/])
  t.match((await readAll(readCfonb120, 'x')).error?.message, /contains no CFONB120 statement/)
  const noCurrency = text.replaceAll('EUR2', '   2')
  t.match(messagesOf(await readAll(readCfonb120, noCurrency)), [/--currency EUR/])
  const named = await readAll(readCfonb120, noCurrency, { currency: 'EUR' })
  t.match(transactionsOf(named), [{ currency: 'EUR' }])
})

test('a statement that occurs twice has one key', async (t) => {
  const first = statement([operation(100)], 0, 100)
  const next = statement([operation(100)], 100, 200)
  const { events } = await readAll(readCfonb120, first + next + first)
  const keys = events.flatMap((event) => (event.kind === 'account' ? [event.statementKey] : []))
  t.equal(keys[0], keys[2])
  t.not(keys[0], keys[1])
})

test('cut anywhere, mutated anyhow', async () => {
  const text = statement([operation(-100), detail('NBE', 'CAFÉ'), operation(200)], 0, 100)
  await assertCutAnywhere(readCfonb120, text)
  await assertSurvivesMutations(readCfonb120, Buffer.from(text, 'latin1'), 300)
})
