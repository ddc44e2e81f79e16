import { test } from 'tap'
import { isJsonObject, jsonObject } from '../../src/openapi/openapi.js'

test('undefined members are dropped', async (t) => {
  t.strictSame(jsonObject({ a: 1, b: undefined, c: [{ d: undefined }] }), { a: 1, c: [{}] })
})

test('a list and null are no objects', async (t) => {
  t.same([{}, [], null, 'a', 1, undefined].map(isJsonObject), [
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
