import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { parseColumns } from '../../../src/statements/csv/csv-columns.js'
import { DIRECTION_WORDS, directionKeys } from '../../../src/statements/csv/csv-direction.js'
import { columnKey } from '../../../src/statements/csv/csv-profile.js'
import type { ReadOptions } from '../../../src/statements/statement.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { eventsIn, sumOf, transactionsOf } from '../../fixtures/statement-texts.js'

const OWN = { account: '4711', currency: 'EUR' }

async function refusalOf(text: string, options: ReadOptions = OWN): Promise<string | undefined> {
  try {
    await eventsIn(readCsv, text, options)
    return undefined
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return error.message
  }
}

/** The mappings that a refusal shows: with a direction, and without one. */
function mappingsIn(message: string): string[] {
  return [...message.matchAll(/--columns '([^']*)'/gu)].map(([, mapping = '']) => mapping)
}

const COMMERZBANK = 'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung'
const KNOWN_LAYOUTS: readonly (readonly [name: string, text: string, column: string])[] = [
  [
    'Commerzbank',
    `${COMMERZBANK};Soll/Haben;Saldo\n` +
      '02.01.2024;02.01.2024;Lastschrift;Rewe;12,50;EUR;S;987,50\n' +
      '03.01.2024;03.01.2024;Gutschrift;Lohn;20,00;EUR;H;1007,50\n',
    'Soll/Haben',
  ],
  [
    'Commerzbank',
    `${COMMERZBANK}\n02.01.2024;02.01.2024;Lastschrift;Rewe;12,50;EUR\n` +
      '03.01.2024;03.01.2024;Gutschrift;Lohn;20,00;EUR\n',
    'Umsatzart',
  ],
  [
    'bunq',
    'Date,Amount,Account,Counterparty,Name,Description,Type\n' +
      '2024-01-02,12.50,NL91ABNA0417164300,NL20INGB0001234567,AH,Food,Debit\n' +
      '2024-01-03,20.00,NL91ABNA0417164300,NL20INGB0001234567,Baas,Loon,Credit\n',
    'Type',
  ],
  [
    'KBC',
    'Rekeningnummer;Munt;Datum;Omschrijving;Valuta;Bedrag;Saldo;D/C\n' +
      'BE68539007547034;EUR;02/01/2024;Bakker;02/01/2024;12,50;100,00;D\n' +
      'BE68539007547034;EUR;03/01/2024;Loon;03/01/2024;20,00;120,00;C\n',
    'D/C',
  ],
]

test('a direction column that a known layout does not have refuses the file', async (t) => {
  for (const [layout, text, column] of KNOWN_LAYOUTS) {
    const message = (await refusalOf(text)) ?? ''
    t.match(message, `line 2: column ${column} has debit or credit (`)
    t.match(message, `no amount has a minus, but the layout of ${layout} takes the sign from`)
    const [directed = '', plain = ''] = mappingsIn(message)
    t.equal(directed, `${plain},direction=${column}`)
    const found = await eventsIn(readCsv, text, { ...OWN, columns: parseColumns(directed) })
    t.equal(sumOf(transactionsOf(found)), '7.5', `${layout}: the mapping reads the debits`)
    const undirected = await eventsIn(readCsv, text, { ...OWN, columns: parseColumns(plain) })
    t.equal(sumOf(transactionsOf(undirected)), '32.5')
    const warning = `if it decides the sign, add direction=${column} to --columns`
    const warnings = undirected.flatMap((each) => (each.kind === 'warning' ? [each.message] : []))
    t.match(warnings, [new RegExp(`${warning}$`, 'u')])
  }
})

test('words that agree with the signs, or are no directions, refuse nothing', async (t) => {
  const tables = [
    `${COMMERZBANK};S/H\n02.01.2024;;Kauf;Rewe;-12,50;EUR;S\n03.01.2024;;Lohn;x;20,00;EUR;H\n`,
    `${COMMERZBANK};S/H\n02.01.2024;;Kauf;Rewe;12,50;EUR;H\n`,
    `${COMMERZBANK};S/H\n02.01.2024;;Kauf;Rewe;12,50;EUR;S\n03.01.2024;;Kauf;x;1,00;EUR;Xetra\n`,
    `${COMMERZBANK};Karte\n02.01.2024;;a;x;-2,50;EUR;Debit\n03.01.2024;;b;y;1,00;EUR;Debit\n`,
    `${COMMERZBANK}\n02.01.2024;02.01.2024;Lastschrift;Rückgabe;12,50;EUR\n`,
  ]
  for (const text of tables) t.equal(await refusalOf(text), undefined, text)
  const storno = `${COMMERZBANK};S/H\n02.01.2024;;a;x;2,50;EUR;S\n03.01.2024;;b;y;-1,00;EUR;H\n`
  t.match(await refusalOf(storno), /column S\/H .* which contradicts some signs, but the layout/u)
})

const WORD = fc.constantFrom('S', 'h', 'Soll', 'Haben', 'D', 'Credit', '', 'x')
const ROWS = fc.array(fc.record({ word: WORD, cents: fc.integer({ min: -3, max: 3 }) }), {
  minLength: 1,
  maxLength: 6,
})

test('the whole table decides, in any order of its rows', async (t) => {
  const kindOf = directionKeys(DIRECTION_WORDS)
  let refused = 0
  await assertProperty(
    fc.asyncProperty(ROWS, async (rows) => {
      const lines = rows.map(({ word, cents }) => {
        const amount = `${cents < 0 ? '-' : ''}0,0${Math.abs(cents)}`
        return `02.01.2024;;Kauf;Text;${amount};EUR;${word}\n`
      })
      const words = rows.filter(({ word }) => word !== '')
      const kinds = words.map(({ word }) => kindOf.get(columnKey(word)))
      const areKnown = kinds.every((kind) => kind !== undefined)
      const hasMinus = rows.some(({ cents }) => cents < 0)
      const isWrong = words.some(({ cents }, i) => (kinds[i] === 'debit' ? cents > 0 : cents < 0))
      const isDoubtful = isWrong && (!hasMinus || new Set(kinds).size === 2)
      const message = await refusalOf(`${COMMERZBANK};Zusatz\n${lines.join('')}`)
      assert.equal(message !== undefined, areKnown && isDoubtful, `${lines.join('')}${message}`)
      if (message !== undefined) refused += 1
    }),
    { numRuns: 300 },
  )
  t.ok(refused > 20, `${refused} refused`)
})
