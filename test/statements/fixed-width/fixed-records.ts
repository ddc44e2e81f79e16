import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type FixedRecord,
  recordsOf,
  withoutFillers,
} from '../../../src/statements/fixed-width/fixed-records.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

async function recordsIn(text: string, width: number): Promise<FixedRecord[]> {
  const found: FixedRecord[] = []
  for await (const batch of recordsOf(piecesOf([text]), width)) found.push(...batch)
  return found
}

test('a line is a padded record; blank lines and control characters are not text', async (t) => {
  t.strictSame(await recordsIn('ab\r\n\r\n  \nabcd\t\u001a\n\u001a', 6), [
    { text: 'ab    ', position: 'line 1', excess: '' },
    { text: 'abcd  ', position: 'line 4', excess: '' },
  ])
  t.strictSame(await recordsIn('abcdef 7\n', 6), [
    { text: 'abcdef', position: 'line 1', excess: '7' },
  ])
})

test('records without line ends are cut at their width', async (t) => {
  t.strictSame(await recordsIn('abcdef12    xy', 6), [
    { text: 'abcdef', position: 'line 1, record 1', excess: '' },
    { text: '12    ', position: 'line 1, record 2', excess: '' },
    { text: 'xy    ', position: 'line 1, record 3', excess: '' },
  ])
  const text = fc.stringMatching(/^[a-z0-9]{5}$/)
  await assertProperty(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 20 }), async (records) => {
      const lines = await recordsIn(records.join('\n'), 5)
      const run = await recordsIn(records.join(''), 5)
      assert.deepEqual(
        run.map((record) => record.text),
        lines.map((record) => record.text),
      )
      assert.deepEqual(
        lines.map((record) => record.text),
        records,
      )
    }),
  )
})

test('columns counted in bytes are found, whatever the letters', async () => {
  const letters = fc.array(fc.constantFrom(...'aé€ß'), { maxLength: 3 }).map((all) => all.join(''))
  await assertProperty(
    fc.asyncProperty(letters, letters, async (first, second) => {
      const inBytes = (text: string): string =>
        Buffer.concat([
          Buffer.from(text),
          Buffer.alloc(10 - Buffer.byteLength(text), ' '),
        ]).toString()
      const [record] = await recordsIn(`${inBytes(first)}${inBytes(second)}17`, 22)
      const { text } = record ?? assert.fail()
      const cut = (from: number, to: number): string => withoutFillers(text.slice(from, to)).trim()
      assert.deepEqual([cut(0, 10), cut(10, 20), cut(20, 22)], [first, second, '17'])
      assert.equal(text.length, 22)
    }),
  )
})

test('a NUL and a line without an end are refused', async (t) => {
  await t.rejects(recordsIn('ab\0', 6), StatementError)
  await t.rejects(recordsIn('a'.repeat(1_000_001), 6), /line 1: has more than 1000000 characters/)
})
