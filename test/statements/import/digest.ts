import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { digestOf } from '../../../src/statements/import/digest.js'
import { ANY_CHARACTER } from '../../fixtures/any-character.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('a digest is the first 16 bytes of the SHA-256, one character per byte', async () => {
  assertProperty(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
      const whole = createHash('sha256').update(text).digest()
      assert.deepEqual(Buffer.from(digestOf(text), 'latin1'), whole.subarray(0, 16))
    }),
  )
})
