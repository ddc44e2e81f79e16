import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import { CSV_FIELDS } from '../../../src/statements/csv/csv-profile.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  cutAt,
  eventsIn,
  faultsOf,
  mutated,
  sumOf,
  transactionsOf,
} from '../../fixtures/statement-texts.js'

const OWN = { account: 'DE89370400440532013000', currency: 'EUR' }
const ENGLISH = 'Date,Description,Amount,Currency\n'

async function faultOf(text: string, options: ReadOptions = OWN): Promise<string> {
  try {
    await eventsIn(readCsv, text, options)
    return 'read'
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return error.message
  }
}

function columns(text: string): ReadOptions {
  return { ...OWN, columns: parseColumns(text) }
}

test('--columns reads any table, with any delimiter, below any preamble', async (t) => {
  const rows: [string, string, string][] = [
    ['Wann', 'Wieviel', 'Was'],
    ['31.12.2023', '-1.234,50', 'Miete'],
    ['01.01.2024', '5,00', 'Zins'],
  ]
  const options = columns('bookingDate=Wann,amount=wieviel,purpose=Was')
  for (const delimiter of [';', ',', '\t']) {
    const table = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n')
    const found = transactionsOf(await eventsIn(readCsv, `Meine Bank\r\n\r\n${table}`, options))
    t.equal(sumOf(found), '-1229.5', JSON.stringify(delimiter))
    t.strictSame(found[1], {
      amount: { unscaled: 5, scale: 0 },
      currency: 'EUR',
      counterpart: {},
      position: 'line 5',
      bookedAt: Date.UTC(2024, 0, 1),
      purpose: 'Zins',
    })
  }
})

test('every field of a transaction can be mapped', async (t) => {
  const fields = CSV_FIELDS.filter((field) => !['charge', 'debit', 'credit'].includes(field))
  const values: Readonly<Record<string, string>> = {
    bookingDate: '2024-01-13',
    valueDate: '2024-01-14',
    amount: '-1.50',
    currency: 'CHF',
    counterpartIban: 'de02 1203 0000 0000 2020 51',
    counterpartBic: 'BYLADEM1001',
    originalAmount: '-1.60',
    originalCurrency: 'usd',
    accountIban: 'CH9300762011623852957',
    paypalFee: '-0.1',
    paypalNet: '-1.4',
    direction: 'D',
    fee: '0.00',
    balanceAfter: '-7.5',
  }
  const mapping = fields.map((field) => `${field}=c-${field}`).join(',')
  const header = fields.map((field) => `c-${field}`).join(';')
  const row = fields.map((field) => values[field] ?? `v-${field}`).join(';')
  const events = await eventsIn(readCsv, `${header}\n${row}\n`, columns(mapping))
  t.strictSame(events, [
    {
      kind: 'account',
      account: { accountNumber: 'v-accountNumber', iban: 'CH9300762011623852957' },
    },
    {
      kind: 'transaction',
      transaction: {
        amount: { unscaled: -15, scale: 1 },
        currency: 'CHF',
        counterpart: {
          accountNumber: 'v-counterpartAccountNumber',
          name: 'v-counterpartName',
          iban: 'DE02120300000000202051',
          bic: 'BYLADEM1001',
          mandateReference: 'v-mandateReference',
          creditorId: 'v-creditorId',
          customerReference: 'v-customerReference',
        },
        position: 'line 2',
        balanceAfter: { unscaled: -75, scale: 1 },
        originalAmount: { unscaled: -16, scale: 1 },
        originalCurrency: 'USD',
        purpose: 'v-purpose',
        bookedAt: Date.UTC(2024, 0, 13),
        valuedAt: Date.UTC(2024, 0, 14),
        type: 'v-type',
        endToEndReference: 'v-endToEndReference',
        primanota: 'v-primanota',
        paypal: {
          invoiceNumber: 'v-paypalInvoiceNumber',
          fee: { unscaled: -1, scale: 1 },
          net: { unscaled: -14, scale: 1 },
        },
      },
    },
  ])
})

