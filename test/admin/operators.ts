import { test } from 'tap'
import { changePassword, createOperator } from '../../src/admin/operators.js'
import { isUnchangedOperator, verifyOperator } from '../../src/auth/operators.js'
import { beginSession, findSession } from '../../src/auth/sessions.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { listOperators } from '../../src/store/operator-rows.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const ANNA = { name: 'anna', password: 'correct horse' }

test('names are unique, also when two operators are created at once', async (t) => {
  const control = await newControl(t)
  const made = await Promise.all(
    ['anna', 'anna', 'ben', 'a\u0308', '\u00e4'].map((name) =>
      createOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...ANNA, name }),
    ),
  )
  t.equal(made.filter((id) => id === undefined).length, 2)
  t.same((await control.look(listOperators)).map(({ name }) => name).toSorted(), [
    'anna',
    'ben',
    '\u00e4',
  ])
  t.ok(await verifyOperator(control, 'a\u0308', 'correct horse'))
  t.equal((await control.look(() => listAuditRows({ limit: 9 }))).length, 3)
})

test('a new password ends the sessions of the old one', async (t) => {
  const control = await newControl(t)
  await createOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, ANNA)
  await createOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...ANNA, name: 'ben' })
  const [hers, his] = await control.atomically(function* () {
    return [(yield* beginSession(1, NOW_MS)).token, (yield* beginSession(2, NOW_MS)).token]
  })
  const before = await verifyOperator(control, 'anna', 'correct horse')
  t.ok(before && (await control.atomically(() => isUnchangedOperator(before))))
  const input = { id: 1, password: 'another horse' }
  t.equal(await changePassword({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, input), true)
  t.equal(await verifyOperator(control, 'anna', 'correct horse'), undefined)
  t.match(await verifyOperator(control, 'anna', 'another horse'), { id: 1 })
  t.equal(await control.look(() => findSession(hers ?? '', NOW_MS)), undefined)
  t.ok(await control.look(() => findSession(his ?? '', NOW_MS)))
  t.notOk(
    before && (await control.atomically(() => isUnchangedOperator(before))),
    'the previous password is no longer valid',
  )
  t.equal(
    await changePassword({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...input, id: 9 }),
    false,
  )
  const [logged] = await control.look(() => listAuditRows({ limit: 1 }))
  t.match(logged, { action: 'operator.password', subject: '1', detail: '{"name":"anna"}' })
})
