import { test } from 'tap'
import type { Exchange } from '../../src/http/engine/exchange.js'
import { PacedQueue } from '../../src/http/paced-queue.js'
import type { Issuer } from '../../src/oauth/issuer.js'
import type { OAuthParts } from '../../src/oauth/parts.js'
import { answerToken } from '../../src/oauth/token.js'
import { newControlFile } from '../fixtures/control.js'
import { overFixtures, REDIRECT_URI } from '../fixtures/oauth-fixture.js'

test(
  'a public client gets from consent to reading, refreshing and revoking',
  overFixtures(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const answer = await fixture.allowed(visitor, { state: 'st at/e?&' })
    t.equal(answer.searchParams.get('state'), 'st at/e?&')
    t.equal(answer.searchParams.get('iss'), fixture.issuer)
    t.match(answer.href, `${REDIRECT_URI}&code=ac-`)
    const first = await fixture.exchange(answer.searchParams.get('code') ?? '')
    t.equal(first.status, 200)
    t.equal(first.headers.get('cache-control'), 'no-store')
    t.match(first.json, {
      access_token: /^at-[-\w]{43}$/,
      refresh_token: /^rt-[-\w]{43}$/,
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'transactions:read accounts:read',
    })
    t.equal(await fixture.readStatus(first.json['access_token']), 200)
    const second = await fixture.refresh(first.json['refresh_token'])
    t.equal(second.status, 200)
    t.equal(await fixture.readStatus(first.json['access_token']), 401, 'rotated')
    t.equal(await fixture.readStatus(second.json['access_token']), 200)
    const revoked = await fixture.post('revoke', {
      token: String(second.json['access_token']),
      client_id: fixture.publicClient.client.id,
    })
    t.equal(revoked.status, 200)
    t.equal(await fixture.readStatus(second.json['access_token']), 401)
    t.match(await fixture.refresh(second.json['refresh_token']), {
      status: 400,
      json: { error: 'invalid_grant' },
    })
    const expected = fixture
      .audit()
      .map(({ action, outcome, actor }) => `${action} ${outcome} ${actor}`)
    const client = `client:${fixture.publicClient.client.id}`
    t.same(expected.reverse().slice(3), [
      'session.begin ok operator:ada',
      'consent.decide ok operator:ada',
      `token.issue ok ${client}`,
      `token.refresh ok ${client}`,
      `token.revoke ok ${client}`,
      `token.refresh refused ${client}`,
    ])
  }),
)

/** A refresh with a complete body, of a client that may disconnect. */
function leavingExchange(leaving: AbortController): Exchange {
  return {
    ...{ method: 'POST', path: '/token', query: '', requestId: 'r', remoteAddress: '192.0.2.1' },
    field: (name: string) => (name === 'content-type' ? 'application/x-www-form-urlencoded' : ''),
    body: async () => Buffer.from('grant_type=refresh_token&refresh_token=rt-x'),
    signal: leaving.signal,
    get aborted() {
      return leaving.signal.aborted
    },
  } as unknown as Exchange
}

test('a held client that disconnects has used no token', async (t) => {
  const control = newControlFile(t)
  const leaving = new AbortController()
  let release = (): void => undefined
  const holding = control.holdWhile(
    new Promise<void>((resolve) => {
      release = resolve
    }),
  )
  // The parts that it would read or write are missing.
  const parts = { control, queue: new PacedQueue(0) } as unknown as OAuthParts
  const answering = answerToken(parts, {} as Issuer, leavingExchange(leaving))
  // The form is read at once, then the request waits.
  await new Promise((resolve) => setImmediate(resolve))
  leaving.abort(new Error('gone'))
  release()
  await holding
  await t.rejects(answering, { message: 'gone' })
})

test('a client that disconnects in the queue has used no token', async (t) => {
  const queue = new PacedQueue(0)
  const others = [1, 2, 3].map(() => queue.waitTurn())
  const leaving = new AbortController()
  const parts = { control: newControlFile(t), queue } as unknown as OAuthParts
  const answering = answerToken(parts, {} as Issuer, leavingExchange(leaving))
  await others[1]
  leaving.abort(new Error('gone'))
  await t.rejects(answering, { message: 'gone' })
})

test('a hold that starts during the queueing is awaited as well', async (t) => {
  const control = newControlFile(t)
  const queue = new PacedQueue(0)
  const others = [1, 2].map(() => queue.waitTurn())
  const leaving = new AbortController()
  let hasEnded = false
  const answering = answerToken(
    { control, queue } as unknown as OAuthParts,
    {} as Issuer,
    leavingExchange(leaving),
  ).finally(() => {
    hasEnded = true
  })
  await others[0]
  let release = (): void => undefined
  const holding = control.holdWhile(
    new Promise<void>((resolve) => {
      release = resolve
    }),
  )
  for (let i = 0; i < 9; i++) await new Promise((resolve) => setImmediate(resolve))
  t.notOk(hasEnded)
  leaving.abort(new Error('gone'))
  release()
  await holding
  await t.rejects(answering, { message: 'gone' })
})
