import { test } from 'tap'
import { bearerTokenOf } from '../../src/auth/bearer.js'

test('a Bearer credential, the scheme word in any case', async (t) => {
  const rows: readonly (readonly [field: string, token: string | undefined])[] = [
    ['Bearer sk-a_b-c', 'sk-a_b-c'],
    ['bearer x', 'x'],
    ['BEARER x', 'x'],
    ['Bearer   x  ', 'x'],
    ['Bearer abc==', 'abc=='],
    ['Bearer a.b~c+d/e', 'a.b~c+d/e'],
    ['', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer  ', undefined],
    ['Bearerx', undefined],
    ['Basic x', undefined],
    ['x', undefined],
    ['Bearer a b', undefined],
    ['Bearer a, Bearer b', undefined],
    ['Bearer =', undefined],
    ['Bearer a=b', undefined],
    ['Bearer "a"', undefined],
    ['Bearer ä', undefined],
    ['Bearer\ta', undefined],
  ]
  for (const [field, token] of rows) t.equal(bearerTokenOf(field), token, JSON.stringify(field))
})
