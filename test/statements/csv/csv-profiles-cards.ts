import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, OWN, OWN_ACCOUNT, shown } from '../../fixtures/csv-samples.js'
import { eventsIn, faultsOf, transactionsOf } from '../../fixtures/statement-texts.js'

const CARDS: readonly CsvSample[] = [
  {
    profile: 'DKB Visa',
    text:
      '"Karte";"Visa Kreditkarte";"4930 •••• •••• 1234"\n""\n' +
      '"Saldo vom 07.08.2026:";"-263,58 EUR"\n""\n' +
      '"Belegdatum";"Wertstellung";"Status";"Beschreibung";"Umsatztyp";"Betrag (€)";' +
      '"Fremdwährungsbetrag"\n' +
      '"02.08.26";"03.08.26";"Gebucht";"Laden GmbH";"Onlinezahlung";"-72,65";""\n' +
      '"22.07.26";"23.07.26";"Gebucht";"Ausgleich Kreditkarte";"Lastschrift";"1.845,2";""\n' +
      '"20.07.26";"";"Vorgemerkt";"Spätkauf";"Onlinezahlung";"-14,30";""\n' +
      '"16.07.26";"17.07.26";"Gebucht";"TAXI MX";"Onlinezahlung";"-8,91";"-189,91 MX$"\n' +
      '"15.07.26";"16.07.26";"Gebucht";"US SHOP";"Onlinezahlung";"-30";"-35,10 USD"\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-72.65',
        currency: 'EUR',
        booked: '2026-08-02',
        valued: '2026-08-03',
        type: 'Onlinezahlung',
        purpose: 'Laden GmbH',
        counterpart: {},
      },
      {
        amount: '1845.2',
        currency: 'EUR',
        booked: '2026-07-22',
        valued: '2026-07-23',
        type: 'Lastschrift',
        purpose: 'Ausgleich Kreditkarte',
        counterpart: {},
      },
      {
        amount: '-8.91',
        currency: 'EUR',
        booked: '2026-07-16',
        valued: '2026-07-17',
        type: 'Onlinezahlung',
        purpose: 'TAXI MX -189,91 MX$',
        counterpart: {},
      },
      {
        amount: '-30',
        currency: 'EUR',
        booked: '2026-07-15',
        valued: '2026-07-16',
        type: 'Onlinezahlung',
        purpose: 'US SHOP',
        counterpart: {},
        originalAmount: '-35.1',
        originalCurrency: 'USD',
      },
    ],
    warnings: [/^not booked \(Status: Vorgemerkt\)/u],
  },
  {
    profile: 'DKB Visa',
    text:
      '"Karte";"Visa Kreditkarte";"4998 •••• •••• 1234"\n' +
      '"Belegdatum";"Wertstellung";"Status";"Beschreibung";"Umsatztyp";"Betrag";' +
      '"Fremdwährungsbetrag"\n' +
      '"20.12.24";"20.12.24";"Gebucht";"Kartenpreis";"Entgelt";"-2,49 €";""\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-2.49',
        currency: 'EUR',
        booked: '2024-12-20',
        valued: '2024-12-20',
        type: 'Entgelt',
        purpose: 'Kartenpreis',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'DKB Visa until 2023',
    text:
      '"Kreditkarte:";"1111********9999";\n\n"Von:";"01.01.2020";\n"Bis:";"31.01.2020";\n' +
      '"Saldo:";"108.39 EUR";\n"Datum:";"29.02.2020";\n\n' +
      '"Umsatz abgerechnet und nicht im Saldo enthalten";"Wertstellung";"Belegdatum";' +
      '"Beschreibung";"Betrag (EUR)";"Ursprünglicher Betrag";\n' +
      '"Ja";"01.02.2020";"30.01.2020";"SHOP.COM 7899877898";"-12,72";"-14,99 USD";\n' +
      '"Nein";"30.01.2020";"28.01.2020";"Markt";"-4,01";"";\n' +
      '"Ja";"23.01.2020";"23.01.2020";"Einzahlung";"1.200,00";"";\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-12.72',
        currency: 'EUR',
        booked: '2020-01-30',
        valued: '2020-02-01',
        purpose: 'SHOP.COM 7899877898',
        counterpart: {},
        originalAmount: '-14.99',
        originalCurrency: 'USD',
      },
      {
        amount: '-4.01',
        currency: 'EUR',
        booked: '2020-01-28',
        valued: '2020-01-30',
        purpose: 'Markt',
        counterpart: {},
      },
      {
        amount: '1200',
        currency: 'EUR',
        booked: '2020-01-23',
        valued: '2020-01-23',
        purpose: 'Einzahlung',
        counterpart: {},
      },
    ],
  },
]

test('every row of a German card is read, with the amount in another currency', (t) =>
  checkSamples(t, CARDS))

test('an original amount in an unknown unit is text, any other text is refused', async (t) => {
  const header = '"Belegdatum";"Wertstellung";"Status";"Beschreibung";"Umsatztyp";"Betrag (€)";'
  const cells = ['14,99 $', '35,10 USD', '-35,10 USD', '5,00 EUR', '-4 EUR', 'many USD']
  const rows = cells.map((cell) => `"02.08.26";"";"Gebucht";"Shop";"Kauf";"-5,00";"${cell}"\n`)
  const text = `${header}"Fremdwährungsbetrag"\n${rows.join('')}`
  const events = await eventsIn(readCsv, text, OWN)
  t.strictSame(
    transactionsOf(events).map((transaction) => {
      const { purpose, originalAmount, originalCurrency } = shown(transaction)
      return [purpose, originalAmount, originalCurrency]
    }),
    [
      ['Shop 14,99 $', undefined, undefined],
      ['Shop', '-35.1', 'USD'],
      ['Shop', '-35.1', 'USD'],
      ['Shop', undefined, undefined],
      ['Shop', '-4', 'EUR'],
    ],
  )
  t.strictSame(
    faultsOf(events).map(({ field, message }) => `${field}: ${message}`),
    ['Fremdwährungsbetrag: "many USD" is not a decimal number; expected for example -1.234,56'],
  )
})
