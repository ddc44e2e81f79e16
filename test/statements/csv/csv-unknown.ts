import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import type { ReadOptions } from '../../../src/statements/statement.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { eventsIn, statementFiles, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: 'DE89370400440532013000', currency: 'EUR' }

/** The refusal of a file without `--columns`; undefined = it was read. */
async function refusalOf(text: string, options: ReadOptions = OWN): Promise<string | undefined> {
  try {
    await eventsIn(readCsv, text, options)
    return undefined
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return error.message
  }
}

function mappingIn(message: string | undefined): string {
  return /--columns '(.*)'$/u.exec(message ?? '')?.[1] ?? ''
}

/** The rows that a refusal shows. */
function shownIn(message: string): string[] {
  const lines = message.split('\n').filter((line) => line.startsWith('  '))
  return lines
    .map((line) => line.trim())
    .filter(
      (line) => !/^(?:line \d|no row has|if debits have|the file does|without a field)/u.test(line),
    )
}

/** The first rows as the mapping reads them. */
async function readWith(text: string, mapping: string): Promise<string[]> {
  const options = { ...OWN, columns: parseColumns(mapping) }
  const events = await eventsIn(readCsv, text, options)
  const own = events.flatMap((event) => (event.kind === 'account' ? [event.account.iban] : []))
  const account = mapping.includes('accountIban=') ? [`account ${own[0]}`] : []
  const found = transactionsOf(events)
  return found.slice(0, 3).map(({ amount, currency, bookedAt, valuedAt, purpose, counterpart }) => {
    const day = new Date(bookedAt ?? valuedAt ?? 0).toISOString().slice(0, 10)
    const money = `${formatAmount(amount.unscaled, amount.scale)} ${currency}`
    const texts = [counterpart.name, counterpart.iban, purpose]
    const parts = [day, money, ...texts.flatMap((part) => part?.slice(0, 60) ?? []), ...account]
    return parts.join(' | ')
  })
}

/**
 * Rebuilt with other names and numbers, where a known bank's with one column named differently: the
 * layout, the mapping, the first row.
 */