test('the text of --columns is parsed, and an error in it is named', async (t) => {
  t.strictSame(
    [...parseColumns('bookingDate = Datum , amount="Betrag, ""netto"" = x",currency=Währung#2')],
    [
      ['bookingDate', 'Datum'],
      ['amount', '"Betrag, ""netto"" = x"'],
      ['currency', 'Währung#2'],
    ],
  )
  const wrong: [string, RegExp][] = [
    ['', /name the column of bookingDate or valueDate/u],
    ['bookingDate=a', /name the column of amount, or those of debit and credit/u],
    ['bookingDate=a,debit=b', /debit and credit/u],
    ['bookingDate=a,betrag=b', /unknown field betrag; the fields are bookingDate, valueDate/u],
    ['bookingDate=a,bookingDate=b', /bookingDate is given twice/u],
    ['bookingDate=,amount=b', /bookingDate names no column/u],
    ['Datum', /cannot read "Datum"; write --columns "bookingDate=Datum,amount=Betrag"/u],
    ['bookingDate=a,amount=b,dateFormat=dd', /dateFormat must be one of dmy, mdy, ymd/u],
    ['bookingDate=a,amount=b,decimalMark=.', /decimalMark must be one of comma, point/u],
  ]
  for (const [text, message] of wrong) {
    t.throws(() => parseColumns(text), { name: 'CommandError', kind: 'usage', message }, text)
  }
})

test('an unknown header is refused with its columns and a --columns that works', async (t) => {
  const text = 'Konto X\n\nWann;"Was, genau";Wieviel\n31.12.2023;Miete für Dezember;-5,00\n'
  const message = await faultOf(text)
  t.match(message, /^line 3: unknown table with the columns "Wann", "Was, genau", "Wieviel"; /u)
  const example = /--columns '(.*)'$/u.exec(message)?.[1] ?? ''
  t.equal(example, 'bookingDate=Wann,amount=Wieviel,purpose="Was, genau"')
  t.equal(sumOf(transactionsOf(await eventsIn(readCsv, text, columns(example)))), '-5')
  t.match(
    await faultOf(text, columns('bookingDate=Datum,amount=Wieviel')),
    /^line 3: no header line has the column "Datum" that --columns names; found "Wann"/u,
  )
  t.match(await faultOf('only\nwords\n'), /no table found: expected a header line/u)
  t.match(await faultOf(' \r\n'), /^line 1: the file is empty/u)
})

test('account and currency come from the file, else from the caller', async (t) => {
  const text = 'Date,Amount,Account,Counterparty,Name,Description\n2024-01-13,1.50,,,A,b\n'
  t.match(await faultOf(text, { account: '7' }), /^line 2: .* for example --currency EUR$/u)
  t.match(
    await faultOf(`${ENGLISH}2024-01-13,a,1.50,EUR\n`, {}),
    /--account DE89370400440532013000$/u,
  )
  t.match(faultsOf(await eventsIn(readCsv, text, { currency: 'EUR' })), [
    { position: 'line 2', field: 'Account', message: 'names no own account' },
  ])
  const named = '1.50,NL26BUNQ2025126409,,A,b\n'
  const two = `${text}2024-01-14,${named}2024-01-15,${named}`
  const kinds = await eventsIn(readCsv, two, OWN)
  t.strictSame(
    kinds.map((event) => (event.kind === 'account' ? event.account.iban : event.kind)),
    [OWN.account, 'transaction', 'NL26BUNQ2025126409', 'transaction', 'transaction'],
    'an account starts where it changes',
  )
  const wrong = await eventsIn(readCsv, `${ENGLISH}2024-01-13,a,1.50,Euro\n`, OWN)
  t.match(faultsOf(wrong), [
    { field: 'Currency', message: '"EURO" is not a currency code such as EUR' },
  ])
  const unit = columns('bookingDate=d,amount=Betrag (EUR)')
  const other = await eventsIn(readCsv, 'd;Betrag (EUR)\n2024-01-13;5,00 USD\n', unit)
  t.match(faultsOf(other), [{ field: 'Betrag (EUR)', message: '"5,00 USD" is not in EUR' }])
})

