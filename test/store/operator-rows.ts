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
  t.equal(insertOperator(control, anna), 1)
  t.equal(insertOperator(control, { ...anna, name: 'Anna' }), 2)
  t.throws(() => insertOperator(control, anna), { name: 'StoreError' })
  t.strictSame(findOperatorByName(control, 'anna'), { id: 1, ...anna })
  t.equal(findOperatorByName(control, 'ANNA'), undefined)
  t.equal(findOperator(control, 2)?.name, 'Anna')
  t.same(
    listOperators(control).map(({ id }) => id),
    [1, 2],
  )
  t.equal(deleteOperatorRow(control, 1), true)
  t.equal(deleteOperatorRow(control, 1), false)
  t.equal(insertOperator(control, anna), 3, 'an id is never used again')
})
