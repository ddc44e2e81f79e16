import fc from 'fast-check'
import { Packr } from 'msgpackr/pack'
import { test } from 'tap'
import { isPlainMsgpack } from '../../src/snapshot/plain-msgpack.js'
import { assertProperty } from '../fixtures/assert-property.js'

const plain = fc.anything({ maxDepth: 4, withNullPrototype: false })
const packr = new Packr({ useRecords: false, variableMapSize: true })

test('a packed plain value passes, and no part of it does', async (t) => {
  assertProperty(
    fc.property(plain, (value) => {
      const packed = packr.pack(value)
      if (!isPlainMsgpack(packed)) return false
      for (let length = 0; length < packed.length; length++) {
        if (isPlainMsgpack(packed.subarray(0, length))) return false
      }
      return !isPlainMsgpack(Buffer.concat([packed, Buffer.from([0xc0])]))
    }),
  )
  const large = [
    'x'.repeat(40),
    'x'.repeat(70_000),
    Buffer.alloc(300),
    Buffer.alloc(70_000),
    Array.from({ length: 70_000 }, () => 0),
    Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, i])),
    -40_000,
  ]
  for (const value of large) t.ok(isPlainMsgpack(packr.pack(value)))
})

test('types that msgpackr would revive or compile do not pass', async (t) => {
  const revived = new Packr({ moreTypes: true, structuredClone: true })
  for (const value of [
    new Error('no'),
    /no/,
    new Set([1]),
    new Uint32Array(2),
    new Date(0),
    1n,
    { a: 1 },
  ]) {
    const packed = revived.pack(value)
    t.notOk(isPlainMsgpack(packed), packed.toString('hex'))
  }
  for (const hex of ['c1', 'c10000', 'd40001', 'd47200', 'c70078', 'cf0000000000000000', 'd400']) {
    t.notOk(isPlainMsgpack(Buffer.from(hex, 'hex')), hex)
  }
})

test('counts beyond the bytes do not pass', async (t) => {
  for (const hex of ['ddffffffff', 'dfffffffff', 'c6ffffffff', 'dbffffffff', '91', '81', '9f00']) {
    t.notOk(isPlainMsgpack(Buffer.from(hex, 'hex')), hex)
  }
  t.notOk(isPlainMsgpack(Buffer.from('dd01ffffff'.repeat(10_000), 'hex')), 'not inside each other')
})

const KEY_REFUSED = /^Invalid property type for record/

test('msgpackr reads any passing bytes to the end, or refuses a key', async (t) => {
  // Type bytes, mostly small ones, so that some pass.
  const bytes = fc
    .array(fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0x91, 0x92, 0xa1, 0x41, 0xc0)))
    .map((list) => Uint8Array.from(list))
  let passed = 0
  assertProperty(
    fc.property(bytes, (packed) => {
      if (!isPlainMsgpack(packed)) return
      passed += 1
      try {
        packr.unpack(packed)
      } catch (error) {
        // A map whose key is an array or a map: no plain value has one, and readSnapshotFile
        // rejects it.
        if (!(error instanceof Error && KEY_REFUSED.test(error.message))) throw error
      }
    }),
    { numRuns: 5_000 },
  )
  t.ok(passed > 50)
})
