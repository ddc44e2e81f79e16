// The way of an agent from a URL to an answer, with the official clients: they are refused, find
// the authorization server, register or not, send the user there, and return with a token.
import {
  Client,
  InsufficientScopeError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as old from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Test, test } from 'tap'
import { countDynamicClients } from '../../src/store/client-rows.js'
import { overMcpFixtures } from '../fixtures/mcp-fixture.js'
import { type OAuthFixture, REDIRECT_URI } from '../fixtures/oauth-fixture.js'
import { PageVisitor } from '../fixtures/page-visitor.js'

const NAMED = { name: 'test', version: '1' }
const CALL = { name: 'get_transactions', arguments: { limit: 1 } }

interface Information {
  client_id: string
  client_secret?: string
}

interface Tokens {
  access_token: string
  token_type: string
  refresh_token?: string
}

/** A client's storage, and the URL to which it sends the user. */
class Memory {
  readonly redirectUrl = REDIRECT_URI
  /** The URL to which the user was sent last. */
  sentTo: URL | undefined
  #tokens: Tokens | undefined
  #verifier = ''

  constructor(
    private readonly method: 'none' | 'client_secret_post',
    private information: Information | undefined,
  ) {}

  get clientMetadata() {
    return {
      redirect_uris: [REDIRECT_URI],
      client_name: 'Agent',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.method,
    }
  }

  state(): string {
    return 'state of the client'
  }

  clientInformation(): Information | undefined {
    return this.information
  }

  saveClientInformation(information: Information): void {
    this.information = information
  }

  tokens(): Tokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }
}

/** The callback after the user allows the request. */
async function allowed(fixture: OAuthFixture, { sentTo }: Memory): Promise<URL> {
  if (sentTo === undefined) throw new Error('the client has not redirected its user')
  const visitor = await fixture.signedIn()
  const page = await visitor.get(sentTo.href)
  return PageVisitor.target(await visitor.submit(page, { action: 'allow' }))
}

/** Connects, is refused, has a user allow it and connects again. @returns the connected client */
async function connectNew(
  t: Test,
  fixture: OAuthFixture,
  memory: Memory,
  mode: 'auto' | 'legacy',
): Promise<Client> {
  const url = new URL(fixture.resource)
  const first = new StreamableHTTPClientTransport(url, { authProvider: memory })
  const refused = new Client(NAMED, { versionNegotiation: { mode } })
  await t.rejects(refused.connect(first), UnauthorizedError)
  await first.finishAuth((await allowed(fixture, memory)).searchParams)
  const client = new Client(NAMED, { versionNegotiation: { mode } })
  t.teardown(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: memory }))
  return client
}

/** A client registered by an operator. */
async function registered(
  fixture: OAuthFixture,
  type: 'public' | 'confidential',
): Promise<Information> {
  const { client, secret } = await fixture.newClient({ type })
  return { client_id: client.id, ...(secret === undefined ? {} : { client_secret: secret }) }
}

const OPTIONS = { integration: { letsRegister: true } } as const

