import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { RATE_CREDENTIALS_MAX, RateLimit } from '../../src/http/rate-limit.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { outcomeOf, overEngines, START_MS } from '../fixtures/service.js'

test('counts per credential equal those of a naive list of instants', async (t) => {
  const steps = fc.array(
    fc.record({ credential: fc.constantFrom('a', 'b', 'c'), waitMs: fc.nat({ max: 30_000 }) }),
    { maxLength: 60 },
  )
  assertProperty(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (requests, max) => {
      let nowMs = START_MS
      const limit = new RateLimit(max, () => nowMs)
      const starts = new Map<string, { startMs: number; count: number }>()
      for (const { credential, waitMs } of requests) {
        nowMs += waitMs
        let naive = starts.get(credential)
        if (naive === undefined || nowMs - naive.startMs >= 60_000) {
          naive = { startMs: nowMs, count: 0 }
          starts.set(credential, naive)
        }
        const isExceeded = naive.count === max
        if (!isExceeded) naive.count++
        const resetSeconds = Math.ceil((naive.startMs + 60_000 - nowMs) / 1000)
        assert.deepEqual(limit.take(credential), {
          isExceeded,
          resetSeconds,
          fields: [
            ['RateLimit-Policy', `"default";q=${max};w=60`],
            ['RateLimit', `"default";r=${max - naive.count};t=${resetSeconds}`],
          ],
        })
      }
    }),
  )
  t.pass('equal')
})

test('a clock that is set back blocks no caller', async (t) => {
  let nowMs = START_MS
  const limit = new RateLimit(1, () => nowMs)
  t.notOk(limit.take('a').isExceeded)
  t.ok(limit.take('a').isExceeded)
  nowMs -= 3_600_000
  t.notOk(limit.take('a').isExceeded)
  t.equal(limit.take('a').resetSeconds, 60)
})

test('memory is bounded: the oldest count goes first', async (t) => {
  const limit = new RateLimit(1, () => START_MS)
  for (let i = 0; i < RATE_CREDENTIALS_MAX; i++) limit.take(`k${i}`)
  t.ok(limit.take('k0').isExceeded, 'all of them are counted')
  limit.take('one more')
  t.notOk(limit.take('k0').isExceeded, 'the oldest was forgotten')
  t.ok(limit.take(`k${RATE_CREDENTIALS_MAX - 1}`).isExceeded)
})

test(
  'a credential without requests left is 429 until the window ends',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const other = (await service.newKey('w', { scopes: ['accounts:read'] })).key
      const first = await service.ask('/v1/w/accounts', { key })
      t.equal(first.fields['ratelimit-policy'], '"default";q=3;w=60')
      t.equal(first.fields['ratelimit'], '"default";r=2;t=60')
      const etag = first.fields['etag'] ?? ''
      service.nowMs += 20_000
      const second = await service.ask('/v1/w/accounts', {
        key,
        headers: { 'If-None-Match': etag },
      })
      t.match([second.status, second.fields['ratelimit']], [304, '"default";r=1;t=40'])
      const third = await service.ask('/v1/w/accounts?limit=x', { key })
      t.match([third.status, third.fields['ratelimit']], [400, '"default";r=0;t=40'])
      for (let i = 0; i < 3; i++) {
        const refused = await service.ask('/v1/w/accounts', { key })
        t.equal(outcomeOf(refused), '429 rate_limited')
        t.equal(refused.fields['retry-after'], '40')
        t.equal(refused.fields['ratelimit'], '"default";r=0;t=40')
      }
      const narrow = await service.ask('/v1/w/transactions', { key: other })
      t.equal(outcomeOf(narrow), '401 insufficient_scope', 'another credential has its own count')
      t.equal(narrow.fields['ratelimit'], '"default";r=2;t=60')
      const unknown = await service.ask('/v1/w/accounts', { key: 'sk-x' })
      t.equal(outcomeOf(unknown), '401 unauthorized')
      t.notOk(unknown.fields['ratelimit'], 'a refused caller has no count')
      service.nowMs += 40_000
      t.equal((await service.ask('/v1/w/accounts', { key })).status, 200)
    },
    { requestsPerMinute: 3 },
  ),
)

test(
  'with CORS, the 429 is readable in the browser',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const headers = { Origin: 'https://a.test' }
      await service.ask('/v1/w/accounts', { key, headers })
      const refused = await service.ask('/v1/w/accounts', { key, headers })
      t.equal(refused.status, 429)
      t.equal(refused.fields['access-control-allow-origin'], 'https://a.test')
      t.equal(refused.fields['ratelimit'], '"default";r=0;t=60')
    },
    { requestsPerMinute: 1, corsOrigins: ['https://a.test'] },
  ),
)

test(
  'without a limit these fields are absent',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { names } = await service.ask('/v1/w/accounts', { key: (await service.newKey('w')).key })
    t.notOk(names.some((name) => name.startsWith('ratelimit')))
  }),
)