test('dates and amounts are inferred from evidence, and never guessed', async (t) => {
  const read = async (rows: string): Promise<string> => {
    const message = await faultOf(`Date;Description;Amount;Currency\n${rows}`)
    if (message !== 'read') return message
    const found = transactionsOf(
      await eventsIn(readCsv, `Date;Description;Amount;Currency\n${rows}`, OWN),
    )
    return found.map(({ bookedAt }) => new Date(bookedAt ?? 0).toISOString().slice(0, 10)).join()
  }
  t.equal(await read('01/02/2024;a;1.5;EUR\n13/02/2024;a;1.5;EUR\n'), '2024-02-01,2024-02-13')
  t.equal(await read('01/02/2024;a;1.5;EUR\n02/13/2024;a;1.5;EUR\n'), '2024-01-02,2024-02-13')
  t.match(
    await read('01/02/2024;a;1.5;EUR\n'),
    /^line 2, Date: "01\/02\/2024" could be day first or month first .*the rest of the file/u,
  )
  t.match(
    await read('13/02/2024;a;1.5;EUR\n02/13/2024;a;1.5;EUR\n'),
    /^line 3, Date: .*two different notations/u,
  )
  t.match(
    await read('2024-01-13;a;1.234;EUR\n'),
    /^line 2, Amount: "1\.234" could have thousands separators or decimals/u,
  )
  t.match(
    await read('2024-01-13;a;1.5;EUR\n2024-01-13;a;1,5;EUR\n'),
    /Amount: .*two different notations/u,
  )
  const message = await read('01/02/2024;a;1.5;EUR\n')
  const example = /--columns '(.*)'$/u.exec(message)?.[1] ?? ''
  t.equal(
    example,
    'bookingDate=Date,amount=Amount,currency=Currency,purpose=Description,dateFormat=dmy',
  )
  const said = `Date;Description;Amount;Currency\n01/02/2024;a;1.5;EUR\n`
  const found = transactionsOf(await eventsIn(readCsv, said, columns(example)))
  t.equal(found[0]?.bookedAt, Date.UTC(2024, 1, 1), "the message's own example settles it")
  const marked = columns('bookingDate=Date,amount=Amount,decimalMark=comma')
  const whole = 'Date;Amount\n2024-01-13;1.234\n'
  t.equal(sumOf(transactionsOf(await eventsIn(readCsv, whole, marked))), '1234')
})

test('debit or credit is filled, and debits keep the sign of the file', async (t) => {
  const options = columns('bookingDate=d,debit=Soll,credit=Haben')
  const read = (rows: string) => eventsIn(readCsv, `d;Soll;Haben\n${rows}`, options)
  const row = (cells: string): string => `2024-01-13;${cells}\n`
  t.equal(sumOf(transactionsOf(await read(row('1,50;') + row(';2,00')))), '0.5')
  t.equal(sumOf(transactionsOf(await read(row('-1,50;') + row(';2,00')))), '0.5')
  t.equal(sumOf(transactionsOf(await read(row('1,50;0,00') + row('0,00;2,00')))), '0.5')
  t.match(
    await faultOf(`d;Soll;Haben\n${row('1,50;')}${row('-2,50;')}`, options),
    /Soll: .*two different notations/u,
  )
  t.match(faultsOf(await read(row('1,50;2,00'))), [
    { position: 'line 2', field: 'Soll', message: 'has a value, and so has the credit column' },
  ])
  t.match(faultsOf(await read(row(';'))), [{ field: 'Soll', message: 'has no amount' }])
})

