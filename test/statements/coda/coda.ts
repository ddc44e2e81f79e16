import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCoda } from '../../../src/statements/coda/coda.js'
import { isCoda } from '../../../src/statements/coda/coda-records.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  type CodaDetail,
  type CodaMovement,
  codaRecord,
  codaStatement,
  record21,
} from '../../fixtures/coda-text.js'
import {
  assertCutAnywhere,
  assertSurvivesMutations,
  assertTruncationNamed,
} from '../../fixtures/fixed-width-texts.js'
import {
  balanceGaps,
  messagesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const SALE: CodaDetail = { minor: 12_500, kind: '0', text: 'FACTUUR 2024-17' }

const FRAME = { opening: 100_000, closing: 112_500, credits: 12_500 }

test('a movement has the fields of all its records', async (t) => {
  const records = [
    record21(1, 0, {
      ...SALE,
      text: 'een lange mededeling die over de records heen loopt: '.slice(0, 53),
    }),
    codaRecord('22', {
      2: '00010000',
      10: 'deel twee tot aan het einde van de zone, en precies 5',
      63: 'E2E-2024-000017',
      98: 'GEBABEBB',
      117: 'SALA',
    }),
    codaRecord('23', {
      2: '00010000',
      10: 'BE71096123456769',
      44: 'EUR',
      47: 'VERZEKERINGEN EN BELEGGINGEN DE ZO',
      82: '3 tekens',
    }),
    codaRecord('31', {
      2: '00010001',
      31: '00150000',
      39: '1',
      40: '001',
      43: 'VERZEKERINGEN EN BELEGGINGEN DE ZOMER EN DOCHTERS',
    }),
    codaRecord('32', { 2: '00010001', 10: 'KERKSTRAAT 5', 45: '9000 GENT' }),
    codaRecord('4 ', { 2: '0002', 32: 'EEN BERICHT VAN DE BANK' }),
  ]
  const outcome = await readAll(readCoda, codaStatement(records, FRAME))
  t.strictSame(transactionsOf(outcome).map(plain), [
    {
      amount: '12.5',
      booked: '2024-05-31',
      valued: '2024-05-30',
      currency: 'EUR',
      type: 'SEPA credit transfer: Transfer in your favour',
      endToEndReference: 'E2E-2024-000017',
      sepaPurposeCode: 'SALA',
      purpose:
        'een lange mededeling die over de records heen loopt: deel twee tot aan het einde van ' +
        'de zone, en precies 53 tekens KERKSTRAAT 5 9000 GENT',
      counterpart: {
        name: 'VERZEKERINGEN EN BELEGGINGEN DE ZOMER EN DOCHTERS',
        iban: 'BE71096123456769',
        bic: 'GEBABEBB',
      },
      position: 'entry 1 (line 3)',
    },
  ])
  t.strictSame(balanceGaps(outcome), ['0 EUR'])
  t.match(messagesOf(outcome), [/counts "000008" records; there are 7/], 'record 4 is not counted')
  t.match(outcome.events[0], {
    kind: 'account',
    account: { iban: 'BE68539007547034', holderName: 'BAKKERIJ DE VOS', currency: 'EUR' },
    statementKey: 'BE68539007547034 101 300524 100',
  })
  t.match(outcome.events[1], { balance: { kind: 'opening', amount: { unscaled: 100, scale: 0 } } })
})

test('a SEPA direct debit: creditor, mandate, communication, reason of its return', async (t) => {
  const fields = [
    '300524',
    '1',
    '1',
    '3',
    'BE12ZZZ0123456789'.padEnd(35),
    'MANDAAT-4711'.padEnd(35),
    'Lidgeld 2024'.padEnd(62),
    '2',
    'MD06',
  ].join('')
  t.equal(fields.length, 146)
  const records = [
    record21(
      1,
      0,
      { minor: -40_000, kind: '0' },
      {
        53: '00503000',
        61: '1',
        62: `127${fields.slice(0, 50)}`,
      },
    ),
    codaRecord('22', { 2: '00010000', 10: fields.slice(50, 103), 112: '2MD06' }),
    codaRecord('23', { 2: '00010000', 82: fields.slice(103) }),
  ]
  const text = codaStatement(records, { opening: 100_000, closing: 60_000, debits: 40_000 })
  const outcome = await readAll(readCoda, text)
  t.strictSame(messagesOf(outcome), [])
  t.match(transactionsOf(outcome).map(plain), [
    {
      amount: '-40',
      type: 'Direct debit: Unpaid debt',
      purpose: 'Lidgeld 2024 Debtor disagrees Return MD06',
      counterpart: { creditorId: 'BE12ZZZ0123456789', mandateReference: 'MANDAAT-4711' },
    },
  ])
})

test('structured communications as text', async (t) => {
  const purposeOf = async (communication: string): Promise<unknown> => {
    const [first, second] = [communication.slice(0, 53), communication.slice(53, 106)]
    const records = [
      record21(1, 0, SALE, { 61: '1', 62: first }),
      codaRecord('22', { 2: '00010000', 10: second }),
    ]
    const outcome = await readAll(readCoda, codaStatement(records, FRAME))
    const { purpose, original, originalCurrency } = plain(
      transactionsOf(outcome)[0] ?? assert.fail(),
    )
    return original === undefined ? purpose : { purpose, original, originalCurrency }
  }
  t.equal(await purposeOf('101000003505158'), '+++000/0035/05158+++')
  t.equal(await purposeOf('102123456789012 en meer'), '+++123/4567/89012+++ en meer')
  t.equal(await purposeOf('101ABC'), 'ABC')
  t.equal(await purposeOf('100RF18539007547034'), 'RF18539007547034')
  t.equal(await purposeOf('103Cheque 1234'), 'Cheque 1234')
  t.equal(await purposeOf('199onbekend   formaat'), 'onbekend formaat')
  t.equal(
    await purposeOf(`1136703XXXXXXXX12341012345000077310524${'14355BAR DE HAVEN'.padEnd(31)}`),
    'card 6703XXXXXXXX1234, terminal 012345, transaction 000077, of 31/05/24, at 14:35, ' +
      'at BAR DE HAVEN',
  )
  const original = ['000000000012500', '000000000013750', '000110000000', 'USD'].join('')
  t.strictSame(await purposeOf(`105${original}`), {
    purpose: 'gross amount 12.5, original amount 13.75, rate 1.1, currency USD',
    original: '13.75',
    originalCurrency: 'USD',
  })
})

test('a batch whose details do not add up stays one transaction', async (t) => {
  const records = [
    record21(1, 0, { minor: 30_000, kind: '1' }, { 124: '1' }),
    record21(1, 1, { minor: 10_000, kind: '5', text: 'eerste' }),
    record21(1, 2, { minor: 19_000, kind: '5', text: 'tweede' }, { 124: '1' }),
  ]
  const frame = { opening: 0, closing: 30_000, credits: 30_000 }
  const outcome = await readAll(readCoda, codaStatement(records, frame))
  t.match(transactionsOf(outcome).map(plain), [
    { amount: '30', purpose: 'eerste (10 EUR) tweede (19 EUR)' },
  ])
  t.strictSame(messagesOf(outcome), [
    'entry 1 (line 3): the details of the batch add up to 29, not to 30; it is kept as one ' +
      'transaction',
  ])
})

test('a batch whose details have the kind of an entry', async (t) => {
  const records = [
    record21(1, 0, { minor: -30_000, kind: '1', text: 'batch' }, { 124: '1' }),
    record21(1, 2, { minor: -10_000, kind: '0', text: 'eerste' }),
    record21(1, 3, { minor: -20_000, kind: '0', text: 'tweede' }, { 124: '1' }),
    record21(2, 0, { minor: -5_000, kind: '0' }),
    record21(2, 1, { minor: -5_000, kind: '0' }),
  ]
  const frame = { opening: 0, closing: -40_000, debits: 40_000 }
  const outcome = await readAll(readCoda, codaStatement(records, frame))
  t.strictSame(messagesOf(outcome), [])
  t.strictSame(balanceGaps(outcome), ['0 EUR'])
  t.match(transactionsOf(outcome).map(plain), [
    { amount: '-10', purpose: 'eerste batch' },
    { amount: '-20', purpose: 'tweede batch' },
    { amount: '-5' },
    { amount: '-5' },
  ])
})

/** Naive twin: what each movement is by the standard, without looking at the order of records. */
function expectedAmounts({ minor, kind, details = [] }: CodaMovement): number[] {
  const first = details.filter((detail) => detail.kind !== '9')
  const isSplit = ['1', '2'].includes(kind) && first.length > 0
  const total = first.reduce((sum, detail) => sum + detail.minor, 0)
  return isSplit && total === minor ? first.map((detail) => detail.minor) : [minor]
}

const MINOR = fc.integer({ min: -99_999_999, max: 99_999_999 })

const MOVEMENT: fc.Arbitrary<CodaMovement> = fc.oneof(
  fc.record({ minor: MINOR, kind: fc.constantFrom('0', '1', '2', '3') }),
  fc
    .record({
      parts: fc.array(MINOR, { minLength: 1, maxLength: 5 }),
      kinds: fc.constantFrom('15', '10', '26', '27', '38'),
      isWrong: fc.boolean(),
      inner: fc.array(MINOR, { maxLength: 2 }),
    })
    .map(({ parts, kinds, isWrong, inner }) => ({
      minor: parts.reduce((sum, part) => sum + part, isWrong ? 1 : 0),
      kind: kinds.charAt(0),
      details: parts.flatMap((minor) => [
        { minor, kind: kinds.charAt(1) },
        ...(kinds === '27' ? inner.map((each) => ({ minor: each, kind: '9' })) : []),
      ]),
    })),
)

test('generated statements are read exactly: rows, sums and balances', async () => {
  await assertProperty(
    fc.asyncProperty(MINOR, fc.array(MOVEMENT, { maxLength: 8 }), async (opening, movements) => {
      const records = movements.flatMap((movement, i) => [
        record21(i + 1, 0, movement),
        ...(movement.details ?? []).map((detail, j) => record21(i + 1, j + 1, detail)),
      ])
      const amounts = movements.map(({ minor }) => minor)
      const sumOf = (some: number[]): number => some.reduce((sum, minor) => sum + minor, 0)
      const frame = {
        opening,
        closing: opening + sumOf(amounts),
        debits: -sumOf(amounts.filter((minor) => minor < 0)),
        credits: sumOf(amounts.filter((minor) => minor > 0)),
      }
      const outcome = await readAll(readCoda, codaStatement(records, frame))
      const found = transactionsOf(outcome).map(({ amount: { unscaled, scale } }) =>
        Math.round((unscaled / 10 ** scale) * 1000),
      )
      assert.deepEqual(
        found,
        movements.flatMap(expectedAmounts).map((minor) => minor || 0),
      )
      assert.deepEqual(balanceGaps(outcome), ['0 EUR'])
      const warnings = messagesOf(outcome).filter((message) => !message.includes('of the batch'))
      assert.deepEqual(warnings, [])
    }),
  )
})

test('two accounts and a repeated statement in one file', async (t) => {
  const sale = codaStatement([record21(1, 0, SALE)], FRAME)
  const other = codaStatement([record21(1, 0, SALE)], {
    ...FRAME,
    old: { 1: '0', 5: '096123456769 USD0BE                  ' },
  })
  const { events } = await readAll(readCoda, sale + other + sale)
  const accounts = events.flatMap((event) => (event.kind === 'account' ? [event] : []))
  t.match(
    accounts.map(({ account }) => account),
    [
      { iban: 'BE68539007547034', currency: 'EUR' },
      { iban: 'BE71096123456769', accountNumber: '096123456769', currency: 'USD' },
      { iban: 'BE68539007547034' },
    ],
  )
  t.equal(accounts[0]?.statementKey, accounts[2]?.statementKey)
  t.not(accounts[0]?.statementKey, accounts[1]?.statementKey)
  const unnumbered = await readAll(readCoda, sale.replace(/101(?=\n21)/, '000'))
  t.notOk('statementKey' in (unnumbered.events[0] ?? {}), 'a number of zeros is no number')
})

test('a statement of a separate application is left out', async (t) => {
  const details = codaStatement([record21(1, 1, { minor: 5_000, kind: '5' })], {
    ...FRAME,
    header: { 83: '00001' },
  })
  const main = codaStatement([record21(1, 0, SALE)], FRAME)
  const both = await readAll(readCoda, details + main)
  t.equal(transactionsOf(both).length, 1)
  t.strictSame(messagesOf(both), [
    'line 5: 1 details of a separate application (00001) are left out: their totals are in the ' +
      'main statement',
  ])
  t.strictSame(balanceGaps(both), ['0 EUR'])
  const alone = await readAll(readCoda, details)
  t.match(alone.error?.message, /import the main statement of the day/)
  const movements = codaStatement([record21(1, 0, SALE)], { ...FRAME, header: { 83: '00001' } })
  const outcome = await readAll(readCoda, movements)
  t.strictSame(messagesOf(outcome), [])
  t.strictSame(balanceGaps(outcome), ['0 EUR'], 'a movement is one, whatever the header says')
  t.equal(transactionsOf(outcome).length, 1)
})

test('faults are refused, and irregularities give warnings', async (t) => {
  const messages = async (records: readonly string[]): Promise<string[]> =>
    messagesOf(await readAll(readCoda, codaStatement(records, FRAME))).filter(
      (message) => !message.includes('record 9'),
    )
  const sale = record21(1, 0, SALE)
  t.match(await messages([record21(1, 0, SALE, { 32: '00000001250O' })]), [
    /^entry 1 \(line 3\), 21 amount: "00000001250O.*expected 15 digits, for example/,
  ])
  t.match(await messages([record21(1, 0, SALE, { 31: '2' })]), [
    /"2" is not a sign; expected 1 for debit/,
  ])
  t.match(await messages([record21(1, 0, SALE, { 53: '0015000X' })]), [/not a transaction code/])
  t.match(await messages([`${sale} en nog meer`]), [/columns may be shifted: "en nog meer"/])
  t.match(await messages([record21(1, 1, { ...SALE, kind: '5' })]), [/is a detail .*expected an/])
  t.match(await messages([codaRecord('29', {}), sale]), [/line 3, record: "29 .*begins no record/])
  t.match(await messages([sale, codaRecord('22', { 2: '0009' })]), [
    /record 22 of 0009 follows no movement/,
  ])
  t.match(await messages([record21(1, 0, SALE, { 115: '310224' })]), [
    /has the booking date "310224"; the value date is taken for it/,
  ])
  t.match(await messages([record21(1, 0, SALE, { 47: '000000', 115: '000000' })]), [
    /has the booking date "000000"; the day of the statement is taken/,
  ])
})

test('an entry has a bound of records, and of texts', async (t) => {
  const more = codaRecord('33', { 2: '0001', 10: 'x'.repeat(90) })
  const text = (count: number): string =>
    codaStatement([record21(1, 0, SALE), ...Array<string>(count).fill(more)], FRAME)
  const { error } = await readAll(readCoda, text(100_001))
  t.match(error?.message, /entry 1 .*more than 100000 records of details/)
  t.match(messagesOf(await readAll(readCoda, text(200))), [/entry 1 .*purpose: is longer than/])
  const details = Array.from({ length: 2_000 }, (_, i) =>
    record21(1, i + 1, { minor: 1_000, kind: '5', text: `detail ${i}` }),
  )
  const batch = (kind: string, between: readonly string[]): string => {
    const frame = { opening: 0, closing: 2_000_000, credits: 2_000_000 }
    const head = record21(1, 0, { minor: 2_000_000, kind })
    return codaStatement([head, ...between, ...details], frame)
  }
  const many = await readAll(readCoda, batch('1', Array<string>(200).fill(more)))
  t.equal(transactionsOf(many).length, 2_000)
  t.match(messagesOf(many), [/the text of the batch is left out: it does not fit into a field/])
  const one = await readAll(readCoda, batch('3', []))
  t.match(messagesOf(one), [/the texts of its 2000 details are left out/])
  t.strictSame([many, one].map(balanceGaps), [['0 EUR'], ['0 EUR']])
})

test('a truncated statement gives a warning, and another file is refused', async (t) => {
  const text = codaStatement([record21(1, 0, SALE)], FRAME)
  const cut = text.split('\n').slice(0, 3).join('\n')
  t.match(messagesOf(await readAll(readCoda, cut)), [/no closing balance .*truncated/])
  t.match((await readAll(readCoda, 'x\n')).error?.message, /contains no CODA statement/)
  t.match(messagesOf(await readAll(readCoda, record21(1, 0, SALE))), [/is in no statement/])
  const noCurrency = text.replace('EUR', '   ')
  t.match(messagesOf(await readAll(readCoda, noCurrency))[0], /specify one, .*--currency EUR/)
  const named = await readAll(readCoda, noCurrency, { currency: 'EUR' })
  t.equal(transactionsOf(named).length, 1)
})

test('version 1 has an address in place of the communication', async (t) => {
  const text = codaStatement(
    [
      record21(1, 0, SALE),
      codaRecord('23', {
        2: '00010000',
        10: '096123456769',
        47: 'SLAGERIJ PEETERS',
        73: 'MARKT 1               2000 ANTWERPEN',
      }),
    ],
    {
      ...FRAME,
      header: { 127: '1' },
      old: { 1: '0', 5: '539007547034 EUR0BE                   ' },
    },
  )
  const outcome = await readAll(readCoda, text)
  t.match(transactionsOf(outcome)[0], {
    purpose: 'FACTUUR 2024-17 MARKT 1 2000 ANTWERPEN',
    counterpart: {
      name: 'SLAGERIJ PEETERS',
      accountNumber: '096123456769',
      iban: 'BE71096123456769',
    },
  })
})

test('files that are cut or mutated end in events or a fault', async () => {
  const records = [
    record21(1, 0, { minor: 30_000, kind: '1' }),
    record21(1, 1, { minor: 10_000, kind: '5', text: 'één' }),
    codaRecord('23', { 2: '00010001', 10: 'BE71096123456769', 47: 'SLAGERIJ PEETERS' }),
    record21(1, 2, { minor: 20_000, kind: '5' }),
  ]
  const text = codaStatement(records, { opening: 0, closing: 30_000, credits: 30_000 })
  await assertCutAnywhere(readCoda, text)
  await assertTruncationNamed(readCoda, text)
  await assertSurvivesMutations(readCoda, Buffer.from(text, 'latin1'), 300)
})

test('columns may be counted in bytes of UTF-8', async (t) => {
  const records = [
    record21(1, 0, { ...SALE, text: 'café, thé et crème brûlée' }),
    codaRecord('22', { 2: '00010000', 10: 'à bientôt', 63: 'E2E-2024-17', 98: 'GEBABEBB' }),
    codaRecord('23', { 2: '00010000', 10: 'BE71096123456769', 47: 'PÂTISSERIE NOËL €', 82: 'là' }),
  ]
  const text = codaStatement(records, { ...FRAME, old: { 64: 'CAFÉ DU CHÂTEAU' } })
  const inBytes = text.replace(/(.+)\n/g, (_, line: string) => {
    const excess = Buffer.byteLength(line) - line.length
    // Blanks give way where the line has most of them, as when a program pads texts in bytes.
    return `${excess === 0 ? line : shortened(line)}\n`
  })
  const expected = (await readAll(readCoda, text)).events
  t.not(inBytes, text)
  t.strictSame((await readAll(readCoda, inBytes)).events, expected)
})

test('a column may end within a character of UTF-8', async (t) => {
  // Columns 62 and 63 are the two bytes of a letter.
  const line = codaRecord('22', { 2: '00010000', 10: 'x' }).replace(/^(.{62})../, '$1é')
  const text = codaStatement([record21(1, 0, SALE), line], FRAME)
  const [only] = transactionsOf(await readAll(readCoda, text))
  t.equal(only?.purpose, 'FACTUUR 2024-17 x é')
  t.notOk(only && 'endToEndReference' in only)
})

/** Removes a blank from the run after each letter that has more than one byte. */
function shortened(line: string): string {
  let result = line
  for (const match of [...line.matchAll(/[^\0-\x7f]/g)].reverse()) {
    const blanks = result.indexOf('  ', match.index)
    const bytes = Buffer.byteLength(match[0]) - 1
    result = result.slice(0, blanks) + result.slice(blanks + bytes)
  }
  return result
}

test('isCoda tests the header', async (t) => {
  const text = codaStatement([], FRAME)
  t.ok(isCoda(text))
  t.ok(isCoda(codaStatement([], { ...FRAME, header: { 16: 'D' } })))
  t.notOk(isCoda(text.replace('05 ', '06 ')))
  t.notOk(isCoda('0000012345678'))
})
