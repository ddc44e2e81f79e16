import { test } from 'tap'
import {
  deleteOperatorRow,
  findOperator,
  findOperatorByName,
  insertOperator,
  listOperators,
} from '../../src/store/operator-rows.js'
import { newControl } from '../fixtures/control.js'

test('operators are stored by name, each name once', async (t) => {
  const control = newControl(t)
  const anna = { name: 'anna', password: '$scrypt$x', createdAt: 5 }
  t.equal(await control.atomically(() => insertOperator(anna)), 1)
  t.equal(await control.atomically(() => insertOperator({ ...anna, name: 'Anna' })), 2)
  await t.rejects(() => control.atomically(() => insertOperator(anna)), { name: 'StoreError' })
  t.strictSame(
    control.look(() => findOperatorByName('anna')),
    { id: 1, ...anna },
  )
  t.equal(
    control.look(() => findOperatorByName('ANNA')),
    undefined,
  )
  t.equal(control.look(() => findOperator(2))?.name, 'Anna')
  t.same(
    control.look(listOperators).map(({ id }) => id),
    [1, 2],
  )
  t.equal(await control.atomically(() => deleteOperatorRow(1)), true)
  t.equal(await control.atomically(() => deleteOperatorRow(1)), false)
  t.equal(await control.atomically(() => insertOperator(anna)), 3, 'an id is never used again')
})