test('a bad record is refused with line, column and text; the others are read', async (t) => {
  const cases: [string, string | undefined, RegExp][] = [
    [
      '2024-02-30,a,1.50,EUR',
      'Date',
      /^"2024-02-30" is not a calendar day; expected for example 2024-12-31$/u,
    ],
    [',a,1.50,EUR', 'Date', /^has no date$/u],
    ['2024-01-13,a,12..34,EUR', 'Amount', /^"12\.\.34" is not a decimal .* example -1,234\.56$/u],
    ['2024-01-13,a,,EUR', 'Amount', /^has no amount$/u],
    ['2024-01-13,a,1.2345678,EUR', 'Amount', /has more than 5 decimals/u],
    [
      '2024-01-13,a,1.50',
      undefined,
      /^has 3 columns, expected 4; found "2024-01-13 \| a \| 1\.50"/u,
    ],
    ['2024-01-13,a,1,50,EUR', undefined, /^has 5 columns, expected 4/u],
    [`2024-01-13,${'x'.repeat(10_001)},1.50,EUR`, 'Description', /longer than 10000 characters/u],
  ]
  for (const [row, field, message] of cases) {
    const good = '2024-01-13,good,2.50,EUR\n'
    const text = `${ENGLISH}${good}"2024-01-14","two\nlines",1.50,EUR\n\n${row}\n${good}`
    const events = await eventsIn(readCsv, text, OWN)
    t.equal(transactionsOf(events).length, 3, row.slice(0, 40))
    t.equal(faultsOf(events).length, 1)
    t.equal(faultsOf(events)[0]?.position, 'line 6', 'the physical line')
    t.equal(faultsOf(events)[0]?.field, field)
    t.match(faultsOf(events)[0]?.message, message)
  }
  const blanks = await eventsIn(readCsv, `${ENGLISH}2024-01-13,a,1.50,EUR,,\n`, OWN)
  t.equal(transactionsOf(blanks).length, 1, 'blank cells at the end are ignored')
})

test('broken quoting refuses one record with its line, and the others are read', async (t) => {
  const row = '2024-01-13,a,1.50,EUR\n'
  const cases: [string, RegExp][] = [
    ['2024-01-13,"a,1.50,EUR', /^a quoted field .* has no closing quote/u],
    ['2024-01-13,"a"b,1.50,EUR', /^a quote inside a field; .* must be doubled/u],
    ['2024-01-13,a"b,1.50,EUR', /^a quote inside a field/u],
    ['2024-01-13",a,1.50,EUR', /^a quote inside a field/u],
  ]
  for (const [broken, message] of cases) {
    const events = await eventsIn(readCsv, `${ENGLISH}${row}${broken}\n${row}${row}`, OWN)
    t.match(faultsOf(events), [{ position: 'line 3', message }], broken)
    const positions = transactionsOf(events).map(({ position }) => position)
    t.strictSame(positions, ['line 2', 'line 4', 'line 5'], broken)
  }
  const header = 'Date,"Description,Amount,Currency\n'
  t.match(await faultOf(`${header}${row}`), /^line 1: /u)
})

