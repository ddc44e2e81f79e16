import { test } from 'tap'
import { ERROR_STATUS } from '../../src/errors.js'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { errorCodeTable } from '../../src/openapi/error-codes.js'
import { introduction } from '../../src/openapi/introduction.js'
import { responsesOf } from '../../src/openapi/responses.js'

test('the introduction has a command to try and every error code', async (t) => {
  const text = introduction('https://kontor.example')
  t.match(text, "'https://kontor.example/v1/demo/transactions?limit=5'")
  t.ok(text.endsWith(errorCodeTable()))
})

test('every status is listed by the operations or in the introduction', async (t) => {
  const listed = OPERATIONS.map((operation) => Object.keys(responsesOf(operation)))
  const text = introduction('https://kontor.example')
  const named = text.match(/Requests that reach no operation .*$/m)
  t.match(text, /Only a match returns 409\./)
  t.same(
    OPERATIONS.filter((operation) => '409' in responsesOf(operation)),
    OPERATIONS.filter(({ isMatch }) => isMatch),
  )
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const isListed = listed.every((statuses) => statuses.includes(String(status)))
    const isNamed = named?.[0].includes(String(status)) ?? false
    t.ok(isListed || isNamed, `${status} ${code}`)
  }
})
