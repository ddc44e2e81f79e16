import { test } from 'tap'
import { codeOf } from '../../src/match/codes.js'
import { compactField, plainField } from '../../src/match/compact.js'
import {
  CLASSES,
  keywordAt,
  keywordBefore,
  keywordLike,
  NO_CLASS,
} from '../../src/match/dictionary.js'
import { editDistance } from '../../src/text/nearest.js'

function named(keyword: number): string {
  return keyword === NO_CLASS ? 'none' : (CLASSES[keyword - 1] ?? 'unknown')
}

function before(text: string): string {
  const plain = plainField(text)
  const sink = {
    codes: new Uint8Array(plain.lengthMax),
    gaps: new Uint8Array(plain.lengthMax),
    marks: new Uint8Array(plain.lengthMax),
    units: undefined,
  }
  const length = compactField(plain, sink, 0)
  const query = { codes: sink.codes, gaps: sink.gaps, from: 0, to: length }
  const { keyword, from } = keywordBefore(query, length)
  return `${named(keyword)} ${from}`
}

test('words of all languages match as whole words', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['RECHNUNG', 'invoice'],
    ['INVOICE', 'invoice'],
    ['FACTURE', 'invoice'],
    ['FACTUUR', 'invoice'],
    ['FATTURA', 'invoice'],
    ['FACTURA', 'invoice'],
    ['KLANTNR', 'customer'],
    ['ALBARAN', 'order'],
    ['POLIZZA', 'contract'],
    ['REKENING', 'account'],
    ['INVEST', 'none'],
    ['RECHNUN', 'none'],
    ['', 'none'],
  ]
  for (const [word, expected] of rows) {
    const codes = Uint8Array.from(word, codeOf)
    t.equal(named(keywordAt(codes, 0, codes.length)), expected, word)
  }
})

test('a keyword is found before a position', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['Zahlung RE', 'invoice 7'],
    ['RG-NR.', 'invoice 0'],
    ['Rechnung Nr.', 'invoice 0'],
    ['K-Nr.', 'customer 0'],
    ['Nr.', 'number 0'],
    ['Zahlung vom', 'none 10'],
    ['INVEST', 'none 6'],
    ['Invoice No', 'invoice 0'],
  ]
  for (const [text, expected] of rows) t.equal(before(text), expected, text)
})

test('a long keyword may have one letter wrong', async (t) => {
  t.equal(named(keywordLike('RECHNUGN', editDistance)), 'invoice')
  t.equal(named(keywordLike('INVOCE', editDistance)), 'invoice')
  t.equal(named(keywordLike('KD', editDistance)), 'none')
  t.equal(named(keywordLike('RECHUGN', editDistance)), 'none')
})
