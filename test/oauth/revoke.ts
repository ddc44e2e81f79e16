import { test } from 'tap'
import { createSecret } from '../../src/auth/secret.js'
import { overDesks, type Parameters } from '../fixtures/oauth-desk.js'

test(
  'revoking either token ends the family, and the answer says no more than 200',
  overDesks(async (t, desk) => {
    const client_id = desk.publicClient.client.id
    for (const name of ['access_token', 'refresh_token']) {
      for (const token_type_hint of [undefined, name, 'access_token', 'unknown']) {
        const tokens = await desk.newTokens()
        const form = { token: `${tokens[name]}`, token_type_hint, client_id }
        const reply = await desk.post('revoke', form)
        t.equal(reply.status, 200)
        t.same(reply.json, {})
        t.equal(reply.headers.get('cache-control'), 'no-store')
        t.equal(reply.headers.get('access-control-allow-origin'), '*')
        t.equal(desk.lastDeed(), 'token.revoke ok')
        t.equal(await desk.readStatus(tokens['access_token']), 401)
        t.equal((await desk.refresh(tokens['refresh_token'])).json['error'], 'invalid_grant')
        t.equal((await desk.post('revoke', form)).status, 200, 'revoking again is no error')
        t.equal(desk.lastDeed(), 'token.revoke refused unknown token')
      }
    }
  }),
)

test(
  'a token that is unknown or of another client is answered alike and stays as it is',
  overDesks(async (t, desk) => {
    const tokens = await desk.newTokens()
    const code = await desk.newCode()
    const before = desk.state()
    const own = { client_id: desk.publicClient.client.id }
    const { client, secret } = desk.confidentialClient
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
      const reply = await desk.post('revoke', form)
      t.equal(reply.status, 200)
      t.same(reply.json, {})
      t.equal(desk.lastDeed(), 'token.revoke refused unknown token')
      t.same(desk.state(), before)
    }
    t.equal(await desk.readStatus(tokens['access_token']), 200)
  }),
)

test(
  'who does not authenticate revokes nothing',
  overDesks(async (t, desk) => {
    const { client, secret } = desk.confidentialClient
    const own = { client_id: client.id, client_secret: secret }
    const code = await desk.newCode({ client_id: client.id })
    const { json } = await desk.exchange(code, own)
    const token = `${json['access_token']}`
    const before = desk.state()
    const cases: readonly (readonly [form: Parameters, told: string])[] = [
      [{ token }, '400 invalid_request'],
      [{ ...own }, '400 invalid_request'],
      [{ ...own, token: '' }, '400 invalid_request'],
      [{ token, client_id: 'unknown' }, '401 invalid_client'],
      [{ token, client_id: client.id }, '401 invalid_client'],
      [{ ...own, token, client_secret: 'cs-wrong' }, '401 invalid_client'],
      [{ ...own, token, x: '\0' }, '400 invalid_request'],
    ]
    for (const [form, told] of cases) {
      const reply = await desk.post('revoke', form)
      t.equal(`${reply.status} ${reply.json['error']}`, told)
      t.equal(desk.lastDeed(), `token.revoke refused ${reply.json['error']}`)
      t.same(desk.state(), before)
    }
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`,
    }
    const basic = await desk.send('revoke', new URLSearchParams({ token }).toString(), headers)
    t.match(basic, { status: 401, json: { error: 'invalid_client' } })
    const typeless = await desk.send('revoke', '{}', { 'Content-Type': 'application/json' })
    t.match(typeless, { status: 415, json: { error: 'invalid_request' } })
    t.equal((await fetch(`${desk.issuer}/revoke?token=${token}`)).status, 405)
    t.same(desk.state(), before)
    t.equal(await desk.readStatus(token), 200)
  }),
)
