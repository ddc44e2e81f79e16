// Attackers at many addresses fill an integration with open registration: honest programs register
// again within ten minutes, clients with a consent stay, and the audit log grows by some rows a
// minute. Every address of 127.0.0.0/8 is on this machine.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Test, test } from 'tap'
import { flushRefusals, REFUSALS_LOGGED_MAX } from '../../src/auth/refusals.js'
import { DYNAMIC_CLIENT_KEPT_MS, DYNAMIC_CLIENTS_MAX } from '../../src/oauth/register.js'
import { REGISTRATIONS_PER_MINUTE_MAX } from '../../src/oauth/routes.js'
import { rowsOf } from '../fixtures/control-sql.js'
import { type OAuthFixture, overFixtures, REDIRECT_URI } from '../fixtures/oauth-fixture.js'

const OPTIONS = { integration: { kind: 'mcp', letsRegister: true } } as const

interface Registration {
  readonly status: number
  readonly clientId: string
}

/** @param localAddress of 127.0.0.0/8, all of which is this machine */
async function register(
  { issuer }: OAuthFixture,
  localAddress: string,
  redirectUris: readonly string[] = [REDIRECT_URI],
): Promise<Registration> {
  const headers = { 'Content-Type': 'application/json' }
  const sent = request(`${issuer}/register`, { method: 'POST', localAddress, headers })
  sent.end(JSON.stringify({ redirect_uris: redirectUris }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const parsed = JSON.parse(await text(response)) as { client_id?: string }
  return { status: response.statusCode ?? 0, clientId: parsed.client_id ?? '' }
}

/** Registers from as many addresses as needed. @returns the number of accepted registrations */
async function flood(fixture: OAuthFixture, count: number, network: number): Promise<number> {
  let taken = 0
  for (let i = 0; i < count; i++) {
    const address = `127.${network}.0.${1 + Math.floor(i / REGISTRATIONS_PER_MINUTE_MAX)}`
    taken += (await register(fixture, address)).status === 201 ? 1 : 0
  }
  return taken
}

function dynamicIds({ service }: OAuthFixture): string[] {
  const sql = "SELECT id FROM clients WHERE registered = 'dynamic' ORDER BY created_at, rowid"
  return rowsOf<{ id: string }>(service.control, sql).map(({ id }) => id)
}

async function consented(t: Test, fixture: OAuthFixture): Promise<string> {
  const { clientId: id } = await register(fixture, '127.0.0.1')
  const own = { client_id: id, resource: fixture.resource }
  await fixture.allowed(await fixture.signedIn(), own)
  t.ok(dynamicIds(fixture).includes(id))
  return id
}

test(
  'an honest program registers ten minutes after a flood, and evicts one of the flood',
  overFixtures(async (t, fixture) => {
    const { service } = fixture
    const kept = await consented(t, fixture)
    const begunMs = service.nowMs
    t.equal(await flood(fixture, DYNAMIC_CLIENTS_MAX - 1, 1), DYNAMIC_CLIENTS_MAX - 1)
    const [, oldest = ''] = dynamicIds(fixture)
    service.nowMs = begunMs + DYNAMIC_CLIENT_KEPT_MS
    t.equal((await register(fixture, '127.0.0.2')).status, 503, 'theirs may still be signing in')
    service.nowMs += 1
    const honest = await register(fixture, '127.0.0.2')
    t.equal(honest.status, 201)
    const ids = dynamicIds(fixture)
    t.equal(ids.length, DYNAMIC_CLIENTS_MAX)
    t.notOk(ids.includes(oldest))
    t.ok(ids.includes(kept), 'older than all, but with a consent')
    t.equal(await flood(fixture, 200, 2), 200)
    const after = dynamicIds(fixture)
    t.equal(after.length, DYNAMIC_CLIENTS_MAX)
    t.ok(after.includes(honest.clientId), 'the next flood does not evict it')
    t.ok(after.includes(kept))
  }, OPTIONS),
)

test(
  'the audit log has some of them and counts the others',
  overFixtures(async (t, fixture) => {
    const { control, nowMs } = fixture.service
    const before = fixture.audit().length
    await flood(fixture, 200, 1)
    t.equal(fixture.audit().length - before, REFUSALS_LOGGED_MAX)
    await control.atomically(() => flushRefusals(nowMs + 60_000))
    const [logged] = fixture.audit(1)
    t.match(logged, {
      ...{ action: 'client.register', outcome: 'ok', actor: 'anonymous', fromAddress: null },
      ...{
        integrationId: fixture.integration.id,
        detail: `{"further":${200 - REFUSALS_LOGGED_MAX}}`,
      },
    })
    fixture.service.nowMs += 60_000
    await register(
      fixture,
      '127.0.0.9',
      Array.from({ length: 20 }, (_, i) => `${REDIRECT_URI}&i=${i}`),
    )
    t.match(
      fixture.audit(1)[0]?.detail,
      /"redirectUris":\["[^"]+","[^"]+","[^"]+"\],"redirectUriCount":20/,
    )
  }, OPTIONS),
)
