import { renameSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { bodyOf, outcomeOf, overEngines } from '../fixtures/service.js'

const PATHS = ['/livez', '/readyz']

test(
  'an answering service is alive and ready, without a credential and outside the count',
  overEngines(
    async (t, service) => {
      const origin = { Origin: 'https://a.test' }
      // The limit is one request a minute; probes do not count.
      for (let i = 0; i < 3; i++) {
        t.same(bodyOf(await service.ask('/livez', { headers: origin })), { status: 'live' })
        t.same(bodyOf(await service.ask('/readyz', { key: 'sk-unknown' })), { status: 'ready' })
      }
      for (const path of PATHS) {
        const head = await service.ask(path, { method: 'HEAD' })
        t.equal(head.status, 200)
        t.equal(head.fields['access-control-allow-origin'], undefined)
        for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
          const reply = await service.ask(path, { method })
          t.equal(outcomeOf(reply), '405 method_not_allowed', `${method} ${path}`)
          t.equal(reply.fields['allow'], 'GET, HEAD')
        }
        t.equal((await service.ask(`${path}/`)).status, 404)
      }
      const counted = Array.from(
        service.service.metricSources.requests.entries(),
        ([name, totals]) => {
          return [name, totals.times.count] as const
        },
      ).filter(([, count]) => count > 0)
      t.same(counted, [
        ['openapi', 1],
        ['none', 2],
      ])
    },
    { requestsPerMinute: 1, corsOrigins: ['https://a.test'] },
  ),
)

test(
  'workspaces that cannot be loaded are counted, and do not affect the others',
  overEngines(async (t, service) => {
    writeFileSync(service.pathOf('damaged'), 'no database')
    const { key } = await service.newKey('damaged')
    t.equal((await service.ask('/v1/damaged/accounts', { key })).status, 503)
    const reply = await service.ask('/readyz')
    t.equal(reply.status, 200)
    t.same(bodyOf(reply), { status: 'ready', failingWorkspaces: 1 })
  }),
)

test(
  'a draining service is alive, not ready, and answers all other requests as before',
  overEngines(async (t, service) => {
    service.service.drain()
    service.service.drain()
    t.same(bodyOf(await service.ask('/livez')), { status: 'live' })
    const reply = await service.ask('/readyz')
    t.equal(reply.status, 503)
    t.same(bodyOf(reply), { status: 'unavailable', reasons: ['stopping'] })
    t.equal((await service.ask('/readyz', { method: 'HEAD' })).status, 503)
    t.equal(outcomeOf(await service.ask('/v1/w/accounts')), '401 unauthorized')
    t.equal((await service.ask('/openapi.json')).status, 200)
  }),
)

test(
  'a service without its data is not ready, and reveals no path',
  overEngines(async (t, service) => {
    const { path } = service.directory
    renameSync(path, `${path}-away`)
    const reply = await service.ask('/readyz')
    t.equal(reply.status, 503)
    t.same(bodyOf(reply), {
      status: 'unavailable',
      reasons: ['data_directory_unreadable', 'control_db_unreadable'],
    })
    renameSync(`${path}-away`, path)
    t.equal((await service.ask('/readyz')).status, 200, 'it was absent for a while')
  }),
)
