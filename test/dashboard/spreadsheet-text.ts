import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { withoutFormulas } from '../../src/dashboard/spreadsheet-text.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('an apostrophe precedes every possible formula', async (t) => {
  const cases: [string, string][] = [
    ['=1', "'=1"],
    ['\t=1', "'\t'=1"],
    ["Rechnung 4711;=cmd|'/C calc'!A0;x", "Rechnung 4711;'=cmd|'/C calc'!A0;x"],
    ['a; "+1', 'a; "\'+1'],
    ['a\n-1', "a\n'-1"],
    ['a\r\n＠x', "a\r\n'＠x"],
    ['a;b = c', 'a;b = c'],
    ['', ''],
  ]
  for (const [text, guarded] of cases) t.equal(withoutFormulas(text), guarded, JSON.stringify(text))
})

/** Possible cells of a text for some reader, cut at any separator, with or without quotes. */
function cellsOf(text: string): string[] {
  return text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^["' ]+/, ''))
}

test('no cell starts a formula wherever it is split; other texts stay unchanged', async (t) => {
  const unit = fc.constantFrom(...['=', '+', '-', '@', '＝', ';', '\t', '\n', '"', ' ', 'a', '1'])
  let guardedCount = 0
  assertProperty(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const text = units.join('')
      const guarded = withoutFormulas(text)
      for (const [i, cell] of guarded.split(/[;\t\r\n]/).entries()) {
        const bare = cellsOf(guarded)[i] ?? ''
        const isGuarded = /^["' ]*'/.test(cell) || !/^[=+\-@＝＋－＠]/.test(bare)
        assert.ok(isGuarded, JSON.stringify(guarded))
      }
      assert.equal(guarded.replaceAll("'", ''), text)
      if (guarded !== text) guardedCount += 1
    }),
    { numRuns: 2_000 },
  )
  t.ok(guardedCount > 200, `${guardedCount} guarded`)
})
