import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { characterOf, LEADING_ZERO, MASKED } from '../../src/match/codes.js'
import { compactFields } from '../../src/match/fields.js'
import { GRAM_CODES, GRAM_COLUMNS, gramColumn, listGramColumns } from '../../src/match/grams.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { gramsOfText, naiveColumn } from '../fixtures/naive-match-index.js'

const characters = [...'123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Code of a character in a trigram. */
function codeOfGram(character: string): number {
  return Number.parseInt(character, 36)
}

test('each trigram has its own column or shares one', async (t) => {
  const digits = new Set<number>()
  const shared = new Map<number, number>()
  for (const a of characters) {
    for (const b of characters) {
      for (const c of characters) {
        const gram = `${a}${b}${c}`
        const column = gramColumn(codeOfGram(a), codeOfGram(b), codeOfGram(c))
        assert.equal(column, naiveColumn(gram), gram)
        if (/^\d*$/.test(gram)) digits.add(column)
        else shared.set(column, (shared.get(column) ?? 0) + 1)
      }
    }
  }
  t.equal(digits.size, 729)
  t.equal(digits.size + shared.size, GRAM_COLUMNS, 'every column is used, by one kind only')
  t.equal(Math.max(...digits, ...shared.keys()), GRAM_COLUMNS - 1)
  const counts = [...shared.values()]
  t.ok(Math.max(...counts) < 4 * Math.min(...counts), 'the shared ones evenly')
})

test('lookalikes are equal, masked or not, and zeros are left out', async (t) => {
  for (let code = 0; code <= LEADING_ZERO; code++) {
    const [folded = '0'] = gramsOfText(`${characterOf(code)}XX`).map((gram) => gram.charAt(0))
    const expected = folded === '0' ? 0 : codeOfGram(folded)
    t.equal(GRAM_CODES[code], expected, characterOf(code))
    t.equal(GRAM_CODES[code | MASKED], expected, `${characterOf(code)}, masked`)
  }
})

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  ['12', []],
  ['1-2 3', ['123']],
  ['100200300', ['123']],
  ['RE-2024-0815', ['RE2', 'E22', '224', '248', '481', '815']],
  ['2024-0815/16', ['224', '248', '481', '815', '151', '516', '224', '248', '481', '816']],
  ['vom 24.12.2024', ['VM2', 'M24', '241', '412', '122', '222', '224']],
  ['ABC', ['A8C']],
  ['MNP', ['MNP']],
  ['QDO000', []],
]

test('the trigrams of a field', async (t) => {
  for (const [purpose, expected] of ROWS) {
    const { codes, gaps, offsets } = compactFields(fieldsWith({ purpose }))
    const to = offsets[1] ?? 0
    const columns = new Uint16Array(to)
    const count = listGramColumns({ codes, gaps, from: 0, to }, columns)
    t.same([...columns.subarray(0, count)], expected.map(naiveColumn), purpose)
  }
})
