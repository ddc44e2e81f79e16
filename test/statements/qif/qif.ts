import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import { isNotationOnly, parseNotation } from '../../../src/statements/notation-columns.js'
import { isQif, readQif } from '../../../src/statements/qif/qif.js'
import { readQifDay } from '../../../src/statements/qif/qif-notation.js'
import type { ReadOptions } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  cuttings,
  messagesOf,
  mutations,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const OPTIONS: ReadOptions = { account: '4711', currency: 'USD' }

async function found(text: string, options = OPTIONS): Promise<Record<string, unknown>[]> {
  return transactionsOf(await readAll(readQif, text, options)).map(plain)
}

async function said(text: string, options: ReadOptions = OPTIONS): Promise<string> {
  const outcome = await readAll(readQif, text, options)
  return outcome.error?.message ?? messagesOf(outcome).join(' ')
}

test('a record becomes a transaction with all its texts', async (t) => {
  const text =
    '!Type:Bank\nD3/15/2024\nT-1,234.50\nU-1,234.50\nCX\nN1042\nPCity Water\nA1 Main St\n' +
    'AAnytown\nMInvoice 77\nLUtilities:Water\nSUtilities:Water\nEhouse\n$-1,000.00\nSTax\n' +
    '$-234.50\n^\nD3/16/2024\nT5\nNATM\n^\n'
  t.strictSame((await found(text))[0], {
    ...{ amount: '-1234.5', booked: '2024-03-15', currency: 'USD' },
    counterpart: { name: 'City Water', customerReference: '1042' },
    position: 'transaction 1 (line 2)',
    purpose: 'Invoice 77 1 Main St Anytown Utilities:Water house -1,000.00 Tax -234.50',
  })
  t.match((await found(text))[1], { type: 'ATM', counterpart: {} })
})

test('an account is named by the file or the caller', async (t) => {
  const record = 'D3/15/2024\nT-5\nPx\n^\n'
  const file = `!Account\nNChecking\nTBank\n^\n!Type:Bank\n${record}!Account\nNVisa\nTCCard\n^\n`
  const both = `${file}!Type:CCard\n${record}`
  const accountsOf = async (text: string, options: ReadOptions): Promise<unknown[]> =>
    (await readAll(readQif, text, options)).events.flatMap((event) =>
      event.kind === 'account' ? [event.account] : [],
    )
  t.strictSame(await accountsOf(both, { currency: 'USD' }), [
    { accountNumber: 'Checking', currency: 'USD', name: 'Checking' },
    { accountNumber: 'Visa', currency: 'USD', name: 'Visa' },
  ])
  t.strictSame(await accountsOf(file, OPTIONS), [
    { accountNumber: '4711', currency: 'USD', name: 'Checking' },
  ])
  t.match(await said(both), /several accounts \("Checking, Visa"\), and --account names one/)
  t.match(await said(`!Type:Bank\n${record}!Type:CCard\n${record}`), /several accounts/)
  t.match(await said(`!Type:Bank\n${record}`, { currency: 'USD' }), /--account 123456789/)
  t.match(await said(`!Type:Bank\n${record}`, { account: '1' }), /specify it, .*--currency USD/)
  const listed =
    '!Option:AutoSwitch\n!Account\nNOne\n^\nNTwo\n^\n!Clear:AutoSwitch\n!Account\nNOne\n^\n'
  t.strictSame(await accountsOf(`${listed}!Type:Bank\n${record}`, { currency: 'EUR' }), [
    { accountNumber: 'One', currency: 'EUR', name: 'One' },
  ])
})

test('days are read in the order that the file proves, or the caller specifies', async (t) => {
  const file = (...days: string[]): string =>
    `!Type:Bank\n${days.map((day) => `D${day}\nT1\n^\n`).join('')}`
  const days = async (text: string, options = OPTIONS): Promise<unknown[]> =>
    (await found(text, options)).map(({ booked }) => booked)
  t.strictSame(await days(file('3/15/24', '4/5/24')), ['2024-03-15', '2024-04-05'])
  t.strictSame(await days(file('15/3/2024', '4/5/2024')), ['2024-03-15', '2024-05-04'])
  t.strictSame(await days(file('4.5.24')), ['2024-05-04'])
  t.strictSame(await days(file('2024-05-04')), ['2024-05-04'])
  t.strictSame(await days(file("12/31'24", "1/ 1' 5", '12/31/99')), [
    ...['2024-12-31', '2005-01-01', '1999-12-31'],
  ])
  t.match(await said(file('4/5/24')), /line 2, D: "4\/5\/24" could be day first .*dateFormat=mdy$/)
  const columns = parseNotation('dateFormat=dmy') as ReadonlyMap<string, string>
  t.strictSame(await days(file('4/5/24'), { ...OPTIONS, columns }), ['2024-05-04'])
  t.match(await said(file('3/15/24', '15/3/24')), /are dates in two different notations/)
  t.match(
    await said(file('3/15/24', '3/35/24')),
    /transaction 2 .*"3\/35\/24" is not a date; expected/,
  )
  t.equal(readQifDay('1/1/5', 'mdy'), undefined)
  t.equal(readQifDay('1/1/024', 'mdy'), undefined)
  t.strictSame(await days(file('20240504')), ['2024-05-04'])
  t.equal(readQifDay('20240101', 'dmy'), undefined)
})