const TABLES: readonly (readonly [name: string, text: string, mapping: string, row: string])[] = [
  [
    'ING Netherlands',
    '"Datum","Naam / Omschrijving","Eigen rekening","Tegenrekening","Code","Af Bij",' +
      '"Bedrag (EUR)","MutatieSoort","Mededelingen"\n' +
      '"20200213","Kosten pakket","NL42INGB0001234567","","DV","Af","2,35","Diversen",' +
      '"1 jan t/m 31 jan Valutadatum: 13-02-2020"\n' +
      '"20200212","J Jansen","NL42INGB0001234567","","OV","Bij","20,00","Overschrijving","Kado"\n',
    'bookingDate=Datum,amount=Bedrag (EUR),direction=Af Bij,accountIban=Eigen rekening,' +
      'type=MutatieSoort,counterpartName=Naam / Omschrijving,purpose=Mededelingen',
    '2020-02-13 | -2.35 EUR | Kosten pakket | 1 jan t/m 31 jan Valutadatum: 13-02-2020 | ' +
      'account NL42INGB0001234567',
  ],
  [
    'Knab',
    'KNAB EXPORT;;;;;;;;\nRekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;' +
      'Tegenrekening nr;Tegenrekeninghouder;Valutadatum;Omschrijving\n' +
      '"NL42KNAB0001234567";"21-06-2019";"EUR";"D";"627,75";"FR1420041010050500013M02606";' +
      '"P Jansen";"22-06-2019";"Tuin"\n' +
      '"NL42KNAB0001234567";"20-06-2019";"EUR";"C";"627,75";"12345678";"M Jansen";' +
      '"20-06-2019";""\n',
    'bookingDate=Transactiedatum,valueDate=Valutadatum,amount=Bedrag,direction=CreditDebet,' +
      'currency=Valutacode,accountIban=Rekeningnummer,counterpartName=Tegenrekeninghouder,' +
      'purpose=Omschrijving',
    '2019-06-21 | -627.75 EUR | P Jansen | Tuin | account NL42KNAB0001234567',
  ],
  [
    'OCBC, a pair of which one is empty in the first rows',
    'Account details for:,Account 111-222\nAvailable Balance,"1,234.56"\n\nTransaction History \n' +
      'Transaction date,Value date,Description,Withdrawals (MYR),Deposits (MYR)\n' +
      '18/04/2018,18/04/2018,DEBIT PURCHASE,6.25,\n17/04/2018,17/04/2018,CASH,60.10,\n',
    'bookingDate=Transaction date,valueDate=Value date,debit=Withdrawals (MYR),' +
      'credit=Deposits (MYR),purpose=Description',
    '2018-04-18 | -6.25 MYR | DEBIT PURCHASE',
  ],
  [
    'Rabobank, three columns of text and amounts with signs',
    '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn",' +
      '"Tegenrekening","Naam tegenpartij","Code","Omschrijving-1","Omschrijving-2"\n' +
      '"NL42RABO0001234567","EUR","RABONL2U","000000000000001234","2018-03-14","2018-03-15",' +
      '"-5,00","+95,00","NL42INGB0001234567","Loterij","cb","Lot 12","voor maart"\n' +
      '"NL42RABO0001234567","EUR","RABONL2U","000000000000001235","2018-03-16","2018-03-16",' +
      '"+50,00","+145,00","3114904483","Loterij","cb","Gewonnen"," "\n',
    'bookingDate=Datum,valueDate=Rentedatum,amount=Bedrag,balanceAfter=Saldo na trn,' +
      'currency=Munt,accountIban=IBAN/BBAN,counterpartName=Naam tegenpartij,' +
      'purpose=Omschrijving-1+Omschrijving-2',
    '2018-03-14 | -5 EUR | Loterij | Lot 12 voor maart | account NL42RABO0001234567',
  ],
  [
    'a table in the preamble',
    'Kontoumsätze;;;;;\nInhaber;Datum von;Datum bis;Art;Kunde;Ort\nErika;01.02.2024;29.02.2024;' +
      'Giro;7;Bonn\n;;;;;\nBuchungstag;Wertstellungstag;Gegenpartei;Zweck;Umsatz;Währung\n' +
      '02.02.2024;02.02.2024;Bäcker;Brot und Butter;-4,20;EUR\n' +
      '05.02.2024;05.02.2024;Amt;Wohngeld;10,00;EUR\n',
    'bookingDate=Buchungstag,valueDate=Wertstellungstag,amount=Umsatz,currency=Währung,' +
      'counterpartName=Gegenpartei,purpose=Zweck',
    '2024-02-02 | -4.2 EUR | Bäcker | Brot und Butter',
  ],
  [
    'a fee that the balances prove',
    'Type,Completed Date,Description,Amount,Fee,Currency,State,Balance\n' +
      'CARD_PAYMENT,2024-01-02 10:00:00,Taxi,-10.00,0.25,EUR,COMPLETED,89.75\n' +
      'TRANSFER,2024-01-03 10:00:00,From Ann,20.00,0.00,EUR,COMPLETED,109.75\n' +
      'CARD_PAYMENT,2024-01-15 10:00:00,Bus,-1.00,0.10,EUR,COMPLETED,108.65\n',
    'bookingDate=Completed Date,amount=Amount,balanceAfter=Balance,fee=Fee,currency=Currency,' +
      'type=Type,purpose=Description,booked=State:COMPLETED',
    '2024-01-02 | -10.25 EUR | Taxi Charges 0.25 EUR',
  ],
  [
    'without a header, with balances that decide which amount is which',
    '02.01.2024;Miete Januar;-500,00;1.500,00\n03.01.2024;Lohn;2.000,00;3.500,00\n',
    'bookingDate=#1,amount=#3,balanceAfter=#4,purpose=#2',
    '2024-01-02 | -500 EUR | Miete Januar',
  ],
  [
    'names that a shell or --columns would take for something else',
    "Date d'opération;A+B;Montant, net\n02.01.2024;Loyer;-5,00\n13.01.2024;Pain;-1,00\n",
    'bookingDate=#1,amount="Montant, net",purpose="A+B"',
    '2024-01-02 | -5 EUR | Loyer',
  ],
]

