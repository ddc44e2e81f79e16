// Strangers at many addresses fill an integration that lets programs register themselves: honest
// programs register again within ten minutes, whoever was consented to stays, and the audit log
// grows by some rows a minute. Every address of 127.0.0.0/8 is one of this machine.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Test, test } from 'tap'
import { tellRefusals } from '../../src/auth/refusals.js'
import {
  DYNAMIC_CLIENT_KEPT_MS,
  DYNAMIC_CLIENTS_MAX,
  REFUSALS_TOLD_MAX,
  REGISTRATIONS_PER_MINUTE_MAX,
} from '../../src/credential-limits.js'
import { type OAuthDesk, overDesks, REDIRECT_URI } from '../fixtures/oauth-desk.js'

const WISH = { integration: { kind: 'mcp', letsRegister: true } } as const

interface Registration {
  readonly status: number
  readonly clientId: string
}

/** @param localAddress of 127.0.0.0/8, all of which is this machine */
async function register(
  { issuer }: OAuthDesk,
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

/** Registers from as many addresses as it takes. @returns how many were taken */
async function flood(desk: OAuthDesk, count: number, network: number): Promise<number> {
  let taken = 0
  for (let i = 0; i < count; i++) {
    const address = `127.${network}.0.${1 + Math.floor(i / REGISTRATIONS_PER_MINUTE_MAX)}`
    taken += (await register(desk, address)).status === 201 ? 1 : 0
  }
  return taken
}

function dynamicIds({ service }: OAuthDesk): string[] {
  const sql = "SELECT id FROM clients WHERE registered = 'dynamic' ORDER BY created_at, rowid"
  return service.control.all<{ id: string }>(sql).map(({ id }) => id)
}

async function consented(t: Test, desk: OAuthDesk): Promise<string> {
  const { clientId: id } = await register(desk, '127.0.0.1')
  const own = { client_id: id, resource: desk.resource }
  await desk.allowed(await desk.signedIn(), own)
  t.ok(dynamicIds(desk).includes(id))
  return id
}

test(
  'an honest program registers ten minutes after a flood, and pushes out a stranger’s',
  overDesks(async (t, desk) => {
    const { service } = desk
    const kept = await consented(t, desk)
    const begunMs = service.nowMs
    t.equal(await flood(desk, DYNAMIC_CLIENTS_MAX - 1, 1), DYNAMIC_CLIENTS_MAX - 1)
    const [, oldest = ''] = dynamicIds(desk)
    service.nowMs = begunMs + DYNAMIC_CLIENT_KEPT_MS
    t.equal((await register(desk, '127.0.0.2')).status, 503, 'theirs may still be signing in')
    service.nowMs += 1
    const honest = await register(desk, '127.0.0.2')
    t.equal(honest.status, 201)
    const ids = dynamicIds(desk)
    t.equal(ids.length, DYNAMIC_CLIENTS_MAX)
    t.notOk(ids.includes(oldest))
    t.ok(ids.includes(kept), 'older than all, but consented to')
    t.equal(await flood(desk, 200, 2), 200)
    const after = dynamicIds(desk)
    t.equal(after.length, DYNAMIC_CLIENTS_MAX)
    t.ok(after.includes(honest.clientId), 'the next flood does not push it out')
    t.ok(after.includes(kept))
  }, WISH),
)

test(
  'the audit log tells some of them and counts the others',
  overDesks(async (t, desk) => {
    const { control, nowMs } = desk.service
    const before = desk.audit().length
    await flood(desk, 200, 1)
    t.equal(desk.audit().length - before, REFUSALS_TOLD_MAX)
    tellRefusals(control, nowMs + 60_000)
    const [told] = desk.audit(1)
    t.match(told, {
      ...{ action: 'client.register', outcome: 'ok', actor: 'anonymous', fromAddress: null },
      ...{ integrationId: desk.integration.id, detail: `{"further":${200 - REFUSALS_TOLD_MAX}}` },
    })
    desk.service.nowMs += 60_000
    await register(
      desk,
      '127.0.0.9',
      Array.from({ length: 20 }, (_, i) => `${REDIRECT_URI}&i=${i}`),
    )
    t.match(
      desk.audit(1)[0]?.detail,
      /"redirectUris":\["[^"]+","[^"]+","[^"]+"\],"redirectUriCount":20/,
    )
  }, WISH),
)
