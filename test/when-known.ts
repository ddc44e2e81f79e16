import { test } from 'tap'
import { whenKnown } from '../src/when-known.js'

test('a value is used synchronously, that of a promise later', async (t) => {
  t.equal(
    whenKnown(1, (value) => value + 1),
    2,
  )
  const later = whenKnown(Promise.resolve(1), (value) => value + 1)
  t.type(later, Promise)
  t.equal(await later, 2)
  const fault = new Error('no')
  const fail = (): never => {
    throw fault
  }
  t.throws(() => whenKnown(1, fail), fault)
  await t.rejects(async () => whenKnown(Promise.resolve(1), fail), fault)
  await t.rejects(async () => whenKnown(Promise.reject(fault), () => t.fail()), fault)
})