test('an unknown table is refused with a mapping that reads its first rows', async (t) => {
  for (const [name, text, mapping, row] of TABLES) {
    const message = (await refusalOf(text, { currency: 'EUR' })) ?? ''
    t.equal(mappingIn(message), mapping, name)
    t.equal(shownIn(message)[0], row, name)
    t.strictSame(shownIn(message), await readWith(text, mappingIn(message)), `${name}: as shown`)
    t.match(message, /the fields of --columns are bookingDate, .*direction.*booked.*dateFormat/u)
  }
})

test('a column that cannot be placed is named, and nothing is guessed', async (t) => {
  const cases: [string, RegExp][] = [
    [
      '18.09.2017;HOFER;33,87;O\n19.09.2017;Gehalt;14,00;I\n',
      /column #4 seems to have debit or credit \("o", "i"\).*=#3,direction=#4:O\|I or/u,
    ],
    [
      '18.09.2017;HOFER;;33,87\n19.09.2017;Gehalt;14,00;\n',
      /columns #3 and #4 have one amount a row; specify which are debits: debit=#4,credit=#3 or/u,
    ],
    [
      'Tag;Name;Brutto;Gebühr;Saldo\n18.09.2017;Kunde;100,00;2,50;97,50\n' +
        '19.09.2017;Laden;-6,00;0,00;91,50\n',
      /whether the fees in column Gebühr are in the amounts already/u,
    ],
    [
      '18.09.2017;HOFER;33,87;O\n19.09.2017;Gehalt;14,00;I\n19.09.2017;BILLA;4,00;EUR\n',
      /no amount has a minus, and column #4 may have debit or credit \("O", "I", "EUR"\)/u,
    ],
    ['Tag;Text\n18.09.2017;Brot\n', /no column has amounts; specify which is the amount/u],
    ['Wer;Was;Wann\nich;Brot;gestern\n', /no row below has a date such as 31\.12\.2024/u],
    [
      'Date;Text;Sum\n01/02/2024;Brot;1.50\n',
      /"01\/02\/2024" could be day first or month first .*dateFormat=dmy/u,
    ],
    [
      'Datum;Betrag;Gebühr;Text\n18.09.2017;-5,00;0,10;Brot\n19.09.2017;-6,00;0,20;Salz\n',
      /whether the fees in column Gebühr are in the amounts already; map fee=Gebühr if/u,
    ],
  ]
  for (const [text, message] of cases) t.match(await refusalOf(text), message, text)
})

test('an account and a currency that the file does not name are requested', async (t) => {
  const text = 'Tag;Text;Summe\n18.09.2017;Brot;-1,50\n'
  const missing = await eventsIn(readCsv, text, {}).catch((error: unknown) => String(error))
  t.match(missing, /\n {2}2017-09-18 \| -1\.5 \| Brot\n.*add --account\n.*add --currency\n/u)
  t.notMatch(await refusalOf(text), 'add --')
  const own = 'DE89370400440532013000'
  const named = `Eigene IBAN;Tag;Text;Summe;Saldo\n${own};18.09.2017;Brot;-1,50;8,50\n`
  const message = await eventsIn(readCsv, named, {}).catch((error: unknown) => String(error))
  t.match(message, 'accountIban=Eigene IBAN')
  t.notMatch(message, 'add --account')
})

test('amounts without any minus are reported as credits', async (t) => {
  const message = await refusalOf('Tag;Text;Summe\n18.09.2017;Brot;1,50\n19.09.2017;Salz;2,50\n')
  t.match(message, /\n {2}no row has a minus: all are read as credits\n/u)
})

