import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type ArrivingBody, BodyBudget } from '../../../src/http/engine/body-budget.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('never more than the budget is held, and the oldest goes first', async (t) => {
  const step = fc.record({
    body: fc.nat({ max: 4 }),
    bytes: fc.nat({ max: 12 }),
    ends: fc.boolean(),
  })
  let goneCount = 0
  assertProperty(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const budget = new BodyBudget(20)
      // The held bodies, oldest first, as a plain list.
      let held: { readonly name: number; readonly bytes: number }[] = []
      const gone: number[] = []
      const bodies = [0, 1, 2, 3, 4].map((name): ArrivingBody => ({ evict: () => gone.push(name) }))
      for (const { body: name, bytes, ends } of steps) {
        const body = bodies[name]
        assert(body !== undefined)
        const own = held.find((entry) => entry.name === name)?.bytes ?? 0
        gone.length = 0
        const isTaken = budget.take(body, bytes)
        assert.equal(isTaken, own + bytes <= 20)
        const sum = (): number => held.reduce((all, entry) => all + entry.bytes, 0)
        const expected: number[] = []
        while (isTaken && sum() + bytes > 20) {
          const oldest = held.find((entry) => entry.name !== name)
          assert(oldest !== undefined)
          expected.push(oldest.name)
          held = held.filter((entry) => entry !== oldest)
        }
        assert.deepEqual(gone, expected)
        goneCount += gone.length
        const at = held.findIndex((entry) => entry.name === name)
        if (isTaken && at === -1) held.push({ name, bytes })
        else if (isTaken) held[at] = { name, bytes: own + bytes }
        if (ends) {
          budget.release(body)
          held = held.filter((entry) => entry.name !== name)
        }
      }
    }),
    { numRuns: 1_000 },
  )
  t.ok(goneCount > 100, `${goneCount} were evicted`)
})
