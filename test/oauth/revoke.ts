import { test } from 'tap'
import { createSecret } from '../../src/auth/secret.js'
import { ACCESS_TOKEN_MS_DEFAULT } from '../../src/limits.js'
import { sweepExpired } from '../../src/store/sweep.js'
import { execute, rowsOf } from '../fixtures/control-sql.js'
import { overFixtures, type Parameters } from '../fixtures/oauth-fixture.js'
import { wordsOf } from '../fixtures/page-visitor.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { runHere } from '../fixtures/terminal.js'

test(
  'revoking either token ends the family, and the answer is an empty object',
  overFixtures(async (t, fixture) => {
    const client_id = fixture.publicClient.client.id
    for (const name of ['access_token', 'refresh_token']) {
      for (const token_type_hint of [undefined, name, 'access_token', 'unknown']) {
        const tokens = await fixture.newTokens()
        const form = { token: `${tokens[name]}`, token_type_hint, client_id }
        const reply = await fixture.post('revoke', form)
        t.equal(reply.status, 200)
        t.equal(reply.text, '{}', 'JSON, for clients that always parse the body')
        t.equal(reply.headers.get('content-type'), 'application/json')
        t.equal(reply.headers.get('cache-control'), 'no-store')
        t.equal(reply.headers.get('access-control-allow-origin'), '*')
        t.equal(fixture.lastAuditEvent(), 'token.revoke ok')
        t.equal(await fixture.readStatus(tokens['access_token']), 401)
        t.equal((await fixture.refresh(tokens['refresh_token'])).json['error'], 'invalid_grant')
        t.equal((await fixture.post('revoke', form)).status, 200, 'a second revocation is no error')
        t.equal(fixture.lastAuditEvent(), 'token.revoke refused unknown token')
      }
    }
  }),
)

test(
  'a rotated token still revokes its family, within its own lifetime',
  overFixtures(async (t, fixture) => {
    const client_id = fixture.publicClient.client.id
    for (const name of ['access_token', 'refresh_token']) {
      const first = await fixture.newTokens()
      const second = (await fixture.refresh(first['refresh_token'])).json
      const third = (await fixture.refresh(second['refresh_token'])).json
      t.equal(await fixture.readStatus(first['access_token']), 401)
      t.equal(await fixture.readStatus(third['access_token']), 200)
      t.match(await fixture.post('revoke', { token: `${first[name]}`, client_id }), { status: 200 })
      t.equal(fixture.lastAuditEvent(), 'token.revoke ok')
      t.equal(await fixture.readStatus(third['access_token']), 401)
      t.equal((await fixture.refresh(third['refresh_token'])).json['error'], 'invalid_grant')
    }
    const first = await fixture.newTokens()
    const second = (await fixture.refresh(first['refresh_token'])).json
    fixture.service.nowMs += ACCESS_TOKEN_MS_DEFAULT
    await fixture.service.control.atomically(() => sweepExpired(fixture.service.nowMs, 1_000))
    await fixture.post('revoke', { token: `${first['access_token']}`, client_id })
    t.equal(fixture.lastAuditEvent(), 'token.revoke refused unknown token')
    t.equal((await fixture.refresh(second['refresh_token'])).status, 200, 'the family stays valid')
  }),
)

test(
  'an unknown or foreign token gets the same answer, and stays as it is',
  overFixtures(async (t, fixture) => {
    const tokens = await fixture.newTokens()
    const code = await fixture.newCode()
    const before = fixture.state()
    const own = { client_id: fixture.publicClient.client.id }
    const { client, secret } = fixture.confidentialClient
    const other = { client_id: client.id, client_secret: secret }
    const cases: readonly Parameters[] = [
      { ...own, token: 'unknown' },
      { ...own, token: createSecret('at-') },
      { ...own, token: `${tokens['access_token']}x` },
      { ...own, token: code },
      { ...other, token: `${tokens['access_token']}` },
      { ...other, token: `${tokens['refresh_token']}` },
    ]
    for (const form of cases) {
      const reply = await fixture.post('revoke', form)
      t.equal(reply.status, 200)
      t.equal(reply.text, '{}')
      t.equal(fixture.lastAuditEvent(), 'token.revoke refused unknown token')
      t.same(fixture.state(), before)
    }
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
  }),
)

