import { test } from 'tap'
import { deleteOperatorRow, insertOperator } from '../../src/store/operator-rows.js'
import { deleteSession, findOpenSession, insertSession } from '../../src/store/session-rows.js'
import { newControl } from '../fixtures/control.js'

test('a session is valid until it expires, ends, or its operator is deleted', async (t) => {
  const control = newControl(t)
  const operatorOf = (name: string): number =>
    insertOperator(control, { name, password: '$scrypt$x', createdAt: 0 })
  const hashes = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
  const [one, two, three] = hashes as [Buffer, Buffer, Buffer]
  const anna = { operatorId: operatorOf('anna'), createdAt: 5, expiresAt: 9 }
  insertSession(control, { hash: one, ...anna })
  insertSession(control, { hash: two, ...anna })
  insertSession(control, { hash: three, ...anna, operatorId: operatorOf('ben') })
  t.strictSame(findOpenSession(control, one, 8), { hash: one, ...anna, operatorName: 'anna' })
  t.equal(findOpenSession(control, one, 9), undefined, 'expired')
  t.equal(deleteSession(control, one), true)
  t.equal(deleteSession(control, one), false)
  t.equal(findOpenSession(control, one, 8), undefined, 'ended')
  deleteOperatorRow(control, 1)
  t.equal(findOpenSession(control, two, 8), undefined, 'deleted')
  t.equal(findOpenSession(control, three, 8)?.operatorName, 'ben')
})
