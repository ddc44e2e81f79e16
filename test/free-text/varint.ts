import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readVarint, varintBytes, writeVarint } from '../../src/free-text/varint.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('numbers are read back as written, one after the other', async () => {
  const borders = [0, 0x7f, 0x80, 0x3fff, 0x4000, 0x1f_ffff, 0x20_0000, 0xfff_ffff, 0x1000_0000]
  const numbers = fc.oneof(fc.constantFrom(...borders, 0xffff_ffff), fc.nat(0xffff_ffff))
  assertProperty(
    fc.property(fc.array(numbers), (values) => {
      const bytes = new Uint8Array(values.length * 5)
      let end = 0
      for (const value of values) {
        const next = writeVarint(bytes, end, value)
        assert.equal(next - end, varintBytes(value))
        end = next
      }
      let at = 0
      for (const value of values) {
        assert.equal(readVarint(bytes, at), value)
        at += varintBytes(value)
      }
    }),
  )
})
