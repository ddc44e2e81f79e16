import { test } from 'tap'
import { deleteOperatorRow, insertOperator } from '../../src/store/operator-rows.js'
import { deleteSession, findOpenSession, insertSession } from '../../src/store/session-rows.js'
import { newControl } from '../fixtures/control.js'

test('a session is valid until it expires, ends, or its operator is deleted', async (t) => {
  const control = await newControl(t)
  const operatorOf = (name: string): Promise<number> =>
    control.atomically(() => insertOperator({ name, password: '$scrypt$x', createdAt: 0 }))
  const hashes = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
  const [one, two, three] = hashes as [Buffer, Buffer, Buffer]
  const anna = { operatorId: await operatorOf('anna'), createdAt: 5, expiresAt: 9 }
  const ben = { ...anna, operatorId: await operatorOf('ben') }
  await control.atomically(() => insertSession({ hash: one, ...anna }))
  await control.atomically(() => insertSession({ hash: two, ...anna }))
  await control.atomically(() => insertSession({ hash: three, ...ben }))
  t.strictSame(await control.look(() => findOpenSession(one, 8)), {
    hash: one,
    ...anna,
    operatorName: 'anna',
  })
  t.equal(await control.look(() => findOpenSession(one, 9)), undefined, 'expired')
  t.equal(await control.atomically(() => deleteSession(one)), true)
  t.equal(await control.atomically(() => deleteSession(one)), false)
  t.equal(await control.look(() => findOpenSession(one, 8)), undefined, 'ended')
  await control.atomically(() => deleteOperatorRow(1))
  t.equal(await control.look(() => findOpenSession(two, 8)), undefined, 'deleted')
  t.equal((await control.look(() => findOpenSession(three, 8)))?.operatorName, 'ben')
})
