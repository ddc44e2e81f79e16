import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ImportCounter, WARNING_CHARS_MAX } from '../../src/statements/import/import-report.js'
import { shortened } from '../../src/statements/shortened.js'
import { STATEMENT_ERROR_CHARS_MAX, StatementError } from '../../src/statements/statement.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a text is cut at a code point, with an ellipsis', async (t) => {
  t.equal(shortened('abcd', 4), 'abcd')
  t.equal(shortened('abcde', 4), 'abc…')
  t.equal(shortened('ab🎈🎈', 4), 'ab…')
  await assertProperty(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, max) => {
      const cut = shortened(text, max)
      assert.ok(cut.length <= max)
      assert.ok(cut === text || text.startsWith(cut.slice(0, -1)))
      assert.equal(cut === text, text.length <= max)
      // Throws at half a code point.
      encodeURIComponent(cut)
    }),
  )
})

test('a warning and the message of a refused file are bounded', (t) => {
  const long = 'x'.repeat(400_000)
  const counts = new ImportCounter()
  for (let i = 0; i < 20; i++) counts.warn(`skipped entry ${i}: ${long}`)
  for (const warning of counts.report().warnings) t.equal(warning.length, WARNING_CHARS_MAX)
  for (const field of [undefined, long]) {
    const fault = { position: 'line 1', message: long, ...(field === undefined ? {} : { field }) }
    const error = new StatementError(fault)
    t.equal(error.message.length, STATEMENT_ERROR_CHARS_MAX)
    t.equal(error.fault.message.length, STATEMENT_ERROR_CHARS_MAX)
  }
  t.end()
})
