import { test } from 'tap'
import {
  changePassword,
  createOperator,
  deleteOperator,
  isUnchangedOperator,
  verifyOperator,
} from '../../src/auth/operators.js'
import { beginSession, findSession } from '../../src/auth/sessions.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { listOperators } from '../../src/store/operator-rows.js'
import { NOW_MS, newControl, SOMEBODY } from '../fixtures/control.js'

const ANNA = { name: 'anna', password: 'correct horse' }

test('an operator signs in with name and password until deleted', async (t) => {
  const control = newControl(t)
  const id = await createOperator(control, ANNA, NOW_MS, SOMEBODY)
  t.equal(id, 1)
  t.match(await verifyOperator(control, 'anna', 'correct horse'), { id: 1, name: 'anna' })
  t.equal(await verifyOperator(control, 'anna', 'wrong horse'), undefined)
  t.equal(await verifyOperator(control, 'Anna', 'correct horse'), undefined)
  const { token } = beginSession(control, 1, NOW_MS)
  t.equal(deleteOperator(control, 1, NOW_MS, CLI_ACTOR), true)
  t.equal(await verifyOperator(control, 'anna', 'correct horse'), undefined)
  t.equal(findSession(control, token, NOW_MS), undefined, 'and is signed out')
  t.equal(deleteOperator(control, 1, NOW_MS, CLI_ACTOR), false)
  t.match(listAuditRows(control, { limit: 9 }), [
    { action: 'operator.delete', actor: 'cli', subject: '1', detail: '{"name":"anna"}' },
    { action: 'operator.create', actor: 'operator:anna', subject: '1' },
  ])
})

test('names are unique, also when two operators are created at once', async (t) => {
  const control = newControl(t)
  const made = await Promise.all(
    ['anna', 'anna', 'ben', 'a\u0308', '\u00e4'].map((name) =>
      createOperator(control, { ...ANNA, name }, NOW_MS, CLI_ACTOR),
    ),
  )
  t.equal(made.filter((id) => id === undefined).length, 2)
  t.same(
    listOperators(control)
      .map(({ name }) => name)
      .toSorted(),
    ['anna', 'ben', '\u00e4'],
  )
  t.ok(await verifyOperator(control, 'a\u0308', 'correct horse'))
  t.equal(listAuditRows(control, { limit: 9 }).length, 3)
})

test('a new password ends the sessions of the old one', async (t) => {
  const control = newControl(t)
  await createOperator(control, ANNA, NOW_MS, CLI_ACTOR)
  await createOperator(control, { ...ANNA, name: 'ben' }, NOW_MS, CLI_ACTOR)
  const [hers, his] = [1, 2].map((id) => beginSession(control, id, NOW_MS).token)
  const before = await verifyOperator(control, 'anna', 'correct horse')
  t.ok(before && isUnchangedOperator(control, before))
  const wish = { id: 1, password: 'another horse' }
  t.equal(await changePassword(control, wish, NOW_MS, CLI_ACTOR), true)
  t.equal(await verifyOperator(control, 'anna', 'correct horse'), undefined)
  t.match(await verifyOperator(control, 'anna', 'another horse'), { id: 1 })
  t.equal(findSession(control, hers ?? '', NOW_MS), undefined)
  t.ok(findSession(control, his ?? '', NOW_MS))
  t.notOk(
    before && isUnchangedOperator(control, before),
    'the previous password is no longer valid',
  )
  t.equal(await changePassword(control, { ...wish, id: 9 }, NOW_MS, CLI_ACTOR), false)
  const [told] = listAuditRows(control, { limit: 1 })
  t.match(told, { action: 'operator.password', subject: '1', detail: '{"name":"anna"}' })
})
