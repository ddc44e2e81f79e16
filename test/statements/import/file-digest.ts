import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { test } from 'tap'
import { FileDigest } from '../../../src/statements/import/file-digest.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('size and SHA-256 are those of the whole file, however it is cut', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 })
  await assertProperty(
    fc.asyncProperty(chunks, async (parts) => {
      const digest = new FileDigest()
      const passed: Uint8Array[] = []
      for await (const part of digest.through(Readable.from(parts))) passed.push(part)
      const whole = Buffer.concat(parts)
      assert.ok(Buffer.concat(passed).equals(whole))
      assert.equal(digest.byteCount, whole.length)
      const sha256 = createHash('sha256').update(whole).digest('hex')
      assert.deepEqual(digest.result(), { bytes: whole.length, sha256 })
    }),
  )
})

test('a file not read to its end has no digest', async (t) => {
  const digest = new FileDigest()
  for await (const part of digest.through(Readable.from([Buffer.from('ab'), Buffer.from('c')]))) {
    t.equal(part.length, 2)
    break
  }
  t.strictSame(digest.result(), {})
  t.equal(digest.byteCount, 2)
})