for (const type of ['public', 'confidential'] as const) {
  const method = type === 'public' ? 'none' : 'client_secret_post'
  for (const isKnown of [false, true]) {
    const name = `a ${type} client, ${isKnown ? 'known' : 'registering itself'}, is let in`
    test(
      `${name}: the current library`,
      overMcpFixtures(async (t, fixture) => {
        for (const [i, mode] of (['auto', 'legacy'] as const).entries()) {
          const memory = new Memory(method, isKnown ? await registered(fixture, type) : undefined)
          const client = await connectNew(t, fixture, memory, mode)
          t.match(await client.callTool(CALL), { structuredContent: { workspaceId: 'w' } })
          const registrations = fixture.service.control.look(() =>
            countDynamicClients(fixture.integration.id),
          )
          t.equal(registrations, isKnown ? 0 : i + 1)
          t.equal(memory.sentTo?.searchParams.get('resource'), fixture.resource)
          t.equal(memory.sentTo?.searchParams.get('scope'), 'transactions:read accounts:read')

          // Its access token has expired, and it continues with the refresh token by itself.
          const before = memory.tokens()?.access_token
          fixture.service.nowMs += fixture.integration.accessMs
          t.match(await client.callTool(CALL), { structuredContent: { workspaceId: 'w' } })
          t.not(memory.tokens()?.access_token, before)
        }
      }, OPTIONS),
    )
    test(
      `${name}: the previous library`,
      overMcpFixtures(async (t, fixture) => {
        const memory = new Memory(method, isKnown ? await registered(fixture, type) : undefined)
        const url = new URL(fixture.resource)
        const transport = () =>
          new old.StreamableHTTPClientTransport(url, { authProvider: memory as OldProvider })
        const first = transport()
        const refused: unknown = await new OldClient(NAMED)
          .connect(first as OldTransport)
          .catch((error: unknown) => error)
        t.ok(refused instanceof OldUnauthorizedError, String(refused))
        await first.finishAuth((await allowed(fixture, memory)).searchParams.get('code') ?? '')
        const client = new OldClient(NAMED)
        t.teardown(() => client.close())
        await client.connect(transport() as OldTransport)
        t.match(await client.callTool(CALL), { structuredContent: { workspaceId: 'w' } })
        const registrations = fixture.service.control.look(() =>
          countDynamicClients(fixture.integration.id),
        )
        t.equal(registrations, isKnown ? 0 : 1)
      }, OPTIONS),
    )
  }
}

// The library's own types disagree under exactOptionalPropertyTypes.
type OldTransport = Parameters<OldClient['connect']>[0]
type OldProvider = NonNullable<old.StreamableHTTPClientTransportOptions['authProvider']>

test(
  'a client that may not register is refused',
  overMcpFixtures(async (t, fixture) => {
    const memory = new Memory('none', undefined)
    const transport = new StreamableHTTPClientTransport(new URL(fixture.resource), {
      authProvider: memory,
    })
    const connecting = new Client(NAMED).connect(transport)
    await t.rejects(connecting, { message: /does not support dynamic client registration/ })
    t.equal(memory.sentTo, undefined)
  }),
)

test(
  'a client with too few scopes asks its user for the rest, and keeps the others',
  overMcpFixtures(async (t, fixture) => {
    const memory = new Memory('none', { client_id: fixture.publicClient.client.id })
    const little = await fixture.newTokens({ scope: 'accounts:read', resource: fixture.resource })
    memory.saveTokens({
      ...little,
      access_token: `${little['access_token']}`,
      token_type: 'Bearer',
    })
    const transport = new StreamableHTTPClientTransport(new URL(fixture.resource), {
      authProvider: memory,
    })
    const client = new Client(NAMED)
    t.teardown(() => client.close())
    await client.connect(transport)
    const own = await client.callTool({ name: 'get_accounts', arguments: { how: 'answer' } })
    t.match(own, { isError: true })
    await t.rejects(client.callTool(CALL), UnauthorizedError)
    const asked = memory.sentTo?.searchParams.get('scope')?.split(' ').sort()
    t.same(asked, ['accounts:read', 'transactions:read'])
    await transport.finishAuth((await allowed(fixture, memory)).searchParams)
    t.match(await client.callTool(CALL), { structuredContent: { workspaceId: 'w' } })
  }),
)

test(
  'a client that cannot ask its user learns the missing scopes',
  overMcpFixtures(async (t, fixture) => {
    const memory = new Memory('none', { client_id: fixture.publicClient.client.id })
    const little = await fixture.newTokens({ scope: 'accounts:read', resource: fixture.resource })
    memory.saveTokens({
      ...little,
      access_token: `${little['access_token']}`,
      token_type: 'Bearer',
    })
    const transport = new StreamableHTTPClientTransport(new URL(fixture.resource), {
      authProvider: memory,
      onInsufficientScope: 'throw',
    })
    const client = new Client(NAMED, { versionNegotiation: { mode: 'auto' } })
    t.teardown(() => client.close())
    await client.connect(transport)
    await t.rejects(client.callTool(CALL), InsufficientScopeError)
    t.equal(memory.sentTo, undefined)
  }),
)
