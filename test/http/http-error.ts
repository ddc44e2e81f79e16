import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { HttpError, replyHttpError } from '../../src/http/http-error.js'
import { ask, errorOf, requestText, rigs } from '../fixtures/http-rig.js'

const ERRORS: readonly (readonly [thrown: unknown, status: number, fields: object])[] = [
  [new ApiError('not_found', 'm'), 400, {}],
  [new ApiError('workspace_unavailable', 'm'), 503, { 'retry-after': '5' }],
  [new ApiError('budget_exceeded', 'm'), 503, { 'retry-after': '1' }],
  [new ApiError('data_changed', 'm'), 409, { 'retry-after': '1' }],
  [
    HttpError.unauthorized('m', { reason: 'no_credential' }),
    401,
    { 'www-authenticate': 'Bearer realm="kontor"' },
  ],
  [
    HttpError.unauthorized('m', { reason: 'invalid_token' }),
    401,
    { 'www-authenticate': 'Bearer realm="kontor", error="invalid_token"' },
  ],
  [
    HttpError.insufficientScope('accounts:read'),
    401,
    {
      'www-authenticate':
        'Bearer realm="kontor", error="insufficient_scope", scope="accounts:read"',
    },
  ],
  [HttpError.rateLimited(17), 429, { 'retry-after': '17' }],
]

for (const rig of rigs) {
  test(`${rig.name}: an error is replied with its code and the fields of its status`, async (t) => {
    for (const [thrown, status, fields] of ERRORS) {
      const { port, faults } = await rig.listen(t, (exchange) => replyHttpError(exchange, thrown))
      const reply = await ask(port, requestText('GET', '/', 'X-Request-Id: r\r\n'))
      t.equal(reply.status, status)
      t.match(reply.fields, {
        ...fields,
        'content-type': 'application/json',
        'x-request-id': 'r',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      })
      const error = thrown instanceof HttpError ? thrown.error : (thrown as ApiError)
      t.same(errorOf(reply), { error: error.code, message: error.message })
      t.same(faults, [])
    }
  })

  test(`${rig.name}: other errors are rethrown`, async (t) => {
    const fault = new TypeError('x is not a function')
    const { port, faults } = await rig.listen(t, (exchange) => replyHttpError(exchange, fault))
    const reply = await ask(port, requestText('GET', '/'))
    t.equal(reply.status, 500)
    t.notMatch(errorOf(reply).message, /function/, 'the cause is for the log')
    t.same(
      faults.map(({ error }) => error),
      [fault],
    )
  })
}
