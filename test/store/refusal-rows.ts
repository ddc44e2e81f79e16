import { test } from 'tap'
import {
  countLikenesses,
  countRefusal,
  deleteRefusalsBefore,
  hasRefusal,
  listRefusalsBefore,
} from '../../src/store/refusal-rows.js'
import { newControl } from '../fixtures/control.js'

test('refusals are counted by minute and likeness, and forgotten by minute', async (t) => {
  const control = newControl(t)
  const [a, b] = ['{"a":1}', '{"b":1}'] as const
  t.equal(countRefusal(control, { minute: 5, likeness: a }), 1)
  t.equal(countRefusal(control, { minute: 5, likeness: a }), 2)
  t.equal(countRefusal(control, { minute: 5, likeness: b }), 1)
  t.equal(countRefusal(control, { minute: 6, likeness: a }), 1)
  t.same(
    [4, 5, 6].map((minute) => countLikenesses(control, minute)),
    [0, 2, 1],
  )
  t.ok(hasRefusal(control, { minute: 6, likeness: a }))
  t.notOk(hasRefusal(control, { minute: 6, likeness: b }))
  t.strictSame(listRefusalsBefore(control, 6), [
    { minute: 5, likeness: a, times: 2 },
    { minute: 5, likeness: b, times: 1 },
  ])
  deleteRefusalsBefore(control, 6)
  t.strictSame(listRefusalsBefore(control, 7), [{ minute: 6, likeness: a, times: 1 }])
})
