import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { FIRST_DAY_MS, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../fixtures/service.js'

const TARGETS = [
  'accounts',
  'accounts/1',
  'accounts/1/transactions?sortBy=amount',
  'transactions?limit=3',
  'transactions/search?query=re-1&limit=3',
  'accounts/1/transactions/search?query=',
  'counterpart/DE02120300000000202051/transactions/search?query=RE&sortBy=amount',
  'transactions/1',
  'categories',
  'categories/1',
  'key/scope',
]

test(
  'an unchanged resource is 304, with the same tag and no body',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const other = (await service.newKey('w')).key
    for (const path of TARGETS) {
      const target = `/v1/w/${path}`
      const first = await service.ask(target, { key })
      const etag = first.fields['etag'] ?? ''
      const known = [etag, `W/${etag}`, `"x", ${etag}`, '*', ` ${etag} , "y"`]
      for (const value of known) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { 'If-None-Match': value }
          const reply = await service.ask(target, { key, method, headers })
          t.equal(reply.status, 304, `${method} ${path} ${value}`)
          t.equal(reply.fields['etag'], etag)
        }
      }
      for (const value of ['"x"', etag.slice(1, -1), 'x', '']) {
        const reply = await service.ask(target, { key, headers: { 'If-None-Match': value } })
        t.equal(reply.text, first.text, `${path} ${value}`)
      }
      const others = await service.ask(target, { key: other, headers: { 'If-None-Match': etag } })
      t.equal(others.status, 200, 'the tag of one credential is invalid for another')
    }
    const longer = await service.ask('/v1/w/transactions?limit=4', { key })
    const short = await service.ask('/v1/w/transactions?limit=3', { key })
    t.not(longer.fields['etag'], short.fields['etag'])
  }),
)

test(
  'an invalid query is refused whatever the tag',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const value of ['*', '"x"']) {
      const headers = { 'If-None-Match': value }
      const bad = await service.ask('/v1/w/transactions?limit=251', { key, headers })
      t.equal(outcomeOf(bad), '400 invalid_parameter', value)
      const missing = await service.ask('/v1/w/transactions/9999', { key, headers })
      t.equal(outcomeOf(missing), '400 not_found', value)
      t.equal(
        outcomeOf(await service.ask('/v1/w/accounts', { headers })),
        '401 unauthorized',
        value,
      )
    }
  }),
)

test(
  'a change of the file is served, with another tag',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const target = '/v1/w/transactions?limit=1'
    const before = await service.ask(target, { key })
    const etag = before.fields['etag'] ?? ''
    const headers = { 'If-None-Match': etag }
    const file = WorkspaceFile.open(service.pathOf('w'))
    file.insertTransaction(transactionRow(400, 2, { purpose: 'new', bookedAt: FIRST_DAY_MS }), null)
    file.close()
    await service.until(async () => (await service.ask(target, { key, headers })).status === 200)
    const after = await service.ask(target, { key })
    t.match(bodyOf(after), [{ id: 400, purpose: 'new' }])
    t.equal(after.fields['x-total-count'], '303')
    t.not(after.fields['etag'], etag)
  }),
)

test(
  'HEAD has the fields of GET and no body',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const refused = [
      'transactions?limit=251',
      'transactions/search?query=%09',
      'transactions/9999',
      'nowhere',
    ]
    for (const path of [...TARGETS, ...refused]) {
      const get = await service.ask(`/v1/w/${path}`, { key })
      const head = await service.ask(`/v1/w/${path}`, { key, method: 'HEAD' })
      t.equal(head.text, '')
      t.equal(head.status, get.status, path)
      for (const name of ['content-length', 'content-type', 'etag', 'link', 'x-total-count']) {
        t.equal(head.fields[name], get.fields[name], `${path}: ${name}`)
      }
    }
  }),
)

test(
  'other methods are 405, OPTIONS among them while CORS is off',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const method of ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      for (const path of ['/v1/w/accounts', '/v1/unknown/transactions/1', '/openapi.json']) {
        const headers = {
          Origin: 'https://app.example.org',
          'Access-Control-Request-Method': 'GET',
        }
        const reply = await service.ask(path, { method, key, headers })
        t.equal(outcomeOf(reply), '405 method_not_allowed', `${method} ${path}`)
        t.notOk(reply.names.some((name) => /^(access-control|vary)/.test(name)))
      }
    }
  }),
)

test(
  'a valid request id is kept',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const id of ['a', '~'.repeat(128), '{"x":1}']) {
      for (const sending of [{ key }, {}]) {
        const headers = { 'X-Request-Id': id }
        const reply = await service.ask('/v1/w/accounts', { ...sending, headers })
        t.equal(reply.fields['x-request-id'], id)
      }
    }
  }),
)

test(
  'the document is public, with the given address',
  overEngines(async (t, service) => {
    const reply = await service.ask('/openapi.json')
    t.match(bodyOf(reply), { openapi: '3.0.3', servers: [{ url: 'http://kontor.test' }] })
    const headers = { 'If-None-Match': reply.fields['etag'] ?? '' }
    t.equal((await service.ask('/openapi.json', { headers })).status, 304)
    const head = await service.ask('/openapi.json', { method: 'HEAD' })
    t.equal(head.fields['content-length'], String(Buffer.byteLength(reply.text)))
  }),
)