test('an amount is not read by a decimal mark that nothing proves', async (t) => {
  const whole = '2024-01-13,a,1,EUR\n'.repeat(1_000)
  const read = async (...amounts: string[]): Promise<readonly StatementEvent[]> => {
    const rows = amounts.map((text) => `2024-01-14,b,"${text}",EUR\n`).join('')
    return eventsIn(readCsv, `${ENGLISH}${whole}${rows}`, OWN)
  }
  const amountsOf = (events: readonly StatementEvent[]) =>
    transactionsOf(events.slice(1_001)).map(({ amount }) => amount)
  const unclear = await read('-12.500', '-2')
  t.match(faultsOf(unclear), [
    { position: 'line 1002', message: /^"-12\.500" could have thousands .*decimalMark=comma'$/u },
  ])
  t.match(amountsOf(unclear), [{ unscaled: -2 }])
  const comma = [
    { unscaled: 35, scale: 1 },
    { unscaled: -12_500, scale: 0 },
  ]
  t.match(amountsOf(await read('3,50', '-12.500')), comma)
  const point = [
    { unscaled: 35, scale: 1 },
    { unscaled: -125, scale: 1 },
  ]
  t.match(amountsOf(await read('3.50', '-12.500')), point)
})

test('hostile lines are a StatementError with the line', async (t) => {
  const row = '2024-01-13,a,1.50,EUR\n'
  const cases: [string, RegExp][] = [
    [`${ENGLISH}${row}2024-01-13,a\0,1.50,EUR\n`, /^line 3: a NUL character/u],
    [`${ENGLISH}${row}${'x'.repeat(1_000_001)}`, /^line 3: longer than the maximum of 1000000/u],
  ]
  for (const [text, message] of cases) t.match(await faultOf(text), message)
  const long = await eventsIn(readCsv, `${ENGLISH}"${`${'x'.repeat(1_000)}\n`.repeat(1_100)}`, OWN)
  t.match(faultsOf(long)[0], { position: 'line 2', message: /^a record longer than 1000000/u })
  t.equal(transactionsOf(long).length, 0)
  t.equal(await faultOf(`${ENGLISH}"2024-01-13" , "a ""b""" ,1.50,EUR\n`), 'read', 'blanks around')
})

test('a file is streamed, not collected first', async (t) => {
  const total = 400
  let pulled = 0
  const source = async function* (): AsyncGenerator<string> {
    yield 'Date,Amount,Account,Counterparty,Name,Description\r\n'
    for (; pulled < total; pulled += 1) {
      yield '2024-01-13,1.50,NL26BUNQ2025126409,,A,some words of text\r\n'.repeat(100)
    }
  }
  let first: number | undefined
  let count = 0
  for await (const batch of readCsv(source(), OWN)) {
    first ??= pulled
    count += batch.length
    t.ok(batch.length < 2_100, 'batches are bounded')
  }
  t.equal(count, total * 100 + 1)
  t.ok((first ?? total) < total / 2, `the first batch came after ${first} of ${total} pieces`)
})

test('the source is released when reading ends early', async (t) => {
  let released = 0
  const source = async function* (text: string): AsyncGenerator<string> {
    try {
      for (;;) yield text
    } finally {
      released += 1
    }
  }
  await t.rejects(
    eventsIn(() => readCsv(source('a;b\n'), OWN), ''),
    { name: 'StatementError' },
  )
  t.equal(released, 1, 'after an error')
  for await (const batch of readCsv(source(`${ENGLISH}2024-01-13,a,1.50,EUR\n`), OWN)) {
    if (batch.length > 0) break
  }
  t.equal(released, 2, 'after a break')
})

const SAMPLE =
  'Konto;DE89370400440532013000\r\n\r\n"Wann";"Was";"Wieviel"\r\n' +
  '13.01.2024;"Ä 🚀 ""Zitat""; und\r\nneue Zeile";-1.234,50\r\n14.01.2024;Text;5,00\r\n'
const SAMPLE_OPTIONS = columns('bookingDate=Wann,amount=Wieviel,purpose=Was')

test('chunk boundaries do not matter', async (t) => {
  const whole = await eventsIn(readCsv, SAMPLE, SAMPLE_OPTIONS)
  t.equal(transactionsOf(whole)[0]?.purpose, 'Ä 🚀 "Zitat"; und neue Zeile')
  t.equal(transactionsOf(whole)[1]?.position, 'line 6')
  await assertProperty(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (places) => {
      assert.deepEqual(await eventsIn(readCsv, cutAt(SAMPLE, places), SAMPLE_OPTIONS), whole)
    }),
    { numRuns: 150 },
  )
  t.strictSame(
    await eventsIn(readCsv, [...SAMPLE], SAMPLE_OPTIONS),
    whole,
    'character by character',
  )
})

test('a mutated file is read, refused in part, or a StatementError', async (t) => {
  const added = fc.constantFrom('', '"', ';', ',', '\n', '\r', '\0', '-', '.', '0', 'x', '€')
  const mutation = fc.record({ at: fc.nat(), removed: fc.nat({ max: 20 }), added })
  let read = 0
  let refused = 0
  await assertProperty(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const fault = await faultOf(mutated(SAMPLE, mutations), SAMPLE_OPTIONS)
      if (fault === 'read') read += 1
      else refused += 1
    }),
    { numRuns: 600 },
  )
  t.ok(read > 0 && refused > 0, `${read} mutated files could still be read, ${refused} not`)
})
