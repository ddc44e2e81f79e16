import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type AttemptKey,
  type AttemptRow,
  deleteAttempts,
  discountAttempt,
  findAttempts,
  holdAttempts,
  listAttempts,
  updateAttempts,
} from '../../src/store/attempt-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const KEYS: readonly AttemptKey[] = (['name', 'address', 'browser'] as const).flatMap((kind) =>
  ['a', 'b'].map((text) => ({ kind, key: createHash('sha256').update(text).digest() })),
)

function textOf({ kind, key }: AttemptKey): string {
  return `${kind} ${key.toString('hex')}`
}

test('rows of attempts equal a map', async (t) => {
  const control = await newControl(t)
  const step = fc.record({
    key: fc.constantFrom(...KEYS),
    action: fc.constantFrom('hold', 'update', 'discount', 'delete'),
    failures: fc.nat(5),
    lastAt: fc.integer({ min: NOW_MS, max: NOW_MS + 1_000 }),
  })
  await assertProperty(
    fc.asyncProperty(fc.array(step), async (steps) => {
      const twin = new Map<string, AttemptRow>()
      for (const key of KEYS) await control.atomically(() => deleteAttempts(key))
      for (const { key, action, failures, lastAt } of steps) {
        const text = textOf(key)
        const known = twin.get(text)
        if (action === 'hold') {
          const row = known ?? { ...key, failures: 0, lastAt }
          twin.set(text, row)
          assert.deepEqual(await control.atomically(() => holdAttempts(key, lastAt)), row)
        } else if (action === 'update') {
          if (known !== undefined) twin.set(text, { ...key, failures, lastAt })
          await control.atomically(() => updateAttempts({ ...key, failures, lastAt }))
        } else if (action === 'discount') {
          const left = Math.max(0, (known?.failures ?? 0) - 1)
          if (known !== undefined) twin.set(text, { ...known, failures: left })
          await control.atomically(() => discountAttempt(key))
        } else {
          twin.delete(text)
          await control.atomically(() => deleteAttempts(key))
        }
        assert.deepEqual(await control.look(() => findAttempts(key)), twin.get(text))
      }
      const rows = await control.look(listAttempts)
      assert.deepEqual(rows.map(textOf).sort(), [...twin.keys()].sort())
    }),
  )
  t.pass('equal')
})
