import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { IdCodes, NO_CODE } from '../../src/snapshot/id-dictionary.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('an id keeps its first code, from dictionary to dictionary', async () => {
  const ids = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 })
  assertProperty(
    fc.property(ids, ids, (early, late) => {
      const first = new IdCodes([])
      const given = new Map(early.map((id) => [id, first.codeOf(id)]))
      const second = new IdCodes(first.ids)
      for (const id of late) {
        const code = second.codeOf(id)
        if (given.has(id)) assert.equal(code, given.get(id))
        assert.equal(second.ids[code], id)
      }
      assert.deepEqual(second.ids.slice(0, first.ids.length), first.ids)
      assert.equal(new Set(second.ids).size, second.ids.length)
    }),
  )
})

test('an unknown id has no code', async (t) => {
  const codes = new IdCodes([7])
  t.equal(codes.codeOrNone(null), NO_CODE)
  t.equal(codes.codeOrNone(7), 0)
  t.same(codes.ids, [7])
})
