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
  const control = await newControl(t)
  const anna = { name: 'anna', password: '$scrypt$x', createdAt: 5 }
  t.equal(await control.atomically(() => insertOperator(anna)), 1)
  t.equal(await control.atomically(() => insertOperator({ ...anna, name: 'Anna' })), 2)
  await t.rejects(() => control.atomically(() => insertOperator(anna)), { name: 'StoreError' })
  t.strictSame(await control.look(() => findOperatorByName('anna')), { id: 1, ...anna })
  t.equal(await control.look(() => findOperatorByName('ANNA')), undefined)
  t.equal((await control.look(() => findOperator(2)))?.name, 'Anna')
  t.same(
    (await control.look(listOperators)).map(({ id }) => id),
    [1, 2],
  )
  t.equal(await control.atomically(() => deleteOperatorRow(1)), true)
  t.equal(await control.atomically(() => deleteOperatorRow(1)), false)
  t.ok((await control.atomically(() => insertOperator(anna))) > 2, 'an id is never used again')
})