test('amounts that balances or codes contradict are not read as credits', async (t) => {
  const cases: [string, RegExp][] = [
    [
      'Date,Merchant,Amount,Balance\n2020-01-13,Shop,10.00,90.00\n2020-01-14,Bus,5.00,85.00\n',
      /the balances in column Balance contradict the amounts in column Amount/u,
    ],
    [
      'Date,Text,Kind,Amount,Balance\n2020-01-13,Shop,X,10.00,90.00\n' +
        '2020-01-14,Bus,Y,-5.00,95.00\n2020-01-15,Rent,X,3.00,92.00\n',
      /contradict the amounts .*; if column Kind has debit or credit, map direction=/u,
    ],
    [
      'Datum;Text;Art;Betrag\n13.01.2020;Shop;Lastschrift;12,50\n14.01.2020;Bus;Gutschrift;9,00\n' +
        '15.01.2020;Rent;Dauerauftrag;8,00\n',
      /column Art may have .*direction=Art:Lastschrift\|Gutschrift; if not, .*amount=Betrag alone/u,
    ],
    [
      'Datum;Text;Art;Betrag\n13.01.2020;Shop;Kauf;12,50\n14.01.2020;Bus;Lohn;9,00\n' +
        '15.01.2020;Rent;Kauf;8,00\n',
      /no amount has a minus, and column Art may have debit or credit \("Kauf", "Lohn"\)/u,
    ],
    [
      'Datum;Text;Summe\n13.01.2020;Shop;(12.50)\n14.01.2020;Bus;100.00\n',
      /column Summe has amounts whose sign is in parentheses or letters \("\(12\.50\)"\)/u,
    ],
    [
      'Datum;Text;Summe\n13.01.2020;Shop;12,50 S\n14.01.2020;Bus;9,00 H\n',
      /\("12,50 S"\), which is/u,
    ],
    [
      'Date;Text;Sum\n2020-01-13;Shop;12.50 DR\n2020-01-14;Bus;9.00 CR\n',
      /\("12\.50 DR"\), which is/u,
    ],
  ]
  for (const [text, problem] of cases) {
    const message = (await refusalOf(text)) ?? ''
    t.match(message, problem, text)
    t.notMatch(mappingIn(message), /(?:^|,)amount=/u, text)
  }
})

test('columns of debits and credits are known by their names in many languages', async (t) => {
  const pairs = [
    ['Uscite', 'Entrate'],
    ['Addebiti', 'Accrediti'],
    ['Dare', 'Avere'],
    ['Cargos', 'Abonos'],
    ['Saídas', 'Entradas'],
    ['Obciążenia', 'Uznania'],
    ['Terhelés', 'Jóváírás'],
    ['Uttag', 'Insättning'],
    ['Ut fra konto', 'Inn på konto'],
  ] as const
  for (const [debit, credit] of pairs) {
    const rows = '15.01.2024;;12,50;Visa\n14.01.2024;1.500,00;;Stipendio\n'
    const message = (await refusalOf(`Tag;${credit};${debit};Text\n${rows}`)) ?? ''
    t.match(mappingIn(message), `debit=${debit},credit=${credit},`)
    t.strictSame(shownIn(message)[0], '2024-01-15 | -12.5 EUR | Visa')
  }
})

test('amounts without a minus next to kinds of bookings are never read as credits', async (t) => {
  const header = 'Tag;Verwendungszweck;Umsatz;Vorgang\n'
  const rows = [
    'Auftrag',
    'Überweisungsgutschrift',
    'Kartenzahlung',
    'Dauerauftrag',
    'Zins',
    'Basis',
  ]
  for (let count = 1; count <= rows.length; count += 1) {
    const lines = rows
      .slice(0, count)
      .map((kind, i) => `1${i}.01.2024;Rewe ${i};1${i},50;${kind}\n`)
    const message = (await refusalOf(header + lines.join(''))) ?? ''
    t.match(message, /no amount has a minus, and column Vorgang may have debit or credit/u)
    t.match(message, 'if all are debits, charge=Umsatz alone')
    t.notMatch(mappingIn(message), 'amount=')
  }
})

