import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { WordTable } from '../../src/free-text/word-table.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('each distinct word has one code, in order of first occurrence', async () => {
  const words = fc.array(fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 4 }), {
    maxLength: 2000,
    size: 'max',
  })
  assertProperty(
    fc.property(words, (met) => {
      const table = new WordTable()
      const codes = new Map<string, number>()
      for (const word of met) {
        if (!codes.has(word)) codes.set(word, codes.size)
        const bytes = Buffer.from(`<${word}>`)
        assert.equal(table.codeOf(bytes, 1, bytes.length - 1), codes.get(word))
      }
      assert.equal(table.count, codes.size)
      for (const [word, code] of codes) {
        const start = code === 0 ? 0 : table.ends[code - 1]!
        assert.equal(Buffer.from(table.bytes.subarray(start, table.ends[code])).toString(), word)
      }
    }),
    { numRuns: 30 },
  )
})

test('a row counts once per word', async (t) => {
  const table = new WordTable()
  const word = Buffer.from('word')
  const code = table.codeOf(word, 0, 4)
  t.equal(table.countRow(code, 0), true)
  t.equal(table.countRow(code, 0), false)
  t.equal(table.countRow(code, 5), true)
  t.equal(table.rowCounts[code], 2)
})
