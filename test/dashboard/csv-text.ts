import { strict as assert } from 'node:assert'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { test } from 'tap'
import { csvHead, csvLines } from '../../src/dashboard/csv-text.js'
import {
  MATCH_COLUMNS,
  TRANSACTION_CSV_COLUMNS,
} from '../../src/dashboard/pages/explorer/csv-columns.js'
import { withoutFormulas } from '../../src/dashboard/spreadsheet-text.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveTransaction } from '../fixtures/naive.js'
import { workspaceRows } from '../fixtures/workspaces.js'

/** Dotted names of an object's members, and the expected texts of a file. */
function flat(object: object, prefix = ''): [name: string, text: string][] {
  return Object.entries(object).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object') return flat(value, `${prefix}${key}.`)
    return [[prefix + key, typeof value === 'string' ? withoutFormulas(value) : String(value)]]
  })
}

function readBack(text: string): Record<string, string>[] {
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
}

test('every field is read back as written', async (t) => {
  let rowCount = 0
  assertProperty(
    fc.property(workspaceRows({ maxLength: 12 }), (workspace) => {
      const rows = workspace.transactions.map((row) => naiveTransaction(row, workspace))
      const text = csvHead(TRANSACTION_CSV_COLUMNS) + csvLines(TRANSACTION_CSV_COLUMNS, rows)
      const read = readBack(text)
      assert.equal(read.length, rows.length)
      rowCount += rows.length
      for (const [i, row] of rows.entries()) {
        const known = Object.entries(read[i] ?? {}).filter(([, value]) => value !== '')
        const wanted = flat(row)
        assert.deepEqual(Object.fromEntries(known), Object.fromEntries(wanted))
      }
    }),
  )
  t.ok(rowCount > 20, `${rowCount} rows`)
})

test('no cell is a formula', async (t) => {
  const columns = [{ name: 'text', read: (text: string) => text }]
  const of = (text: string): string => csvLines(columns, [text])
  t.equal(of('=cmd|calc'), "'=cmd|calc\r\n")
  t.equal(of('+49 30 1'), "'+49 30 1\r\n")
  t.equal(of('-1+1'), "'-1+1\r\n")
  t.equal(of('@SUM(A1)'), "'@SUM(A1)\r\n")
  t.equal(of('\t=1'), "'\t'=1\r\n")
  t.equal(of("4711;=cmd|'/C calc'!A0;x"), "4711;'=cmd|'/C calc'!A0;x\r\n")
  t.equal(of('a,"b"\r\nc'), '"a,""b""\r\nc"\r\n')
  t.equal(of(' blank'), '" blank"\r\n')
  t.equal(of("'s-Hertogenbosch"), "'s-Hertogenbosch\r\n")
})

test('numbers stay numbers, including scores', async (t) => {
  const column = TRANSACTION_CSV_COLUMNS.find(({ name }) => name === 'amount')
  const row = { amount: -1234.5 } as Parameters<NonNullable<typeof column>['read']>[0]
  t.equal(csvLines(column === undefined ? [] : [column], [row]), '-1234.5\r\n')
  t.same(
    MATCH_COLUMNS.slice(0, 5).map(({ name }) => name),
    ['score', ...['field', 'matched', 'kind', 'adjustments'].map((name) => `explanation.${name}`)],
  )
})

test('with semicolons numbers have a decimal comma, and texts are read back', async (t) => {
  const columns = [{ name: 'a;b', read: (value: string | number) => value }]
  const of = (value: string | number): string => csvLines(columns, [value], 'semicolon')
  t.equal(csvHead([{ name: 'a' }, { name: 'b' }], 'semicolon'), '\ufeffa;b\r\n')
  t.equal(of(-1234.5), '-1234,5\r\n')
  t.equal(of(7), '7\r\n')
  t.equal(of('12.5'), '12.5\r\n', 'a text stays unchanged')
  t.equal(of('a;b'), '"a;b"\r\n')
  t.equal(of('a,"b"'), '"a,""b"""\r\n')
  t.equal(of('Rechnung, =1+1'), `"Rechnung, '=1+1"\r\n`, 'for a reader that splits at commas')
  t.equal(of('a\n=1'), `"a\n'=1"\r\n`, 'and at line breaks')
  t.equal(of('EUR 100,- bar'), '"EUR 100,- bar"\r\n')
  const two = ['a', 'b'].map((name) => ({
    name,
    read: (row: string[]) => row[name === 'a' ? 0 : 1],
  }))
  assertProperty(
    fc.property(fc.string({ unit: fc.constantFrom('x', ';', '"', ' ', '.', '\n') }), (text) => {
      const written = csvLines(two, [[text, 'end']], 'semicolon')
      const [read = []] = parse(written, { delimiter: ';', record_delimiter: '\r\n' }) as string[][]
      const plain = text.replace(/^\n/, "'\n")
      assert.deepEqual(read, [plain, 'end'])
    }),
  )
})
