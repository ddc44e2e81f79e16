import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import { isBai2, readBai2 } from '../../../src/statements/bai2/bai2.js'
import { digestOf } from '../../../src/statements/import/digest.js'
import { decimalsOf } from '../../../src/statements/minor-units.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { moreStatements } from '../../fixtures/more-statements.js'
import {
  balanceGaps,
  cuttings,
  messagesOf,
  mutations,
  plain,
  readAll,
  readFile,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

/** The records between the headers of file and group, and trailers without totals. */
function file(records: string, group = '1,240229,2359,USD,2'): string {
  const headers = `01,021,099,240301,0700,1,80,,2/\n02,099,021,${group}/\n`
  return `${headers}${records}\n49,,/\n98,,,/\n99,,,/\n`
}

const ACCOUNT = '03,4711,,010,10000,,,015,8766,,/'

async function entriesOf(records: string, group?: string): Promise<Record<string, unknown>[]> {
  const outcome = await readAll(readBai2, file(records, group))
  return transactionsOf(outcome).map(plain)
}

test('a transaction has its sign by the type code, and all texts', async (t) => {
  const outcome = await readAll(
    readBai2,
    file(
      `${ACCOUNT}\n16,475,1234,V,240302,,BR-77,24108,CHECK PAID, NO. 24108\n` +
        '88,FOR INVOICE 12/3/\n' +
        '16,142,500000,0,,NOTPROVIDED,ACH CREDIT/\n16,920,1,Z,,,OWN CODE/',
    ),
  )
  const usd = { currency: 'USD', booked: '2024-02-29' }
  t.strictSame(outcome.events[0], {
    kind: 'account',
    account: { accountNumber: '4711', currency: 'USD' },
    statementKey: `${digestOf('099,021,1,240229,2359,USD,2')}\n4711,,010,10000,,,015,8766,,`,
  })
  t.strictSame(transactionsOf(outcome).map(plain), [
    {
      ...{ amount: '-12.34', ...usd, valued: '2024-03-02', type: 'Check paid' },
      purpose: 'CHECK PAID, NO. 24108 FOR INVOICE 12/3 BR-77',
      counterpart: { customerReference: '24108' },
      position: 'transaction 1 (line 4)',
    },
    {
      ...{ amount: '5000', ...usd, type: 'ACH credit received', purpose: 'ACH CREDIT' },
      ...{ counterpart: {}, position: 'transaction 2 (line 6)' },
    },
    {
      ...{ amount: '0.01', ...usd, type: 'BAI 920', purpose: 'OWN CODE' },
      ...{ counterpart: {}, position: 'transaction 3 (line 7)' },
    },
  ])
  const balances = outcome.events.flatMap((event) => (event.kind === 'balance' ? event : []))
  t.match(balances, [
    { balance: { kind: 'opening', amount: { unscaled: 100, scale: 0 } } },
    { balance: { kind: 'closing', amount: { unscaled: 8766, scale: 2 } } },
  ])
})

test('a continuation names the end-to-end reference', async (t) => {
  const labelled = '16,447,60000,,SPB99,1111,ACH Credit,Ref: 1111, SPB99\n88,EREF: E-2024/1\n'
  const entries = await entriesOf(
    `${ACCOUNT}\n${labelled}88,DBNM: TEST INC\n` +
      `16,447,1,,,,x\n88,EREF: NOTPROVIDED\n16,447,1,,,,x\n88,EREF: ${'7'.repeat(36)}`,
  )
  t.match(entries[0], {
    ...{ endToEndReference: 'E-2024/1', counterpart: { customerReference: '1111' } },
    purpose: 'ACH Credit,Ref: 1111, SPB99 DBNM: TEST INC',
  })
  t.match(entries[1], { endToEndReference: undefined, purpose: 'x' })
  t.match(entries[2], { endToEndReference: undefined, purpose: `x EREF: ${'7'.repeat(36)}` })
})

test('funds of every type, and a record that continues within its fields', async (t) => {
  const records = [
    '16,115,10000000,S,5000000,4000000/\n88,1000000/\n88,AX13612,B096132,LOCKBOX/\n88,DEPOSIT/',
    '16,115,4,D,2,0,1,1,3,BANK,CUSTOMER,TEXT/',
    '16,195,5,2,,,TWO DAYS/',
    '16,195,6,V,240305,1030,,,WITH A TIME/',
    '16,195,7,,,,NO FUNDS/',
  ]
  const found = await entriesOf(`${ACCOUNT}\n${records.join('\n')}`)
  t.strictSame(
    found.map(({ amount, valued, purpose, counterpart }) => [amount, valued, purpose, counterpart]),
    [
      ['100000', undefined, 'LOCKBOX DEPOSIT AX13612', { customerReference: 'B096132' }],
      ['0.04', undefined, 'TEXT BANK', { customerReference: 'CUSTOMER' }],
      ['0.05', undefined, 'TWO DAYS', {}],
      ['0.06', '2024-03-05', 'WITH A TIME', {}],
      ['0.07', undefined, 'NO FUNDS', {}],
    ],
  )
})

test('several records in a line, and a text over several lines', async (t) => {
  const found = await entriesOf(
    `${ACCOUNT}\n16,142,2500,Z,,,ONE/ 16,142,500,Z,,,TWO 3/ 16, 4\nGOES ON/\n88:AND/ON/`,
  )
  t.strictSame(
    found.map(({ amount, purpose }) => [amount, purpose]),
    [
      ['25', 'ONE'],
      ['5', 'TWO 3/ 16, 4 GOES ON/ 88:AND/ON'],
    ],
  )
})

test('amounts are in the smallest unit of the currency', async (t) => {
  const amounts: [string, string][] = [
    ['JPY', '1234'],
    ['KWD', '1.234'],
    ['EUR', '12.34'],
    ['CLF', '0.1234'],
  ]
  for (const [currency, amount] of amounts) {
    const [entry] = await entriesOf(`03,1,${currency},/\n16,142,1234,,,,x/`)
    t.match(entry, { amount, currency }, currency)
  }
  const [ofGroup] = await entriesOf('03,1,,/\n16,142,1234,,,,x/', '1,240229,,CAD,2')
  t.match(ofGroup, { amount: '12.34', currency: 'CAD' })
  const outcome = await readAll(readBai2, file('03,1,,/\n16,142,1,,,,x/', '1,240229,,,2'))
  t.match(messagesOf(outcome), [
    /USD, the default of BAI2, is assumed; override it with --currency/,
  ])
  const named = await readAll(readBai2, file('03,1,,/\n16,142,1,,,,x/', '1,240229,,,2'), {
    currency: 'JPY',
  })
  t.match(transactionsOf(named).map(plain), [{ amount: '1', currency: 'JPY' }])
  t.strictSame(messagesOf(named), [])
})

test('faults are refused, and irregularities give warnings', async (t) => {
  const one = async (record: string): Promise<string> =>
    messagesOf(await readAll(readBai2, file(`${ACCOUNT}\n${record}`))).join(' ')
  t.match(await one('16,721,1,,,,x/'), /line 4\), type code: "721" has no direction; 100/)
  t.match(await one('16,142,-1,,,,x/'), /amount: "-1" is negative, while type code 142 is a credit/)
  t.match(await one('16,142,1.50,,,,x/'), /"1.50" is not a whole number; .* 1234 for 12.34 USD/)
  t.match(await one('16,142,,,,,x/'), /amount: is missing/)
  t.match(await one('16,142,9999999999999999,,,,x/'), /has more than 15 digits/)
  t.match(await one('16,142,1,V,240230,,,,x/'), /value date: "240230" is not a calendar day/)
  t.match(await one('16,890,,,,,A NOTE/'), /moves no money \(type code 890\), skipped: A NOTE/)
  t.match(await one('16,100,5,,,,x/'), /type code 100 is the code of a total; it is read as one/)
  const group = async (fields: string): Promise<string> =>
    messagesOf(await readAll(readBai2, file(`${ACCOUNT}\n16,142,1,,,,x/`, fields))).join(' ')
  t.match(await group('2,240229,,USD,2'), /02: the group deletes earlier bookings/)
  t.match(await group('3,240229,,USD,2'), /corrects earlier bookings \(status 3\)/)
  t.match(await group('4,240229,,USD,2'), /the group is a test \(status 4\), skipped/)
  t.match(await group('1,240229,,USD,3'), /are not final \(02, state 3\)/)
  const begun = async (fields: string): Promise<unknown> =>
    (await readAll(readBai2, file(ACCOUNT, fields))).events.filter(({ kind }) => kind === 'account')
  t.match(await begun('1,240229,,USD,3'), [{ isInterim: true }])
  t.match(await begun('1,240229,,USD,1'), [{ isInterim: true }])
  t.match(await begun('1,240229,,USD,2'), [{ isInterim: undefined }])
  t.match(await group('1,,,USD,2'), /names no day; the day of the file \(01\) is assumed/)
  const broken = async (text: string): Promise<string> =>
    (await readAll(readBai2, text)).error?.message ?? 'read'
  t.match(await broken(file(ACCOUNT).replace(',2/\n02', ',3/\n02')), /BAI version "3", expected 2/)
  t.match(await broken('01,a,b,240101,,1,,,2/\n99,,,/'), /contains no BAI2 account/)
  t.match(await broken('x,1\n'), /^line 1: "x,1" is not a record; expected for example 01,/)
  t.match(await broken(file('03,,,/')), /names no account; specify it, for example --account/)
  const account = { account: '4711' }
  t.equal((await readAll(readBai2, file('03,,,/'), account)).error, undefined)
})

