import { test } from 'tap'
import { ERROR_STATUS } from '../../src/errors.js'
import { OPERATIONS, operationOfId, transactionOperation } from '../../src/http/operations/table.js'
import { ERROR_EXAMPLES } from '../../src/openapi/examples.js'
import { RESPONSES, responsesOf } from '../../src/openapi/responses.js'

const STATUSES = ['200', '304', '400', '401', '429', '500', '503']

const STATUSES_OF = {
  one: STATUSES,
  list: STATUSES,
  matches: [...STATUSES, '409'].sort(),
  entries: ['200', '400', '401', '409', '413', '415', '429', '500', '503'],
  suggestions: STATUSES,
}

test('every operation answers with the same statuses, and a match with 409', async (t) => {
  for (const operation of OPERATIONS) {
    const statuses = STATUSES_OF[operation.answers]
    t.same(Object.keys(responsesOf(operation)), statuses, operation.id)
  }
})

test('a list of matches is as short as its limit allows', async (t) => {
  t.match(responsesOf(transactionOperation('match', 'workspace'))['200'], {
    content: { 'application/json': { schema: { maxItems: 50 } } },
  })
})

test('every answer has the common fields and its own', async (t) => {
  const always = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']
  const everywhere = [...always, 'RateLimit-Policy', 'RateLimit']
  const namesIn = (response: { readonly [name: string]: unknown }): string[] =>
    Object.keys(Object(response['headers']))
  t.same(namesIn(responsesOf(operationOfId('getAccounts'))['200'] ?? {}), [
    'X-Total-Count',
    'Link',
    'ETag',
    ...everywhere,
  ])
  t.same(namesIn(responsesOf(operationOfId('getKeyScope'))['200'] ?? {}), ['ETag', ...everywhere])
  t.same(namesIn(RESPONSES.NotModified), ['ETag', ...everywhere])
  t.same(namesIn(RESPONSES.Unauthorized), ['WWW-Authenticate', ...everywhere])
  t.same(namesIn(RESPONSES.BadRequest), everywhere)
  t.same(namesIn(RESPONSES.Unavailable), ['Retry-After', ...everywhere])
  t.same(namesIn(RESPONSES.MatchUnavailable), ['Retry-After', ...everywhere])
  t.same(namesIn(RESPONSES.DataChanged), ['Retry-After', ...everywhere])
  t.same(namesIn(RESPONSES.TooManyRequests), ['Retry-After', ...everywhere])
})

test('an example of an error has the status it is shown under', async (t) => {
  const statuses = Object.values(ERROR_EXAMPLES).map(({ error }) => ERROR_STATUS[error])
  t.same(statuses, [400, 401, 409, 413, 415, 429, 500, 503, 503])
})