test('charges of a card are debits without a minus', async (t) => {
  const table =
    'Datum;Text;Betrag\n14.01.2024;Rewe;23,45\n13.01.2024;Zahlung;-150,00\n15.01.2024;DB;9,90\n'
  const message = (await refusalOf(table)) ?? ''
  t.match(message, /\n {2}if debits have no minus, as on cards, map charge= instead of amount=\n/u)
  const mapping = mappingIn(message).replace('amount=', 'charge=')
  t.strictSame(await readWith(table, mapping), [
    '2024-01-14 | -23.45 EUR | Rewe',
    '2024-01-13 | 150 EUR | Zahlung',
    '2024-01-15 | -9.9 EUR | DB',
  ])
  t.throws(() => parseColumns('bookingDate=a,charge=b,credit=c'), /charge .* excludes credit/u)
  t.throws(
    () => parseColumns('bookingDate=a,debit=b'),
    /credits with a minus, as on cards, name it/u,
  )
  const payouts =
    'id,Amount,Created (UTC),Currency,Arrival Date (UTC),Status\n' +
    'po_1,96.80,2024-01-10 10:00,eur,2024-01-12 00:00,paid\n' +
    'po_2,-5.00,2024-01-11 10:00,eur,2024-01-12 00:00,paid\n'
  const paid = transactionsOf(await eventsIn(readCsv, payouts, OWN))
  t.strictSame(
    paid.map(({ amount }) => formatAmount(amount.unscaled, amount.scale)),
    ['-96.8', '5'],
    'a payout that Stripe takes back',
  )
})

test('known words of other languages decide between debit and credit', async (t) => {
  const pairs = [
    ['Withdrawal', 'Deposit'],
    ['Money out', 'Money in'],
    ['Paid out', 'Paid in'],
    ['Obciążenie', 'Uznanie'],
  ] as const
  for (const [debit, credit] of pairs) {
    const rows = `2020-01-13,a,${debit},12.50\n2020-01-14,b,${credit},100.00\n`
    const message = (await refusalOf(`Date,Text,Wat,Amount\n${rows}`)) ?? ''
    t.match(mappingIn(message), /amount=Amount,direction=Wat,/u)
    t.strictSame(shownIn(message), ['2020-01-13 | -12.5 EUR | a', '2020-01-14 | 100 EUR | b'])
  }
})

test('a column of states decides which rows are booked, and is never the purpose', async (t) => {
  const cases: [column: string, texts: string[], filter: string][] = [
    ['State', ['COMPLETED', 'PENDING', 'DECLINED'], 'booked=State:COMPLETED'],
    ['Status', ['gebucht', 'vorgemerkt'], 'booked=Status:gebucht'],
    ['Umsatzstatus', ['Gebucht', 'Vorgemerkt'], 'booked=Umsatzstatus:Gebucht'],
    ['Info', ['Posted', 'Pending'], 'booked=Info:Posted'],
  ]
  for (const [column, texts, filter] of cases) {
    const rows = texts.map((text, i) => `1${i}.01.2020;Huber;-1${i},00;${text}\n`).join('')
    const message = (await refusalOf(`Tag;Payee;Betrag;${column}\n${rows}`)) ?? ''
    t.equal(mappingIn(message), `bookingDate=Tag,amount=Betrag,counterpartName=Payee,${filter}`)
    t.equal(shownIn(message).length, 1, 'only what is booked is read')
  }
  const unknown = 'Tag;Wer;Betrag;Status\n13.01.2020;Huber;-8,00;Xa\n14.01.2020;Meier;-9,00;Xb\n'
  t.match(
    await refusalOf(unknown),
    /column Status seems to have the booked rows \("Xa", "Xb"\).*such as booked=Status:Xa/u,
  )
})