/** Sums of the real files, counted by a naive scan: the sign by the first digit of the code. */
function naiveSum(text: string): { count: number; cents: bigint } {
  let cents = 0n
  const found = [...text.matchAll(/(?:^|\/ )16,(\d)\d\d,(\d+),/gm)]
  for (const [, digit, amount] of found) {
    cents += Number(digit) < 4 ? BigInt(amount ?? 0) : -BigInt(amount ?? 0)
  }
  return { count: found.length, cents }
}

test('the real files are read completely, and their ledger balances are proved', async (t) => {
  const warnings: Record<string, number> = { 1: 0, 2: 2, 3: 0 }
  for (const { name, bytes } of moreStatements(t, 'moov-io+bai2')) {
    const outcome = await readFile(readBai2, bytes)
    t.ok(isBai2(bytes.toString('latin1', 0, 4_096)), name)
    t.equal(outcome.error, undefined, name)
    const read = transactionsOf(outcome)
    const cents = read.reduce(
      (sum, { amount }) => sum + BigInt(amount.unscaled) * 10n ** BigInt(2 - amount.scale),
      0n,
    )
    t.strictSame({ count: read.length, cents }, naiveSum(bytes.toString('latin1')), name)
    const number = /sample(\d)/.exec(name)?.[1] ?? ''
    if (warnings[number] !== undefined) t.equal(messagesOf(outcome).length, warnings[number], name)
    if (number === '3')
      t.ok(
        balanceGaps(outcome).every((gap) => gap.startsWith('0 ')),
        name,
      )
    t.comment(`${name}: ${read.length} entries, ${messagesOf(outcome).length} warnings`)
  }
})

