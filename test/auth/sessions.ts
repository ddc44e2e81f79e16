import { test } from 'tap'
import { beginSession, endSession, findSession } from '../../src/auth/sessions.js'
import { SESSION_MS } from '../../src/credential-limits.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

test('a session lasts a working day, or until it is ended', async (t) => {
  const control = newControl(t)
  const operatorId = insertOperator(control, { name: 'anna', password: '$scrypt$x', createdAt: 0 })
  const one = beginSession(control, operatorId, NOW_MS)
  const two = beginSession(control, operatorId, NOW_MS)
  t.match(one.token, /^[-\w]{43}$/)
  t.equal(one.expiresAtMs, NOW_MS + SESSION_MS)
  t.match(findSession(control, one.token, NOW_MS + SESSION_MS - 1), { operatorName: 'anna' })
  t.equal(findSession(control, one.token, NOW_MS + SESSION_MS), undefined)
  t.equal(endSession(control, one.token), true)
  t.equal(endSession(control, one.token), false)
  t.equal(findSession(control, one.token, NOW_MS), undefined)
  t.ok(findSession(control, two.token, NOW_MS), 'another browser stays signed in')
  t.equal(findSession(control, '', NOW_MS), undefined)
})