test('amounts are exact, in the notation that the file proves', async (t) => {
  const file = (...amounts: string[]): string =>
    `!Type:Cash\n${amounts.map((amount) => `D2024-01-31\nT${amount}\n^\n`).join('')}`
  const amounts = async (text: string, options = OPTIONS): Promise<unknown[]> =>
    (await found(text, options)).map(({ amount }) => amount)
  t.strictSame(await amounts(file('1,234.56', '-7', '.5')), ['1234.56', '-7', '0.5'])
  t.strictSame(await amounts(file('1.234,56', '-7,1')), ['1234.56', '-7.1'])
  t.strictSame(await amounts(file('$5.00', '-5.00 USD', '-$1,234.50')), ['5', '-5', '-1234.5'])
  t.strictSame(await amounts(file('-1 234,50', "5'000,00")), ['-1234.5', '5000'])
  t.match(
    await said(file('1,234')),
    /T: "1,234" could have thousands .*--columns decimalMark=comma or decimalMark=point$/,
  )
  const columns = parseNotation('decimalMark=point') as ReadonlyMap<string, string>
  t.strictSame(await amounts(file('1,234'), { ...OPTIONS, columns }), ['1234'])
  t.match(await said(file('1.5', '1,5')), /are amounts in two different notations/)
  t.match(await said(file('12..34')), /T: "12..34" is not a decimal number; expected for example/)
  t.match(await said(file('5.00 EUR')), /"5.00 EUR" is not in USD/)
  t.match(await said('!Type:Bank\nD2024-01-31\nPx\n^'), /T: is missing/)
  t.match(await said('!Type:Bank\nT1\nPx\n^'), /D: is missing; expected for example/)
  t.match(
    await said('!Type:Bank\nD2024-01-31\nT1.5\nU2.5\n^'),
    /U: 2.5 is not the amount of T, 1.5/,
  )
  t.match(
    await said('!Type:Bank\nD2024-01-31\nT1.5\nSa\n$1.0\nSb\n$0.4\n^'),
    /the splits \(\$\) add up to 1.4, the record \(T\) is 1.5/,
  )
})

test('an opening balance is not a booking, and lists and investments are left out', async (t) => {
  const opening = '!Type:Bank\nD1/1/2024\nT100.00\nPOpening Balance\nL[Checking]\n^\n'
  const text = `!Type:Cat\nNFood\nE\n^\n${opening}D1/31/2024\nT-1\nPx\n^\n!Type:Invst\nD1/1/24\n^\n`
  const outcome = await readAll(readQif, text, OPTIONS)
  t.strictSame(
    transactionsOf(outcome).map(({ counterpart }) => counterpart.name),
    ['x'],
  )
  t.match(
    outcome.events.find((event) => event.kind === 'balance'),
    { balance: { kind: 'opening', amount: { unscaled: 100, scale: 0 } } },
  )
  t.strictSame(messagesOf(outcome), [
    'line 15: !Type:Invst is not a register, skipped',
    'line 6: "Opening Balance" 100 USD is read as a balance, not as a booking',
  ])
  t.match(await said('!Type:Cat\nNFood\n^\n'), /no register; expected !Type:Bank/)
})

test('the records that wait for a proof of the notation are bounded', async (t) => {
  const long = `!Type:Bank\n${`D4/5/24\nT1\nM${'x'.repeat(900_000)}\n^\n`.repeat(5)}`
  t.match(await said(`${long}D4/15/24\nT1\n^\n`), /"4\/5\/24" could be day first or month first/)
  const many = `!Type:Bank\n${'D4/5/24\nT1\n^\n'.repeat(1_000)}`
  t.match(await said(`${many}D4/15/24\nT1\n^\n`), /"4\/5\/24" could be day first or month first/)
  const line = `!Type:Bank\nM${'x'.repeat(1_000_000)}\n`
  t.match(await said(line), /^line 2: has more than 1000000 characters/)
  const record = `!Type:Bank\n${`M${'x'.repeat(900_000)}\n`.repeat(5)}`
  t.match(await said(record), /^line 2: the record has more than 4000000 characters without a \^/)
})

