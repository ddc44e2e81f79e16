import { test } from 'tap'
import { masksOf, masksOfQuery } from '../../src/match/masks.js'

function masked(text: string): string[] {
  return masksOf(text).map(({ from, to }) => text.slice(from, to))
}

test('dates, times, amounts and IBANs are masked', async (t) => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['RE 4711 vom 03.05.2024', ['03.05.2024']],
    ['RE 4711 v.3.5.24', ['3.5.24']],
    ['am 03/05/2024', ['03/05/2024']],
    ['BEA NR:XXX1234 21.05.11/12.54 KATWIJK', ['21.05.11/12.54']],
    ['THROUGH 03/31/2011', ['03/31/2011']],
    ['ON 04/07/11', ['04/07/11']],
    ['31/03/24', ['31/03/24']],
    ['2020-01-28T14:32:46-000000000000089', ['2020-01-28T14:32:46']],
    ['FOR $45.33 ON', ['45.33']],
    ['45.33 € x', ['45.33']],
    ['HOFER 0527 K2 18.09. 17:20', ['18.09.', '17:20']],
    ['2024-05-03 bezahlt', ['2024-05-03']],
    ['2017-02-12T09:22:52 Debitk.1', ['2017-02-12T09:22:52']],
    ['DATUM 06.04.2024, 23.57 UHR', ['06.04.2024', '23.57 UHR']],
    ['um 23:57', ['23:57']],
    ['677,44 EUR', ['677,44']],
    ['1.234.567,89EUR', ['1.234.567,89']],
    ['EUR 1,234.56', ['1,234.56']],
    ['IBAN DE58 7406 1813 0100 0336 26 x', ['DE58 7406 1813 0100 0336 26']],
    ['MS03 IBAN+NL27ABNA0562399340', ['NL27ABNA0562399340']],
    ['GB29NWBK60161331926819', ['GB29NWBK60161331926819']],
    ["CHF 4'353.10", ["4'353.10"]],
    ['CHF 4;353.10', ['4;353.10']],
    ['1 733,38 kr', ['1 733,38']],
    ['PLN 12 733.38', ['12 733.38']],
    ['39928.91 SEK', ['39928.91']],
    ['Betrag 39928.91', ['39928.91']],
    ['FX Rate: 1.162224', ['1.162224']],
    ['12-09-2014T16:26:37', ['12-09-2014T16:26:37']],
    ['16-11-20 19:02 x', ['16-11-20', '19:02']],
    ['2015.04.01, 2015.04.30 d', ['2015.04.01', '2015.04.30']],
    ['SHOP 650-3198939, US 9', ['650-3198939']],
    ['SHOP.COM 14087249160, NL', ['14087249160']],
    ['d.d. 04-04-2013INCASSO', ['04-04-2013']],
    ['17 October 2013', ['17 October 2013']],
    ['Miete mrt 2010', ['mrt 2010']],
    ['Tel. 0421 482 1337', ['Tel. 0421 482 1337']],
    ['+41 933 250 4465', ['+41 933 250 4465']],
    ['+49 (0)421 4821337', ['+49 (0)421 4821337']],
    ['Ebert Allee 140 53113 Bonn', ['53113']],
    ['900 METRO CENTER BLVD FOSTER CITY CA 94404', ['94404']],
    ['STARBUCKS DE 08007263333  DE', ['08007263333']],
    ['1 USD = 0.88241 EUR', ['0.88241']],
  ]
  for (const [text, expected] of rows) t.same(masked(text), expected, text)
})

test('references are not', async (t) => {
  const rows = [
    'RE-2024-05-03',
    'RE2024-05-03',
    '2024-0815',
    '12/2016',
    '16-11-20',
    '2015.13.01',
    'RE-2015.04.01',
    '650-3198939',
    'RE 6503198939, USA',
    '2024-13-03',
    '99.05.2024',
    '99.05. 2024',
    '18.09.7',
    'RE-18.09.A',
    '2024-0815,16',
    'RE 0815,16',
    '03.05.2024/17',
    '21.05.11/17',
    '04/17/1',
    '13/31/24',
    'R-04/07/11',
    '04/07/11-2',
    'DE58 7406 1813 0100 0336 27',
    'RE58740618130100033626',
    '1001,1002',
    'RE-10800-10-100',
    'SVWZ+49123456789',
    'RE 1001 +1002',
    'Mayer 2024',
    'HOTEL 4711 081523',
    '1 12 733',
    'Rechnung 140 53113 Bonn',
    'ORDER CA 94404',
    'RE-08007263333',
    '080072633331234',
  ]
  for (const text of rows) t.same(masked(text), [], text)
})

test('a long text of digits and dots is parsed in bounded time', async (t) => {
  t.same(masked('1.'.repeat(5_000)), [])
  t.same(masked('1'.repeat(10_000)), [])
  t.same(masked('DE00 '.repeat(2_000)), [])
  t.same(masked('1 '.repeat(5_000)), [])
  t.same(masked('+1 ('.repeat(5_000)), [])
  t.same(masked('1 MAI '.repeat(5_000)), [])
  t.same(masked(' ROAD AAA CA'.repeat(1_000)), [])
  t.same(masked('0800'.repeat(3_000)), [])
})

test('a query has short dates and, beside a longer number, periods', async (t) => {
  const masked = (text: string): string[] =>
    masksOfQuery(text).map(({ from, to }) => text.slice(from, to))
  t.same(masked('taxi 16-11-20'), ['16-11-20'])
  t.same(masked('4711 A-16-11-20'), [])
  t.same(masked('0014165999 07/19'), ['07/19'])
  t.same(masked('RE 07/19'), [])
})
