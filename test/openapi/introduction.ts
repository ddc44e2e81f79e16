import { test } from 'tap'
import { errorCodeTable } from '../../src/openapi/error-codes.js'
import { introduction } from '../../src/openapi/introduction.js'

test('a newcomer finds a line to try and every error code', async (t) => {
  const text = introduction('https://kontor.example')
  t.match(text, "'https://kontor.example/v1/demo/transactions?limit=5'")
  t.ok(text.endsWith(errorCodeTable()))
})
