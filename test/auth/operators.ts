import { test } from 'tap'
import { createOperator, deleteOperator } from '../../src/admin/operators.js'
import { verifyOperator } from '../../src/auth/operators.js'
import { beginSession, findSession } from '../../src/auth/sessions.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ACTOR, NOW_MS, newControl } from '../fixtures/control.js'

const ANNA = { name: 'anna', password: 'correct horse' }

test('an operator signs in with name and password until deleted', async (t) => {
  const control = await newControl(t)
  const id = await createOperator({ control, nowMs: NOW_MS, actor: ACTOR }, ANNA)
  t.equal(id, 1)
  t.match(await verifyOperator(control, 'anna', 'correct horse'), { id: 1, name: 'anna' })
  t.equal(await verifyOperator(control, 'anna', 'wrong horse'), undefined)
  t.equal(await verifyOperator(control, 'Anna', 'correct horse'), undefined)
  const { token } = await control.atomically(() => beginSession(1, NOW_MS))
  t.equal(await deleteOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, 1), true)
  t.equal(await verifyOperator(control, 'anna', 'correct horse'), undefined)
  t.equal(await control.look(() => findSession(token, NOW_MS)), undefined, 'and is signed out')
  t.equal(await deleteOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, 1), false)
  t.match(await control.look(() => listAuditRows({ limit: 9 })), [
    { action: 'operator.delete', actor: 'cli', subject: '1', detail: '{"name":"anna"}' },
    { action: 'operator.create', actor: 'operator:anna', subject: '1' },
  ])
})