test('texts that lines and slashes break in the real files are complete', async (t) => {
  const [third, fourth, fifth] = moreStatements(t, 'moov-io+bai2').slice(2)
  if (third === undefined || fourth === undefined || fifth === undefined) return
  const purposes = async (bytes: Buffer): Promise<(string | undefined)[]> =>
    transactionsOf(await readFile(readBai2, bytes)).map(({ purpose }) => purpose)
  t.ok(
    (await purposes(third.bytes)).includes('111111 ACH_SETL 1111111111 111111111111111 1111111111'),
  )
  const [payment] = transactionsOf(await readFile(readBai2, fourth.bytes))
  t.match(payment?.purpose, /EXP; -, SEC: CCD, Client Ref ID: 1111, .* DBNM: TEST INC CACT:/)
  t.equal(payment?.endToEndReference, '1111')
  t.match(
    (await purposes(fifth.bytes)).join('\n'),
    /Client Ref ID: AB\/GS\/TEST0001\/RPBA0001, GS ID/,
  )
  t.match((await purposes(fifth.bytes)).join('\n'), /88:EREF: 07370568132|EREF: 07370568132/)
})

interface Generated {
  readonly type: string
  readonly units: number
  readonly funds: string
  readonly texts: readonly string[]
}

const TEXT = fc.stringMatching(/^[A-Z][A-Z ,.:-]{0,20}[A-Z]$/)

const GENERATED: fc.Arbitrary<Generated> = fc.record({
  type: fc.constantFrom('108', '142', '195', '399', '409', '475', '699', '930', '970'),
  units: fc.integer({ min: 0, max: 10 ** 12 }),
  funds: fc.constantFrom('', 'Z', '0', '1', 'V,240302,', 'V,240302,1200', 'S,1,2,3', 'D,1,0,5'),
  texts: fc.array(TEXT, { maxLength: 3 }),
})

function recordOf({ type, units, funds, texts }: Generated): string[] {
  const [first = '', ...more] = texts
  return [
    `16,${type},${units},${funds},BANK,CUSTOMER,${first}/`,
    ...more.map((text) => `88,${text}/`),
  ]
}

/** A file whose trailers are right, with a statement for each list of entries. */
function written(accounts: readonly (readonly Generated[])[]): string {
  const lines = ['01,021,099,240301,0700,1,80,,2/', '02,099,021,1,240229,2359,USD,2/']
  let groupUnits = 0n
  accounts.forEach((entries, i) => {
    const body = entries.flatMap(recordOf)
    const sum = entries.reduce((units, each) => units + BigInt(each.units), 0n)
    const moved = entries.reduce(
      (units, each) => units + (/^(?:[123]|93)/.test(each.type) ? 1n : -1n) * BigInt(each.units),
      0n,
    )
    const total = 500n + 500n + moved + sum
    groupUnits += total
    lines.push(`03,4711${i},,010,500,,,015,${500n + moved},,/`, ...body)
    lines.push(`49,${total},${body.length + 2}/`)
  })
  lines.push(`98,${groupUnits},${accounts.length},${lines.length}/`)
  lines.push(`99,${groupUnits},1,${lines.length + 1}/`)
  return `${lines.join('\r\n')}\r\n`
}

