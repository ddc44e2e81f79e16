import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { linesOf, type NumberedLine } from '../../../src/statements/ndjson/ndjson-lines.js'
import { STATEMENT_LINE_CHARS_MAX } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { inPieces } from '../../fixtures/files.js'

async function cut(text: string, lengths: readonly number[]): Promise<NumberedLine[]> {
  const lines: NumberedLine[] = []
  for await (const batch of linesOf(inPieces(text, lengths))) lines.push(...batch)
  return lines
}

test('lines do not depend on how the text is cut', async () => {
  const piece = fc.constantFrom('a', '{"b": 1}', ' ', '\n', '\r\n', '\r', '\uFEFF', '\u2028', '😀')
  const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
  await assertProperty(
    fc.asyncProperty(
      texts,
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
      async (text, lengths) => {
        const expected = text
          .replace(/^\uFEFF/, '')
          .split('\n')
          .map((line, i) => ({ number: i + 1, text: line.replace(/\r$/, '') }))
          .filter((line) => line.text.trim() !== '')
        assert.deepEqual(await cut(text, lengths), expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('an overlong line is refused, in one piece or in many, ended or not', async (t) => {
  const long = 'x'.repeat(STATEMENT_LINE_CHARS_MAX)
  t.equal((await cut(`1\n${long}\n3`, [70_000])).length, 3, 'the longest line allowed')
  for (const text of [`1\n${long}x\n`, `1\n${long}x`]) {
    for (const lengths of [[text.length], [70_000]]) {
      await t.rejects(cut(text, lengths), { message: /^line 2: it is longer than 1000000/ })
    }
  }
})
