import { test } from 'tap'
import {
  beginSession,
  endSession,
  endSessionsOf,
  findSession,
  SESSION_MS,
} from '../../src/auth/sessions.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

test('a session lasts a working day, or until it ends', async (t) => {
  const control = await newControl(t)
  const operatorId = await control.atomically(() =>
    insertOperator({ name: 'anna', password: '$scrypt$x', createdAt: 0 }),
  )
  const one = await control.atomically(() => beginSession(operatorId, NOW_MS))
  const two = await control.atomically(() => beginSession(operatorId, NOW_MS))
  t.match(one.token, /^[-\w]{43}$/)
  t.equal(one.expiresAtMs, NOW_MS + SESSION_MS)
  t.match(await control.look(() => findSession(one.token, NOW_MS + SESSION_MS - 1)), {
    operatorName: 'anna',
  })
  t.equal(await control.look(() => findSession(one.token, NOW_MS + SESSION_MS)), undefined)
  t.equal(await control.atomically(() => endSession(one.token)), true)
  t.equal(await control.atomically(() => endSession(one.token)), false)
  t.equal(await control.look(() => findSession(one.token, NOW_MS)), undefined)
  t.ok(await control.look(() => findSession(two.token, NOW_MS)), 'another browser stays signed in')
  t.equal(await control.look(() => findSession('', NOW_MS)), undefined)
})

test('all sessions of one operator end at once, those of others continue', async (t) => {
  const control = await newControl(t)
  const [anna, bob] = await control.atomically(function* () {
    const plain = { password: '$scrypt$x', createdAt: 0 }
    const anna = yield* insertOperator({ name: 'anna', ...plain })
    return [anna, yield* insertOperator({ name: 'bob', ...plain })]
  })
  const ids = [anna ?? 0, anna ?? 0, bob ?? 0]
  const tokens = await control.atomically(function* () {
    const begun: string[] = []
    for (const id of ids) begun.push((yield* beginSession(id, NOW_MS)).token)
    return begun
  })
  t.equal(await control.atomically(() => endSessionsOf(anna ?? 0)), 2)
  const found = await Promise.all(
    tokens.map((token) => control.look(() => findSession(token, NOW_MS))),
  )
  const names = found.map((session) => session?.operatorName)
  t.same(names, [undefined, undefined, 'bob'])
})
