// While the database is unreachable, a credential that cannot be looked up gets 503 and never 401,
// for which a client would discard a valid credential, and a browser would be signed out.
import { type Test, test } from 'tap'
import type { ControlStore } from '../../src/store/control-store.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import { type Rig, rigs } from '../fixtures/http-rig.js'
import { OAuthFixture, typedName } from '../fixtures/oauth-fixture.js'
import { PageVisitor } from '../fixtures/page-visitor.js'
import { bodyOf, outcomeOf } from '../fixtures/service.js'

interface Silent {
  readonly fixture: OAuthFixture
  readonly control: AwaitingControl
}

async function open(t: Test, rig: Rig): Promise<Silent> {
  let control: AwaitingControl | undefined
  const controlOver = (file: ControlStore): ControlStore => {
    control = new AwaitingControl(file)
    return control
  }
  const fixture = await OAuthFixture.open(t, rig, { service: { controlOver } })
  if (control === undefined) throw new Error('the service has opened it')
  return { fixture, control }
}

for (const rig of rigs) {
  test(`a store is out of contact for a minute: ${rig.name}`, async (t) => {
    const { fixture, control } = await open(t, rig)
    const { service } = fixture
    const { key } = await service.newKey('w')
    const tokens = await fixture.newTokens()
    const unused = await fixture.newTokens()
    const visitor = new PageVisitor()
    const page = await visitor.get(fixture.authorizeUrl())
    const list = '/v1/w/accounts'
    t.equal((await service.ask(list, { key })).fields['age'], undefined)
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    t.same(bodyOf(await service.ask('/readyz')), { status: 'ready' })

    control.isUnavailable = true
    control.silenceMs = 5_000
    const reply = await service.ask(list, { key })
    t.equal(reply.status, 200)
    t.equal(reply.fields['age'], '5')
    const again = await service.ask(list, {
      key,
      headers: { 'If-None-Match': reply.fields['etag'] ?? '' },
    })
    t.equal(again.status, 304)
    t.equal(again.fields['age'], '5')
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    t.equal(await fixture.readStatus(unused['access_token']), 503)
    const unknown = await service.ask(list, { key: `sk-${'x'.repeat(43)}` })
    t.equal(outcomeOf(unknown), '503 store_unavailable')
    t.equal(unknown.fields['retry-after'], '1')
    t.same(bodyOf(await service.ask('/readyz')), { status: 'ready', degraded: true })
    t.equal((await service.ask('/livez')).status, 200)

    const refused = await fixture.refresh(tokens['refresh_token'])
    t.equal(refused.status, 503)
    t.equal(refused.json['error'], 'temporarily_unavailable')
    t.equal(refused.headers.get('retry-after'), '1')
    t.equal((await visitor.submit(page, { ...typedName(), action: 'sign-in' })).status, 503)
    const dashboard = await new PageVisitor().get(`${fixture.url}/dashboard`)
    t.equal(dashboard.status, 503)
    t.match(dashboard.text, /^<!doctype html>.*<h1>The database does not answer<\/h1>/s)
    t.equal(dashboard.headers.get('retry-after'), '1')

    control.silenceMs = 60_001
    t.equal(outcomeOf(await service.ask(list, { key })), '503 store_unavailable')
    t.equal(await fixture.readStatus(tokens['access_token']), 503)
    const unready = await service.ask('/readyz')
    t.equal(unready.status, 503)
    t.same(bodyOf(unready), {
      status: 'unavailable',
      reasons: ['database_unavailable'],
      degraded: true,
    })

    control.isUnavailable = false
    control.silenceMs = 0
    t.equal((await service.ask(list, { key })).status, 200)
    t.equal(await fixture.readStatus(unused['access_token']), 200)
    const rotated = await fixture.refresh(tokens['refresh_token'])
    t.equal(rotated.status, 200, 'nothing was spent')
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })
}
