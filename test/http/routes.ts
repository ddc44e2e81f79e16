import { test } from 'tap'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { Routes } from '../../src/http/routes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { outcomeOf, overEngines } from '../fixtures/service.js'

test('each path finds its own operation, and its segments as sent', async (t) => {
  for (const { id, method: wanted, path: named } of OPERATIONS) {
    const routes = new Routes(OPERATIONS.filter(({ method }) => method === wanted))
    const variables = named.split('/').filter((segment) => segment.startsWith('{'))
    const path = variables.reduce((text, name, i) => text.replace(name, `v${i}%2f`), named)
    const route = routes.find(path)
    t.equal(route?.operation.id, id, path)
    t.equal(route?.workspaceSegment, 'v0%2f')
    t.same(
      route?.segments,
      variables.slice(1).map((_, i) => `v${i + 1}%2f`),
    )
  }
})

test(
  'an unknown path is 404, for any caller',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const paths = [
      '/v1',
      '/v1/',
      '/v1/w',
      '/v1/w/',
      '/v2/w/accounts',
      '/V1/w/accounts',
      '/v1/w/Accounts',
      '/v1/w/accounts/',
      '/v1//w/accounts',
      '//v1/w/accounts',
      '/v1/w//accounts',
      '/v1//accounts',
      '/v1/w/accounts//transactions',
      '/v1/w/accounts/1/transactions/',
      '/v1/w%2Faccounts',
      '/v1/w/accounts%2F1/x',
      '/v1/w/%61ccounts',
      '/v1/w/../w/accounts',
      '/v1/w/./accounts',
      '/v1/w/key',
      '/v1/w/counterpart/x',
      '/v1/w/transactions/1/2',
      '/openapi.json/',
      '/favicon.ico',
      `/${'x'.repeat(500)}`,
    ]
    for (const path of paths) {
      for (const sending of [{}, { key }, { key, method: 'POST' }, { method: 'HEAD' }]) {
        const reply = await service.ask(path, sending)
        t.equal(reply.status, 404, path)
        if (reply.text !== '') t.equal(outcomeOf(reply), '404 no_such_operation', path)
      }
    }
    // %2F inside a segment is part of it, never a separator.
    t.equal(outcomeOf(await service.ask('/v1/w/accounts/1%2F2', { key })), '400 invalid_parameter')
  }),
)
