import { test } from 'tap'
import { parameterFault, quote } from '../../src/wire/fault.js'

test('a fault names the parameter, the error, and a right example', async (t) => {
  const fault = parameterFault({ name: 'category', example: 'Food, Drink' }, 'has no value')
  t.equal(fault.code, 'invalid_parameter')
  t.equal(fault.status, 400)
  t.equal(fault.message, 'category has no value; for example category=Food,%20Drink')
})

test('a quoted text is short and on one line', async (t) => {
  t.equal(quote('a"b\n'), '"a\\"b\\n"')
  t.equal(quote('😀'.repeat(64)), `"${'😀'.repeat(64)}"`)
  t.equal(quote('😀'.repeat(65)), `"${'😀'.repeat(64)}…"`)
  t.equal(quote('x'.repeat(100_000)), `"${'x'.repeat(64)}…"`)
})
