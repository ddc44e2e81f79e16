import { test } from 'tap'
import { originOf } from '../../src/http/cors.js'
import type { Reply } from '../fixtures/contract-check.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { overEngines } from '../fixtures/service.js'

const LISTED = 'https://app.example.org'
const ALLOWED_FIELDS = 'Authorization, Content-Type, X-Request-Id, If-None-Match'
const ORIGINS = [LISTED, 'http://localhost:3000']
const STRANGERS = ['https://evil.example.org', 'null', `${LISTED}.evil.org`, `${LISTED}:8443`]

function accessFields({ fields }: Reply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name.startsWith('access-control-')),
  )
}

test('an origin is scheme and host, as browsers write it', async (t) => {
  const rows = {
    'https://app.example.org': 'https://app.example.org',
    'https://app.example.org/': 'https://app.example.org',
    'HTTPS://App.Example.ORG:443': 'https://app.example.org',
    'http://localhost:3000': 'http://localhost:3000',
    'http://[::1]:80': 'http://[::1]',
    'https://app.example.org/path': undefined,
    'https://app.example.org/?': undefined,
    'https://app.example.org/#': undefined,
    'https://user@app.example.org': undefined,
    'app.example.org': undefined,
    'https://': undefined,
    '*': undefined,
    null: undefined,
    'ftp://app.example.org': undefined,
    'javascript:alert(1)': undefined,
    '': undefined,
  }
  for (const [text, origin] of Object.entries(rows)) t.equal(originOf(text), origin, text)
})

test(
  'answers to a listed origin are readable there, errors included',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const { key } = await service.newKey('w')
      const etag = (await service.ask('/v1/w/accounts', { key })).fields['etag'] ?? ''
      const asked: readonly (readonly [target: string, sending: object, status: number])[] = [
        ['/v1/w/accounts', { key }, 200],
        ['/v1/w/accounts', { key, method: 'HEAD' }, 200],
        ['/v1/w/accounts', { key, headers: { 'If-None-Match': etag } }, 304],
        ['/v1/w/accounts?limit=x', { key }, 400],
        ['/v1/w/accounts', {}, 401],
        ['/v1/w/nowhere', {}, 404],
        ['/v1/w/accounts', { method: 'POST' }, 405],
        ['/openapi.json', {}, 200],
      ]
      for (const [target, sending, status] of asked) {
        for (const origin of ORIGINS) {
          const headers = {
            ...('headers' in sending ? Object(sending.headers) : {}),
            Origin: origin,
          }
          const reply = await service.ask(target, { ...sending, headers })
          t.equal(reply.status, status, target)
          t.equal(reply.fields['access-control-allow-origin'], origin)
          t.equal(reply.fields['vary'], 'Origin')
          const exposed = reply.fields['access-control-expose-headers']?.split(', ') ?? []
          for (const name of [
            'X-Total-Count',
            'X-Next-Cursor',
            'Link',
            'ETag',
            'X-Request-Id',
            'Retry-After',
          ]) {
            t.ok(exposed.includes(name), name)
          }
        }
        for (const origin of [...STRANGERS, undefined]) {
          const headers = origin === undefined ? {} : { Origin: origin }
          const reply = await service.ask(target, { headers })
          t.same(accessFields(reply), {}, `to ${origin}`)
          t.equal(reply.fields['vary'], 'Origin', 'a cache must not mix the two')
        }
      }
    },
    { corsOrigins: ORIGINS },
  ),
)

test(
  'a preflight from a listed origin is answered without a credential',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      const preflight = {
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      }
      for (const path of ['/v1/w/accounts', '/v1/unknown/transactions', '/nowhere']) {
        const headers = { ...preflight, Origin: LISTED }
        const reply = await service.ask(path, { method: 'OPTIONS', headers })
        t.equal(reply.status, 204)
        t.same(accessFields(reply), {
          'access-control-allow-origin': LISTED,
          'access-control-allow-methods': 'GET, HEAD, POST',
          'access-control-allow-headers': ALLOWED_FIELDS,
          'access-control-max-age': '7200',
        })
      }
      for (const origin of STRANGERS) {
        const headers = { ...preflight, Origin: origin }
        const reply = await service.ask('/v1/w/accounts', { method: 'OPTIONS', headers })
        t.equal(reply.status, 405, origin)
        t.same(accessFields(reply), {})
      }
      const plain = await service.ask('/v1/w/accounts', {
        method: 'OPTIONS',
        headers: { Origin: LISTED },
      })
      t.equal(plain.status, 405, 'OPTIONS without a preflight')
    },
    { corsOrigins: ORIGINS },
  ),
)