test('an IBAN is the own account only by the name of its column, without --account', async (t) => {
  const iban = 'DE89370400440532013000'
  const bare = `13.01.2020;Huber;${iban};Miete;-800,00\n14.02.2020;Huber;${iban};Miete;-800,00\n`
  const mapping = 'bookingDate=#1,amount=#5,counterpartIban=#3,purpose=#2+#4'
  t.equal(mappingIn(await refusalOf(bare, { currency: 'EUR' })), mapping)
  const rows = `13.01.2020;${iban};HUBRDEFF;Miete;-8,00\n14.02.2020;${iban};HUBRDEFF;Miete;-8,00\n`
  const plain = await refusalOf(`Datum;IBAN;BIC;Hinweis;Betrag\n${rows}`, { currency: 'EUR' })
  t.notMatch(plain, 'accountIban=')
  const own = `Datum;Eigene IBAN;BIC;Hinweis;Betrag\n${rows}`
  t.match(mappingIn(await refusalOf(own, { currency: 'EUR' })), 'accountIban=Eigene IBAN')
  const given = (await refusalOf(own)) ?? ''
  t.notMatch(mappingIn(given), 'accountIban=')
  t.match(given, /\n {2}without a field, so not imported: Eigene IBAN, BIC; a text goes into/u)
})

test('both answers to an open question are named, and so are broken records', async (t) => {
  const day = await refusalOf('Date;Text;Sum\n01/02/2024;Brot;-1.50\n')
  t.match(day, /specify dateFormat=dmy or dateFormat=mdy, for example with/u)
  const mark = await refusalOf('Date;Text;Sum\n2024-01-02;Brot;-1.234\n')
  t.match(mark, /specify decimalMark=comma or decimalMark=point, for example with/u)
  const broken = 'Datum;Text;Betrag\n13.01.2020;Caf"e "Mitte;-5,00\n15.01.2020;ok;-7,00\n'
  t.match(await refusalOf(broken), /\n {2}line 2 would be refused: a quote inside a field/u)
})

test('every dropped text is reported', async (t) => {
  const one = 'Fecha;Concepto;Importe;Divisa\n13/01/2020;Alquiler;-800,00;EUR\n'
  t.match(mappingIn(await refusalOf(one)), 'purpose=Concepto')
  const codes = '18.09.2017;HOFER;33,87;O\n19.09.2017;Gehalt;14,00;I\n19.09.2017;BILLA;4,00;EUR\n'
  t.equal(mappingIn(await refusalOf(codes)), 'bookingDate=#1,purpose=#2', 'codes are no text')
  const short = 'Datum;Text;Betrag\n13.01.2020;a;-5,00\n'
  t.match(mappingIn(await refusalOf(short)), 'purpose=Text')
  const two = 'Tag;Wie;Rede;Betrag\n13.01.2020;Jansen;Kado;-5,00\n14.01.2020;Bakker;Brood;-2,00\n'
  t.match(mappingIn(await refusalOf(two)), 'purpose=Wie+Rede')
})

test('the shown rows are those that the mapping reads, for the real files', async (t) => {
  const root = process.env['KONTOR_MORE_STATEMENTS'] ?? ''
  const more = root === '' ? [] : readdirSync(root).filter((name) => /\.csv$/iu.test(name))
  const files = [
    ...(statementFiles('csv') ?? []),
    ...more.map((name) => ({ name, text: readFileSync(join(root, name), 'latin1') })),
  ]
  if (files.length === 0) return t.comment('no folder of real files is set')
  for (const { name, text } of files) {
    const message = await refusalOf(text)
    if (message === undefined || !message.includes('unknown table')) continue
    t.comment(`${name}: ${message}`)
    if (!message.includes('the mapping below')) continue
    t.strictSame(shownIn(message), await readWith(text, mappingIn(message)), name)
  }
})

/** A table of three rows or more, and what its rows mean. */
const ROW = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  cents: fc.integer({ min: 1, max: 9_999_999 }),
  isDebit: fc.boolean(),
  text: fc.constantFrom('Miete', 'Brot und Salz', 'Rent for May', 'Huur; maart', 'Strom 2024'),
})

