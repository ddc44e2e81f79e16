import { test } from 'tap'
import { overDesks, REDIRECT_URI } from '../fixtures/oauth-desk.js'

test(
  'a public client gets from consent to reading, refreshing and revoking',
  overDesks(async (t, desk) => {
    const visitor = await desk.signedIn()
    const answer = await desk.allowed(visitor, { state: 'st at/e?&' })
    t.equal(answer.searchParams.get('state'), 'st at/e?&')
    t.equal(answer.searchParams.get('iss'), desk.issuer)
    t.match(answer.href, `${REDIRECT_URI}&code=ac-`)
    const first = await desk.exchange(answer.searchParams.get('code') ?? '')
    t.equal(first.status, 200)
    t.equal(first.headers.get('cache-control'), 'no-store')
    t.match(first.json, {
      access_token: /^at-[-\w]{43}$/,
      refresh_token: /^rt-[-\w]{43}$/,
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'transactions:read accounts:read',
    })
    t.equal(await desk.readStatus(first.json['access_token']), 200)
    const second = await desk.refresh(first.json['refresh_token'])
    t.equal(second.status, 200)
    t.equal(await desk.readStatus(first.json['access_token']), 401, 'replaced')
    t.equal(await desk.readStatus(second.json['access_token']), 200)
    const revoked = await desk.post('revoke', {
      token: String(second.json['access_token']),
      client_id: desk.publicClient.client.id,
    })
    t.equal(revoked.status, 200)
    t.equal(await desk.readStatus(second.json['access_token']), 401)
    t.match(await desk.refresh(second.json['refresh_token']), {
      status: 400,
      json: { error: 'invalid_grant' },
    })
    const told = desk.audit().map(({ action, outcome, actor }) => `${action} ${outcome} ${actor}`)
    const client = `client:${desk.publicClient.client.id}`
    t.same(told.reverse().slice(3), [
      'session.begin ok operator:ada',
      'consent.decide ok operator:ada',
      `token.issue ok ${client}`,
      `token.refresh ok ${client}`,
      `token.revoke ok ${client}`,
      `token.refresh refused ${client}`,
    ])
  }),
)
