import { test } from 'tap'
import { ARRIVING_BODIES_BYTES_MAX, BodyBudget } from '../../src/http/body-budget.js'

test('what is taken is there until it is released', async (t) => {
  const budget = new BodyBudget(10)
  t.ok(budget.take(6))
  t.notOk(budget.take(5), 'and a refusal counts nothing')
  t.ok(budget.take(4))
  t.notOk(budget.take(1))
  budget.release(6)
  t.ok(budget.take(6))
  t.ok(new BodyBudget().take(ARRIVING_BODIES_BYTES_MAX))
})