const STYLE = fc.record({
  delimiter: fc.constantFrom(';', ',', '\t'),
  isComma: fc.boolean(),
  isIso: fc.boolean(),
  hasHeader: fc.boolean(),
  hasPreamble: fc.boolean(),
  hasBalance: fc.boolean(),
  names: fc.constantFrom<readonly string[]>(
    ['Buchungstag', 'Betrag', 'Soll', 'Haben', 'S/H', 'Verwendungszweck', 'Saldo'],
    ['Date', 'Amount', 'Debit', 'Credit', 'Debit/Credit', 'Details', 'Balance'],
    ['Datum', 'Bedrag', 'Debet', 'Credit', 'Af Bij', 'Omschrijving', 'Saldo na trn'],
  ),
  kind: fc.constantFrom('signed', 'directed', 'pair'),
})

type Row = typeof ROW extends fc.Arbitrary<infer T> ? T : never
type Style = typeof STYLE extends fc.Arbitrary<infer T> ? T : never

function tableOf(rows: readonly Row[], style: Style): string {
  const { delimiter, isComma, isIso, names } = style
  const [date = '', amount = '', debit = '', credit = '', direction = '', text = '', saldo = ''] =
    names
  const money = (cents: number): string => {
    const whole = `${Math.floor(Math.abs(cents) / 100)}`
    const decimals = String(Math.abs(cents) % 100).padStart(2, '0')
    return `${cents < 0 ? '-' : ''}${whole}${isComma ? ',' : '.'}${decimals}`
  }
  const amountNames = { signed: [amount], directed: [amount, direction], pair: [debit, credit] }
  const header = [date, ...amountNames[style.kind], text, ...(style.hasBalance ? [saldo] : [])]
  let balance = 5_000_000_000
  const lines = rows.map(({ day, cents, isDebit, text: words }) => {
    balance += isDebit ? -cents : cents
    const padded = String(day).padStart(2, '0')
    const cells = {
      signed: [money(isDebit ? -cents : cents)],
      directed: [money(cents), isDebit ? 'D' : 'C'],
      pair: isDebit ? [money(cents), ''] : ['', money(cents)],
    }
    return [
      isIso ? `2024-05-${padded}` : `${padded}.05.2024`,
      ...cells[style.kind],
      words,
      ...(style.hasBalance ? [money(balance)] : []),
    ]
  })
  const quoted = [...(style.hasHeader ? [header] : []), ...lines].map((cells) =>
    cells.map((cell) => `"${cell}"`).join(delimiter),
  )
  return `${style.hasPreamble ? `Bank${delimiter}Umsätze\n\n` : ''}${quoted.join('\n')}\n`
}

test('a generated table gets a mapping that reads it correctly, or an ambiguity', async (t) => {
  let mapped = 0
  let ambiguous = 0
  await assertProperty(
    fc.asyncProperty(fc.array(ROW, { minLength: 3, maxLength: 8 }), STYLE, async (rows, style) => {
      const text = tableOf(rows, style)
      const message = (await refusalOf(text)) ?? ''
      if (!message.includes('the mapping below')) {
        ambiguous += 1
        assert.match(message, /not all columns could be placed: \S/u, text)
        const isClear = style.hasHeader && style.kind !== 'pair'
        assert.ok(!isClear, `${text}: ${message}`)
        return
      }
      mapped += 1
      const mapping = mappingIn(message)
      assert.deepEqual(shownIn(message), await readWith(text, mapping), message)
      const options = { ...OWN, columns: parseColumns(mapping) }
      const found = transactionsOf(await eventsIn(readCsv, text, options))
      const expected = rows.map(({ day, cents, isDebit, text: words }) => ({
        day: Date.UTC(2024, 4, day),
        cents: isDebit ? -cents : cents,
        words,
      }))
      const read = found.map(({ amount, bookedAt, purpose }) => ({
        day: bookedAt,
        cents: Math.round((amount.unscaled / 10 ** amount.scale) * 100),
        words: purpose,
      }))
      assert.deepEqual(read, expected, `${text}: ${mapping}`)
    }),
    { numRuns: 300 },
  )
  t.ok(mapped > 100, `${mapped} mapped, ${ambiguous} ambiguous`)
})
