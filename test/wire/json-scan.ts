import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { endOfString, endOfValue } from '../../src/wire/json-scan.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a value ends where JSON.stringify ended it', async () => {
  assertProperty(
    fc.property(fc.jsonValue(), fc.constantFrom(',1', '}', ']', ''), (value, rest) => {
      const text = JSON.stringify(value)
      const json = Buffer.from(`:${text}${rest}`)
      assert.equal(endOfValue(json, 1), 1 + Buffer.byteLength(text))
    }),
    { numRuns: 500 },
  )
})

test('quotation marks and brackets inside strings end nothing', async (t) => {
  const string = '"\\\\\\"}],{\\u0022"'
  t.equal(endOfString(Buffer.from(`${string}"`), 0), string.length)
  t.equal(endOfValue(Buffer.from(`{"a":[${string}]},`), 0), string.length + 8)
})

test('malformed bytes are a bug, not an endless loop', async (t) => {
  t.throws(() => endOfString(Buffer.from('"a\\'), 0), { name: 'AssertionError' })
  t.throws(() => endOfValue(Buffer.from('{"a":{}'), 0), { name: 'AssertionError' })
})
