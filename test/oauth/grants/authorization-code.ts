import { test } from 'tap'
import { formOf, overDesks, REDIRECT_URI, VERIFIER } from '../../fixtures/oauth-desk.js'
import { PageVisitor } from '../../fixtures/page-visitor.js'

test(
  'of many who exchange one code at once, one gets tokens, and they end at once',
  overDesks(async (t, desk) => {
    const code = await desk.newCode()
    const replies = await Promise.all(Array.from({ length: 20 }, () => desk.exchange(code)))
    const good = replies.filter(({ status }) => status === 200)
    t.equal(good.length, 1)
    const errors = new Set(replies.map(({ json }) => json['error']).filter(Boolean))
    t.same([...errors], ['invalid_grant'])
    t.equal(await desk.readStatus(good[0]?.json['access_token']), 401)
  }),
)

test(
  'a confidential client exchanges and refreshes with its secret',
  overDesks(async (t, desk) => {
    const { client, secret } = desk.confidentialClient
    const own = { client_id: client.id, client_secret: secret }
    const code = await desk.newCode({ client_id: client.id })
    const { status, json } = await desk.exchange(code, own)
    t.equal(status, 200)
    t.equal(await desk.readStatus(json['access_token']), 200)
    const without = await desk.refresh(json['refresh_token'], { client_id: client.id })
    t.equal(without.json['error'], 'invalid_client')
    t.equal((await desk.refresh(json['refresh_token'], own)).status, 200)
  }),
)

test(
  'what is permitted counts as it is at the exchange, not at the consent',
  overDesks(async (t, desk) => {
    const { control } = desk.service
    const visitor = await desk.signedIn()
    const newCode = async (): Promise<string> =>
      (await desk.allowed(visitor)).searchParams.get('code') ?? ''
    const first = await newCode()
    control.run("UPDATE integrations SET scopes = 'accounts:read'")
    t.equal((await desk.exchange(first)).json['scope'], 'accounts:read')
    control.run("UPDATE integrations SET scopes = 'accounts:read transactions:read'")
    const second = await newCode()
    control.run("UPDATE integrations SET scopes = ''")
    t.equal((await desk.exchange(second)).json['error'], 'invalid_scope')
    t.equal((await desk.exchange(second)).json['error'], 'invalid_grant', 'and the code is gone')
  }),
)

test(
  'resource may be named, at both endpoints, more than once, in any way of writing it',
  overDesks(
    async (t, desk) => {
      const written = desk.resource.replace('http:', 'HTTP:')
      const visitor = await desk.signedIn()
      const page = await visitor.get(
        `${desk.authorizeUrl({ resource: desk.resource })}&${formOf({ resource: written })}`,
      )
      const answer = PageVisitor.target(await visitor.submit(page, { action: 'allow' }))
      const { status, json } = await desk.exchange(answer.searchParams.get('code') ?? '', {
        resource: written,
      })
      t.equal(status, 200)
      const grants = desk.service.control.all<{ resource: string }>('SELECT resource FROM grants')
      t.same(grants, [{ resource: desk.resource }])
      t.equal(await desk.readStatus(json['access_token']), 401, 'an MCP token reads no REST')
      const slashed = await visitor.get(desk.authorizeUrl({ resource: `${desk.resource}/` }))
      t.equal(PageVisitor.target(slashed).searchParams.get('error'), 'invalid_target')
    },
    { integration: { kind: 'mcp' } },
  ),
)

test(
  'a redirect_uri with another saved one in the place is refused',
  overDesks(async (t, desk) => {
    const second = 'http://127.0.0.1:3000/cb'
    const redirectUris = [REDIRECT_URI, second, 'com.example.app:/cb']
    const { client } = desk.newClient({ redirectUris })
    const visitor = await desk.signedIn()
    for (const redirect_uri of redirectUris) {
      const answer = await desk.allowed(visitor, { client_id: client.id, redirect_uri })
      t.ok(answer.href.startsWith(redirect_uri))
      const code = answer.searchParams.get('code') ?? ''
      const form = { client_id: client.id, code_verifier: VERIFIER, redirect_uri }
      t.equal((await desk.exchange(code, form)).status, 200)
    }
    const answer = await desk.allowed(visitor, { client_id: client.id, redirect_uri: second })
    const code = answer.searchParams.get('code') ?? ''
    const { json } = await desk.exchange(code, { client_id: client.id })
    t.equal(json['error'], 'invalid_grant')
  }),
)