test('generated files are read exactly, wherever the text is cut', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc
        .array(fc.array(GENERATED, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
        .chain((accounts) =>
          fc.record({ accounts: fc.constant(accounts), pieces: cuttings(written(accounts)) }),
        ),
      async ({ accounts, pieces }) => {
        const outcome = await readAll(readBai2, pieces)
        assert.deepEqual(messagesOf(outcome), [])
        assert.ok(balanceGaps(outcome).every((gap) => gap === '0 USD'))
        const found = transactionsOf(outcome)
        const expected = accounts.flat()
        assert.deepEqual(
          found.map(({ amount, purpose }) => [amount.unscaled * 10 ** (2 - amount.scale), purpose]),
          expected.map(({ type, units, texts }) => [
            units === 0 ? 0 : /^(?:[123]|93)/.test(type) ? units : -units,
            purposeOf(texts),
          ]),
        )
      },
    ),
    { numRuns: 200 },
  )
})

function purposeOf(texts: readonly string[]): string {
  const text = texts.join(' ').replace(/\s+/g, ' ')
  return text.includes('BANK') ? text : `${text} BANK`.trim()
}

test('a changed amount, or a lost record, is a warning', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(GENERATED, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.boolean(),
      async (entries, at, isLost) => {
        const lines = written([entries]).split('\r\n')
        const places = lines.flatMap((line, i) => (line.startsWith('16,') ? [i] : []))
        const place = places[at % places.length] ?? 0
        if (isLost) lines.splice(place, 1)
        else lines[place] = (lines[place] ?? '').replace(/^16,(\d+),(\d+)/, '16,$1,$21')
        const outcome = await readAll(readBai2, lines.join('\r\n'))
        const isChanged = !isLost && / 16,\d+,01?,/.test(` ${lines[place]}`)
        if (!isChanged) assert.match(messagesOf(outcome).join(' '), /trailer|digits|not a record/)
      },
    ),
    { numRuns: 100 },
  )
})

test('mutated files end in an error or in events, and no amount is invented', async (t) => {
  for (const { name, bytes } of moreStatements(t, 'moov-io+bai2')) {
    await assertProperty(
      fc.asyncProperty(mutations(bytes), async (mutated) => {
        const text = Buffer.from(mutated).toString('latin1').replaceAll('\0', ' ')
        const { events, error } = await readAll(readBai2, text)
        if (error !== undefined) assert.ok(error instanceof StatementError)
        for (const { amount, currency } of transactionsOf({ events })) {
          const units = formatAmount(amount.unscaled, amount.scale).replace('-', '').split('.')
          const decimals = decimalsOf(currency)
          const digits = `${units[0]}${(units[1] ?? '').padEnd(decimals, '0')}`
          assert.ok(text.includes(digits.replace(/^0+(?=\d)/, '')), `${name}: ${digits}`)
        }
      }),
      { numRuns: 50 },
    )
  }
})

test('lines and records are bounded', async (t) => {
  const long = `${ACCOUNT}\n16,142,1,,,,${'x'.repeat(1_000_000)}/`
  t.match((await readAll(readBai2, file(long))).error?.message, /^line 4: has more than 1000000/)
  const texts = `88,${'x'.repeat(900_000)}/\n`.repeat(5)
  const { error } = await readAll(readBai2, file(`${ACCOUNT}\n16,142,1,,,,x/\n${texts}`))
  t.match(error?.message, /^line 4, 16: the record has more than 4000000 characters/)
})

test('only the headers of a file and a group begin BAI2', async (t) => {
  t.ok(isBai2(file(ACCOUNT)))
  t.ok(isBai2('01,103,103,220919,2112,4,,,2/   02,103,103,1,220919,2400,USD,2/'))
  t.notOk(isBai2('01,a,b,240101,12,x\n01,a,b,240102,12,x\n'))
  t.notOk(isBai2('Date,Amount\n02,5\n'))
})

test('a header of a file or a group has a limit', async (t) => {
  const long = (line: string): string => `${line}/\n88,${'x'.repeat(4_096)}/\n${ACCOUNT}\n`
  const group = `01,021,099,240301,0700,1,80,,2/\n${long('02,099,021,1,240229')}`
  const outcome = await readAll(readBai2, group)
  t.match(outcome.error?.message, /line 2, 02: the record has more than 4096 characters; check/)
  const { error } = await readAll(readBai2, long('01,021,099,240301,0700,1,80,,2'))
  t.match(error?.message, /line 1, 01: the record has more than 4096 characters/)
})