test(
  'an unauthenticated client revokes nothing',
  overFixtures(async (t, fixture) => {
    const { client, secret } = fixture.confidentialClient
    const own = { client_id: client.id, client_secret: secret }
    const code = await fixture.newCode({ client_id: client.id })
    const { json } = await fixture.exchange(code, own)
    const token = `${json['access_token']}`
    const before = fixture.state()
    const cases: readonly (readonly [form: Parameters, expected: string])[] = [
      [{ token }, '400 invalid_request'],
      [{ ...own }, '400 invalid_request'],
      [{ ...own, token: '' }, '400 invalid_request'],
      [{ token, client_id: 'unknown' }, '401 invalid_client'],
      [{ token, client_id: client.id }, '401 invalid_client'],
      [{ ...own, token, client_secret: 'cs-wrong' }, '401 invalid_client'],
      [{ ...own, token, x: '\0' }, '400 invalid_request'],
    ]
    for (const [form, expected] of cases) {
      const reply = await fixture.post('revoke', form)
      t.equal(`${reply.status} ${reply.json['error']}`, expected)
      t.equal(fixture.lastAuditEvent(), `token.revoke refused ${reply.json['error']}`)
      t.same(fixture.state(), before)
    }
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`,
    }
    const basic = await fixture.send('revoke', new URLSearchParams({ token }).toString(), headers)
    t.match(basic, { status: 401, json: { error: 'invalid_client' } })
    const typeless = await fixture.send('revoke', '{}', { 'Content-Type': 'application/json' })
    t.match(typeless, { status: 415, json: { error: 'invalid_request' } })
    t.equal((await fetch(`${fixture.issuer}/revoke?token=${token}`)).status, 405)
    t.same(fixture.state(), before)
    t.equal(await fixture.readStatus(token), 200)
  }),
)

test(
  'concurrent refreshes and a revocation leave nothing valid',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const client_id = fixture.publicClient.client.id
    for (let round = 0; round < 5; round++) {
      const code = (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
      const { json } = await fixture.exchange(code)
      const token = `${json['refresh_token']}`
      const [revoked, ...refreshed] = await Promise.all([
        ...(round % 2 === 0 ? [fixture.post('revoke', { token, client_id })] : []),
        fixture.refresh(token),
        ...(round % 2 === 0 ? [] : [fixture.post('revoke', { token, client_id })]),
        fixture.refresh(token),
      ])
      for (const reply of [revoked, ...refreshed]) {
        const { access_token, refresh_token } = reply?.json ?? {}
        if (access_token === undefined) continue
        t.equal(await fixture.readStatus(access_token), 401)
        t.equal((await fixture.refresh(refresh_token)).json['error'], 'invalid_grant')
      }
      t.equal(await fixture.readStatus(json['access_token']), 401)
    }
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM tokens'), [])
  }),
)

test(
  'rows deleted with a workspace do not return with another of its name',
  overFixtures(async (t, fixture) => {
    const { service } = fixture
    const { access_token, refresh_token } = await fixture.newTokens()
    t.equal(await fixture.readStatus(access_token), 200)
    const dataDir = ['--data-dir', service.directory.path]
    t.match(await runHere(['workspaces', 'delete', 'w', ...dataDir]), { code: 0 })
    t.equal(await fixture.readStatus(access_token), 401)
    t.equal((await fixture.refresh(refresh_token)).status, 404)
    await service.write('w', SAMPLE)
    t.equal(await fixture.readStatus(access_token), 401)
    t.equal((await fixture.refresh(refresh_token)).status, 404)
  }),
)

test(
  'a token sees the chosen accounts; an emptied choice sees none',
  overFixtures(
    async (t, fixture) => {
      const { control } = fixture.service
      const visitor = await fixture.signedIn()
      const code = (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
      const token = (await fixture.exchange(code)).json['access_token']
      const countOf = async (path: string): Promise<string | null> => {
        const headers = { Authorization: `Bearer ${token}` }
        return (await fetch(`${fixture.url}/v1/w/${path}`, { headers })).headers.get(
          'x-total-count',
        )
      }
      t.equal(await countOf('accounts'), '1')
      for (const [accounts, isSeen] of [
        ['', false],
        ['99', false],
        ['all', true],
      ] as const) {
        execute(control, 'UPDATE integrations SET accounts = @accounts', { accounts })
        t.equal((await countOf('accounts')) !== '0', isSeen, accounts)
        t.equal((await countOf('transactions')) !== '0', isSeen, accounts)
      }
      execute(control, "UPDATE integrations SET accounts = ''")
      t.match(wordsOf(await visitor.get(fixture.authorizeUrl())), 'None: the selected accounts')
    },
    { integration: { accountIds: [1] } },
  ),
)
