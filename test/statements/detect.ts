import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { detectFormat } from '../../src/statements/detect.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { NO_FILES, statementFiles } from '../fixtures/statement-texts.js'

const HEAD = 4_096

function detected(text: string, fileName?: string): string {
  const found = detectFormat(text, fileName)
  return found.kind === 'format' ? found.format : `${found.kind}: ${found.message}`
}

test('the content determines the format', async (t) => {
  const cases: [string, string][] = [
    [
      '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
      'camt053',
    ],
    ['\ufeff<Document><BkToCstmrStmt>', 'camt053'],
    ['<n:Document xmlns:n="x"><n:BkToCstmrStmt>', 'camt053'],
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08">', 'camt052'],
    ['<Document><BkToCstmrDbtCdtNtfctn>', 'camt054'],
    [':20:STARTUMS\r\n:25:1/2\r\n:60F:C240101EUR0,00\r\n', 'mt940'],
    ['{1:F01INGBNL2AXXXX00001}\n{2:I940INGBNL2AXXXN}\n{4:\n:20:MP\n:25:1', 'mt940'],
    ['\u0001\r\n:20:ST1\n:25:PL2\n', 'mt940'],
    [':20:A\n:25:1\n:28C:1\n:34F:EUR0,\n', 'mt942'],
    ['OFXHEADER:100\r\nDATA:OFXSGML\r\n', 'ofx'],
    ['<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX>', 'ofx'],
    ['\r\n\r\n<OFX>\r\n<SIGNONMSGSRSV1>', 'ofx'],
    ['<!--\r\nOFXHEADER:100\nDATA:OFXSGML\n-->\n<OFX>', 'ofx'],
    ['<?xml version="1.0"?>\n<!-- made by a tool -->\n<OFX>', 'ofx'],
    [`An example\n${'- '.repeat(60)}\n\n:20:3996\n:25:DABADKKK/1\n:28C:1/1\n`, 'mt940'],
    ['!Type:Bank\nD1/2/2024\n', 'qif'],
    ['!Account\nNOne\n^\n', 'qif'],
    ['01,021,099,240301,0700,1,80,,2/\n02,099,021,1,240229,,USD,2/\n', 'bai2'],
    ['{"kind":"account","id":1}\n{"amount":1}\n', 'ndjson'],
    [`{"purpose":"${'x'.repeat(5_000)}`, 'ndjson'],
    ['Date,Description,Amount,Currency\n', 'csv'],
    ['a;b;c\n1;2;3\n4;5;6\n', 'csv'],
    ['18.09.2017;"HOFER";18.09.2017;-33,87;EUR;;\n', 'csv'],
  ]
  for (const [text, format] of cases) t.equal(detected(text), format, text.slice(0, 40))
})

test('the name decides only where the content leaves the format open', async (t) => {
  t.equal(detected('Datum;Text\n', 'x.csv'), 'csv')
  t.match(detected('Datum;Text\n', 'x.txt'), /^unknown/u)
  t.equal(detected(':20:A\n:25:1\n', 'x.csv'), 'mt940')
})

test('NDJSON is accepted from a pipe, or by the name of its file', async (t) => {
  for (const name of [undefined, 'x.ndjson', 'x.JSONL', 'a.csv.json']) {
    t.equal(detected('{"id":1}\n', name), 'ndjson', String(name))
  }
  for (const name of ['', 'x', 'x.csv', 'ndjson', 'x.ndjson.txt', 'x.xml']) {
    t.match(
      detected('{"id":1}\n', name),
      /^unsupported: .*rename .* \.ndjson, or use --format/u,
      name,
    )
  }
})

test('other known types of files are named', async (t) => {
  const cases: [string, RegExp, string?][] = [
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">', /pain/u],
    ['<?xml version="1.0"?><rss version="2.0">', /XML document of <rss>/u],
    ['%PDF-1.7\n', /PDF/u],
    ['PK\u0003\u0004\u0014\u0000', /ZIP/u],
    ['PK\u0003\u0004\u0014\u0000', /XLSX/u, 'umsatz.xlsx'],
    ['ÐÏ\u0011à¡±\u001aá', /XLS/u],
    ['\u001f‹\b', /gzip/u],
    ["UNA:+.? 'UNB+", /EDIFACT/u],
    ['<!DOCTYPE html><html>', /web page/u],
    ['[\n{"id":1}]', /NDJSON/u],
    ['{\n  "id": 1\n}\n', /NDJSON/u],
  ]
  for (const [text, message, name = ''] of cases) {
    const found = detectFormat(text, name)
    t.equal(found.kind, 'unsupported', text.slice(0, 40))
    if (found.kind === 'unsupported') t.match(found.message, message)
  }
})

test('all other files are unknown, and nothing is thrown', async (t) => {
  t.match(detected(''), /^unknown: the file is empty/u)
  t.match(
    detected('1\n2\n3\n'),
    /^unknown: unknown format; specify it, for example --format mt940/u,
  )
  t.match(detected('Dear Sir,\nplease find\n'), /^unknown/u)
  const alphabet = fc.constantFrom('<', '{', '"', ';', ',', '\n', ':20:', 'a', '1', '>', '[', '&')
  assertProperty(
    fc.property(fc.array(alphabet, { maxLength: 60 }), fc.string(), (parts, name) => {
      assert.ok(detected(parts.join(''), name))
    }),
    { numRuns: 500 },
  )
})

test('every real file is detected, with and without its name', async (t) => {
  const folders: [string, string][] = [
    ['camt053', 'camt053'],
    ['camt053/related-052-054', 'camt052'],
    ['mt940', 'mt940'],
    ['csv', 'csv'],
    ['ofx', 'ofx'],
  ]
  for (const [folder, expected] of folders) {
    const files = statementFiles(folder)
    if (files === undefined) return t.comment(NO_FILES)
    for (const { name, text } of files) {
      const found = detected(text.slice(0, HEAD), name)
      // Ten lines of one digit each: by its author no statement.
      const isNone = name === 'wolph__invalid_statement.sta'
      t.match(found, isNone ? /^unknown/u : new RegExp(`^${expected}`, 'u'), name)
      t.equal(detected(text.slice(0, HEAD)), found, `${name} without its name`)
    }
    t.comment(`${folder}: ${files.length} files are ${expected}`)
  }
})
