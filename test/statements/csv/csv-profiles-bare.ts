import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { bareLayoutOf } from '../../../src/statements/csv/csv-profiles-bare.js'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, IBAN_DE, IBAN_NL, OWN, OWN_ACCOUNT } from '../../fixtures/csv-samples.js'
import { eventsIn, transactionsOf } from '../../fixtures/statement-texts.js'

const AT = 'AT611904300234573201'
const ASN = 'NL57ASNB0123456789'

const SAMPLES: readonly CsvSample[] = [
  {
    profile: 'Raiffeisen ELBA',
    text:
      '28.06.2023;"0,125 % p.a. Habenzinsen";01.07.2023;0,58;EUR;28.06.2023 00:00:30:989;\n' +
      '28.06.2023;"Kapitalertragsteuer";01.07.2023;-0,15;EUR;28.06.2023 00:00:31:010;\n' +
      '01.07.2023;"Lastschrift  Auftraggeber:  Strom AG";01.07.2023;-1.100,00;EUR;01.07.2023 ' +
      '02:44:57:445;\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '0.58',
        currency: 'EUR',
        booked: '2023-06-28',
        valued: '2023-07-01',
        purpose: '0,125 % p.a. Habenzinsen',
        counterpart: {},
      },
      {
        amount: '-0.15',
        currency: 'EUR',
        booked: '2023-06-28',
        valued: '2023-07-01',
        purpose: 'Kapitalertragsteuer',
        counterpart: {},
      },
      {
        amount: '-1100',
        currency: 'EUR',
        booked: '2023-07-01',
        valued: '2023-07-01',
        purpose: 'Lastschrift  Auftraggeber:  Strom AG',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'easybank',
    text:
      `${AT};Einbehaltene KESt                            BG/000000001     ;01.01.2024;` +
      '31.12.2023;-0,42;EUR\n' +
      `${AT};Zinsen HABEN        BG/000000002     ;01.01.2024;31.12.2023;+1,23;EUR\n` +
      `${AT};Miete    FE/000000005 ${IBAN_DE} Anna Muster    ;19.01.2024;20.01.2024;` +
      '-1.001,00;EUR\n',
    account: { iban: AT },
    rows: [
      {
        amount: '-0.42',
        currency: 'EUR',
        booked: '2024-01-01',
        valued: '2023-12-31',
        purpose: 'Einbehaltene KESt                            BG/000000001',
        counterpart: {},
      },
      {
        amount: '1.23',
        currency: 'EUR',
        booked: '2024-01-01',
        valued: '2023-12-31',
        purpose: 'Zinsen HABEN        BG/000000002',
        counterpart: {},
      },
      {
        amount: '-1001',
        currency: 'EUR',
        booked: '2024-01-19',
        valued: '2024-01-20',
        purpose: `Miete    FE/000000005 ${IBAN_DE} Anna Muster`,
        counterpart: {},
      },
    ],
  },
  {
    profile: 'easybank',
    text:
      '12345678901;Laden/info|12345678909876543212345;02.07.2023;30.06.2023;-5,99;EUR\n' +
      '12345678901;Hotel|GBP 22,89|34567890987654321234567;19.02.2023;09.02.2023;-22,69;EUR\n',
    account: { accountNumber: '12345678901' },
    rows: [
      {
        amount: '-5.99',
        currency: 'EUR',
        booked: '2023-07-02',
        valued: '2023-06-30',
        purpose: 'Laden/info|12345678909876543212345',
        counterpart: {},
      },
      {
        amount: '-22.69',
        currency: 'EUR',
        booked: '2023-02-19',
        valued: '2023-02-09',
        purpose: 'Hotel|GBP 22,89|34567890987654321234567',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'Targobank',
    text:
      `03.11.2025;Echtzeitüberweisung   MAX MUSTER   Miete ;-1.005,00;;;;'${IBAN_DE}'\r\n` +
      `04.11.2025;Entgelt Kontoführung   für Oktober 2025;-6,95;;;;'${IBAN_DE}'\r\n` +
      `10.11.2025;Gutschrift   STROM AG   VK 2510   RF Strom;;83,16;;;'${IBAN_DE}'\r\n\r\n`,
    account: { iban: IBAN_DE },
    rows: [
      {
        amount: '-1005',
        currency: 'EUR',
        booked: '2025-11-03',
        purpose: 'Echtzeitüberweisung   MAX MUSTER   Miete',
        counterpart: {},
      },
      {
        amount: '-6.95',
        currency: 'EUR',
        booked: '2025-11-04',
        purpose: 'Entgelt Kontoführung   für Oktober 2025',
        counterpart: {},
      },
      {
        amount: '83.16',
        currency: 'EUR',
        booked: '2025-11-10',
        purpose: 'Gutschrift   STROM AG   VK 2510   RF Strom',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'Targobank',
    text:
      `10.11.2025;Gutschrift;;83.16;;;'${IBAN_DE}'\r\n` +
      `03.11.2025;Miete;-5.00;;;;'${IBAN_DE}'\r\n`,
    account: { iban: IBAN_DE },
    rows: [
      {
        amount: '83.16',
        currency: 'EUR',
        booked: '2025-11-10',
        purpose: 'Gutschrift',
        counterpart: {},
      },
      { amount: '-5', currency: 'EUR', booked: '2025-11-03', purpose: 'Miete', counterpart: {} },
    ],
  },
  {
    profile: 'ASN Bank',
    text:
      `17-06-2024,${ASN},${IBAN_NL},A VOS,,,,EUR,130.44,EUR,223.77,17-06-2024,18-06-2024,2754,` +
      'NGM,51392971,,,26\n' +
      `25-06-2024,${ASN},,,,,,EUR,354.21,EUR,-2.20,25-06-2024,25-06-2024,7241,MSC,50951652,,` +
      "'Kosten gebruik betaalrekening',26\n" +
      `28-06-2024,${ASN},${IBAN_DE},KRANT B V,Weg 1,1000AA,DORP,EUR,352.01,EUR,-22.95,` +
      "28-06-2024,28-06-2024,9714,EIC,00000000,K-7,'ABONNR 0, 4 KRANTEN',28\n",
    account: { iban: ASN },
    rows: [
      {
        amount: '223.77',
        currency: 'EUR',
        booked: '2024-06-17',
        valued: '2024-06-18',
        type: 'NGM',
        counterpart: { name: 'A VOS', iban: IBAN_NL },
        balance: '354.21',
      },
      {
        amount: '-2.2',
        currency: 'EUR',
        booked: '2024-06-25',
        valued: '2024-06-25',
        type: 'MSC',
        purpose: 'Kosten gebruik betaalrekening',
        counterpart: {},
        balance: '352.01',
      },
      {
        amount: '-22.95',
        currency: 'EUR',
        booked: '2024-06-28',
        valued: '2024-06-28',
        type: 'EIC',
        purpose: 'ABONNR 0, 4 KRANTEN K-7 Weg 1 1000AA DORP',
        counterpart: { name: 'KRANT B V', iban: IBAN_DE },
        balance: '329.06',
      },
    ],
  },
  {
    profile: 'ABN AMRO, TAB',
    text:
      '480226345\tEUR\t20240307\t85,00\t31,49\t20240308\t-53,51\tBEA   NR:108T6F   ' +
      '07.03.24/19.57 MARKT NOORD,PAS464 \n' +
      '480226345\tEUR\t20240308\t31,49\t1031,49\t20240308\t1000,00\t/TRTP/SEPA/REMI/Loon\n',
    account: { accountNumber: '480226345' },
    rows: [
      {
        amount: '-53.51',
        currency: 'EUR',
        booked: '2024-03-07',
        valued: '2024-03-08',
        purpose: 'BEA   NR:108T6F   07.03.24/19.57 MARKT NOORD,PAS464',
        counterpart: {},
        balance: '31.49',
      },
      {
        amount: '1000',
        currency: 'EUR',
        booked: '2024-03-08',
        valued: '2024-03-08',
        type: 'SEPA',
        purpose: 'Loon',
        counterpart: {},
        balance: '1031.49',
      },
    ],
  },
]

test('a table without a header is recognized by its first record', (t) => checkSamples(t, SAMPLES))

test("the caller's currency takes precedence over the only one of the bank", async (t) => {
  const text = `10.11.2025;Gutschrift;;83.16;;;'${IBAN_DE}'\n`
  const [found] = transactionsOf(await eventsIn(readCsv, text, { currency: 'USD' }))
  t.equal(found?.currency, 'USD')
})

test('a record of another shape belongs to no known table', (t) => {
  for (const cells of [
    [],
    ['28.06.2023', 'Text', '01.07.2023', '0.58', 'EUR'],
    ['28.06.2023', 'Text', '31.06.2023', '0,58', 'EUR'],
    ['28.06.2023', 'Text', '01.07.2023', '0,58', 'EUR', '', '', ''],
    ['123', 'Text', '01.07.2023', '01.07.2023', '0,58', 'EUR'],
    ['10.11.2025', 'Text', '1,00', '2,00', '', '', `'${IBAN_DE}'`],
    ['10.11.2025', 'Text', '', '83,16', '', '', IBAN_DE],
    ['480226345', 'EUR', '20241307', '85,00', '31,49', '20240308', '-53,51', 'Text'],
  ]) {
    t.equal(bareLayoutOf(cells), undefined, cells.join(';'))
  }
  t.end()
})
