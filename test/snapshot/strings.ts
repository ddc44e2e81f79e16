import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  buildStringTable,
  codeOfString,
  stringCount,
  stringOfCode,
} from '../../src/snapshot/strings.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { texts } from '../fixtures/workspaces.js'

test('a table finds each of its texts, by bytes ascending, and no other', async (t) => {
  const distinct = fc.uniqueArray(fc.oneof(texts(), fc.constant('')), { maxLength: 20 })
  assertProperty(
    fc.property(distinct, texts(), (held, other) => {
      const table = buildStringTable(held)
      assert.equal(stringCount(table), held.length)
      const sorted = held.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      sorted.forEach((text, code) => {
        assert.equal(codeOfString(table, text), code)
        assert.equal(stringOfCode(table, code), text)
      })
      if (!held.includes(other)) assert.equal(codeOfString(table, other), -1)
    }),
    { numRuns: 500 },
  )
  t.pass('500 tables')
})
