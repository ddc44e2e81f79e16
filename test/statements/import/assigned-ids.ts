import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { AssignedIds } from '../../../src/statements/import/assigned-ids.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('the set contains exactly the ids that were added', async () => {
  assertProperty(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 })), (list) => {
      const assigned = new AssignedIds()
      for (const id of list.sort((a, b) => a - b)) assigned.add(id)
      for (let id = 0; id <= 41; id++) assert.equal(assigned.has(id), list.includes(id))
    }),
  )
})

test('a line that names an assigned id is refused', async (t) => {
  const assigned = new AssignedIds()
  assigned.add(3)
  t.throws(() => assigned.check('line 2', 3), { message: /^line 2, id: .*was assigned 3/ })
  t.doesNotThrow(() => assigned.check('line 2', 4))
  t.doesNotThrow(() => assigned.check('line 2', undefined))
})
