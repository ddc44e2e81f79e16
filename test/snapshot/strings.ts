import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  codeOfString,
  compareStrings,
  rankStrings,
  stringCount,
  stringOfCode,
} from '../../src/snapshot/strings.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { texts } from '../fixtures/workspaces.js'

test('a table finds each of its texts, by bytes ascending, and no other', async (t) => {
  const distinct = fc.uniqueArray(fc.oneof(texts(), fc.constant('')), { maxLength: 20 })
  assertProperty(
    fc.property(distinct, texts(), (held, other) => {
      const { table, codes } = rankStrings(held)
      assert.equal(stringCount(table), held.length)
      const sorted = held.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      sorted.forEach((text, code) => {
        assert.equal(codeOfString(table, text), code)
        assert.equal(stringOfCode(table, code), text)
        assert.equal(codes[held.indexOf(text)], code)
        for (let before = 0; before < code; before++) {
          assert.ok(compareStrings(table, before, table, code) < 0)
        }
        assert.equal(compareStrings(table, code, table, code), 0)
      })
      if (!held.includes(other)) assert.equal(codeOfString(table, other), -1)
    }),
    { numRuns: 500 },
  )
  t.pass('500 tables')
})