test('an amount is not read by a decimal mark that nothing proves', async (t) => {
  const whole = `!Type:Bank\n${'D1/13/2026\nT-1\n^\n'.repeat(1_000)}`
  const read = async (...amounts: string[]): Promise<unknown[]> => {
    const records = amounts.map((text) => `D1/14/2026\nT${text}\n^\n`).join('')
    const { events } = await readAll(readQif, `${whole}${records}`, OPTIONS)
    return events.slice(1_001)
  }
  const message =
    '"-12.500" could have thousands separators or decimals (-1.234,56 or -1,234.56), and the ' +
    'file before it does not decide it; specify it, for example --columns decimalMark=point'
  const amount = (unscaled: number, scale: number) => ({
    ...{ kind: 'transaction', transaction: { amount: { unscaled, scale } } },
  })
  const fault = { position: 'transaction 1001 (line 3002)', field: 'T', message }
  t.match(await read('-12.500', '-2'), [{ kind: 'refused', fault }, amount(-2, 0)])
  t.match(await read('3,50', '-12.500'), [amount(35, 1), amount(-12500, 0)])
  t.match(await read('3.50', '-12.500'), [amount(35, 1), amount(-125, 1)])
})

test('the notation without columns, and the beginning of QIF', async (t) => {
  t.strictSame(
    [...(parseNotation('dateFormat=dmy, decimalMark=comma') ?? [])],
    [
      ...[
        ['dateFormat', 'dmy'],
        ['decimalMark', 'comma'],
      ],
    ],
  )
  for (const text of ['', 'dateFormat=x', 'amount=A', 'dateFormat=dmy,amount=A', 'a=b=c']) {
    t.equal(parseNotation(text), undefined, text)
  }
  t.ok(isNotationOnly(new Map([['dateFormat', 'dmy']])))
  t.notOk(isNotationOnly(new Map([['amount', 'A']])))
  for (const text of ['!Type:Bank\n', '!account\n', '!Option:MDY', '!Clear:']) t.ok(isQif(text))
  t.notOk(isQif('!important\n'))
})

const TEXT = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .,:/+-]{0,20}[A-Za-z0-9]$/)

interface Generated {
  readonly day: number
  readonly units: number
  readonly payee: string
  readonly memo: string
}

const GENERATED: fc.Arbitrary<Generated> = fc.record({
  day: fc.integer({
    min: Date.UTC(1970, 0, 1) / 86_400_000,
    max: Date.UTC(2069, 11, 31) / 86_400_000,
  }),
  units: fc.integer({ min: -(10 ** 11), max: 10 ** 11 }),
  payee: TEXT,
  memo: TEXT,
})

function written(entries: readonly Generated[], order: string, decimalMark: string): string {
  const [thousands, mark] = decimalMark === 'comma' ? ['.', ','] : [',', '.']
  const records = entries.map(({ day, units, payee, memo }) => {
    const [year = '', month = '', of = ''] = new Date(day * 86_400_000)
      .toISOString()
      .slice(0, 10)
      .split('-')
    const parts = order === 'dmy' ? [of, month] : [month, of]
    const digits = String(Math.abs(units)).padStart(3, '0')
    const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, thousands)
    const amount = `${units < 0 ? '-' : ''}${whole}${mark}${digits.slice(-2)}`
    return `D${parts.join('/')}/${year}\nT${amount}\nP${payee}\nM${memo}\n^\n`
  })
  return `!Type:Bank \n${records.join('')}`
}

test('generated files are read exactly, wherever the text is cut', async () => {
  const orders = fc.constantFrom('dmy', 'mdy')
  const marks = fc.constantFrom('comma', 'point')
  await assertProperty(
    fc.asyncProperty(
      fc
        .tuple(fc.array(GENERATED, { minLength: 1, maxLength: 20 }), orders, marks)
        .chain(([entries, order, mark]) =>
          fc.tuple(
            fc.constant(entries),
            cuttings(written(entries, order, mark)),
            fc.constant(parseNotation(`dateFormat=${order}`) as ReadonlyMap<string, string>),
          ),
        ),
      async ([entries, pieces, columns]) => {
        const outcome = await readAll(readQif, pieces, { ...OPTIONS, columns })
        assert.deepEqual(messagesOf(outcome), [])
        assert.deepEqual(
          transactionsOf(outcome).map((each) => [
            (each.bookedAt ?? 0) / 86_400_000,
            formatAmount(each.amount.unscaled, each.amount.scale),
            each.counterpart.name,
            each.purpose,
          ]),
          entries.map(({ day, units, payee, memo }) => [
            day,
            formatAmount(units, 2),
            payee.replace(/ +/g, ' '),
            memo.replace(/ +/g, ' '),
          ]),
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('mutated files end in an error or in events', async () => {
  const entries = [
    { day: 19_800, units: -123_456, payee: 'City Water', memo: 'Invoice 77' },
    { day: 19_812, units: 5, payee: 'Payer', memo: 'x' },
  ]
  const bytes = Buffer.from(written(entries, 'mdy', 'point'))
  await assertProperty(
    fc.asyncProperty(mutations(bytes), async (mutated) => {
      const { events } = await readAll(readQif, Buffer.from(mutated).toString('latin1'), OPTIONS)
      for (const { bookedAt } of transactionsOf({ events })) assert.ok(bookedAt !== undefined)
    }),
    { numRuns: 200 },
  )
})
