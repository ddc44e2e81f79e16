import { test } from 'tap'
import { execute, rowsOf } from '../../fixtures/control-sql.js'
import { formOf, overFixtures, REDIRECT_URI, VERIFIER } from '../../fixtures/oauth-fixture.js'
import { PageVisitor } from '../../fixtures/page-visitor.js'

test(
  'of many exchanges of one code at once, one gets tokens, and they are revoked at once',
  overFixtures(async (t, fixture) => {
    const code = await fixture.newCode()
    const replies = await Promise.all(Array.from({ length: 20 }, () => fixture.exchange(code)))
    const good = replies.filter(({ status }) => status === 200)
    t.equal(good.length, 1)
    const errors = new Set(replies.map(({ json }) => json['error']).filter(Boolean))
    t.same([...errors], ['invalid_grant'])
    t.equal(await fixture.readStatus(good[0]?.json['access_token']), 401)
  }),
)

test(
  'a confidential client exchanges and refreshes with its secret',
  overFixtures(async (t, fixture) => {
    const { client, secret } = fixture.confidentialClient
    const own = { client_id: client.id, client_secret: secret }
    const code = await fixture.newCode({ client_id: client.id })
    const { status, json } = await fixture.exchange(code, own)
    t.equal(status, 200)
    t.equal(await fixture.readStatus(json['access_token']), 200)
    const without = await fixture.refresh(json['refresh_token'], { client_id: client.id })
    t.equal(without.json['error'], 'invalid_client')
    t.equal((await fixture.refresh(json['refresh_token'], own)).status, 200)
  }),
)

test(
  'permissions are those at the exchange, not at the consent',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const visitor = await fixture.signedIn()
    const newCode = async (): Promise<string> =>
      (await fixture.allowed(visitor)).searchParams.get('code') ?? ''
    const first = await newCode()
    execute(control, "UPDATE integrations SET scopes = 'accounts:read'")
    t.equal((await fixture.exchange(first)).json['scope'], 'accounts:read')
    execute(control, "UPDATE integrations SET scopes = 'accounts:read transactions:read'")
    const second = await newCode()
    execute(control, "UPDATE integrations SET scopes = ''")
    t.equal((await fixture.exchange(second)).json['error'], 'invalid_scope')
    t.equal(
      (await fixture.exchange(second)).json['error'],
      'invalid_grant',
      'and the code is used up',
    )
  }),
)

test(
  'resource may be given at both endpoints, repeatedly, in any spelling',
  overFixtures(
    async (t, fixture) => {
      const written = fixture.resource.replace('http:', 'HTTP:')
      const visitor = await fixture.signedIn()
      const page = await visitor.get(
        `${fixture.authorizeUrl({ resource: fixture.resource })}&${formOf({ resource: written })}`,
      )
      const answer = PageVisitor.target(await visitor.submit(page, { action: 'allow' }))
      const { status, json } = await fixture.exchange(answer.searchParams.get('code') ?? '', {
        resource: written,
      })
      t.equal(status, 200)
      const grants = rowsOf<{ resource: string }>(
        fixture.service.control,
        'SELECT resource FROM grants',
      )
      t.same(grants, [{ resource: fixture.resource }])
      t.equal(await fixture.readStatus(json['access_token']), 401, 'an MCP token reads no REST')
      const slashed = await visitor.get(fixture.authorizeUrl({ resource: `${fixture.resource}/` }))
      t.equal(PageVisitor.target(slashed).searchParams.get('error'), 'invalid_target')
    },
    { integration: { kind: 'mcp' } },
  ),
)

test(
  'another registered redirect_uri in its place is refused',
  overFixtures(async (t, fixture) => {
    const second = 'http://127.0.0.1:3000/cb'
    const redirectUris = [REDIRECT_URI, second, 'com.example.app:/cb']
    const { client } = await fixture.newClient({ redirectUris })
    const visitor = await fixture.signedIn()
    for (const redirect_uri of redirectUris) {
      const answer = await fixture.allowed(visitor, { client_id: client.id, redirect_uri })
      t.ok(answer.href.startsWith(redirect_uri))
      const code = answer.searchParams.get('code') ?? ''
      const form = { client_id: client.id, code_verifier: VERIFIER, redirect_uri }
      t.equal((await fixture.exchange(code, form)).status, 200)
    }
    const answer = await fixture.allowed(visitor, { client_id: client.id, redirect_uri: second })
    const code = answer.searchParams.get('code') ?? ''
    const { json } = await fixture.exchange(code, { client_id: client.id })
    t.equal(json['error'], 'invalid_grant')
  }),
)
