// Tokens and address lists on the REST operations (docs/contract/credentials.md, "Authorization
// field"), over both engines.
import { test } from 'tap'
import { createApiKey } from '../../../src/admin/api-keys.js'
import { deactivateClient } from '../../../src/admin/clients.js'
import { activateIntegration, deactivateIntegration } from '../../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { endGrant } from '../../../src/store/grant-rows.js'
import {
  NOW_MS,
  someClient,
  someIntegration,
  someTokens,
  WIDE_KEY,
} from '../../fixtures/control.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, START_MS } from '../../fixtures/service.js'

test(
  'an access token opens its workspace within its scopes and accounts',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('v', SAMPLE)
    const integration = await someIntegration(service.control, { accountIds: [1] })
    const { client } = await someClient(service.control, integration.id)
    const { access: key, refresh } = await someTokens(service.control, client)
    const accounts = bodyOf(await service.ask('/v1/w/accounts', { key })) as { id: number }[]
    t.same(
      accounts.map(({ id }) => id),
      [1],
    )
    t.equal(outcomeOf(await service.ask('/v1/w/accounts/2', { key })), '400 not_found')
    t.equal(outcomeOf(await service.ask('/v1/v/accounts', { key })), '401 unauthorized')
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: refresh })), '401 unauthorized')
    t.strictSame(bodyOf(await service.ask('/v1/w/key/scope', { key })), {
      workspaceId: 'w',
      type: 'oauth',
      scopes: ['transactions:read', 'accounts:read'],
      accounts: [1],
      name: 'app',
      createdAt: '2026-07-01T00:00:00.000Z',
      expiresAt: '2026-07-01T00:01:00.000Z',
      clientId: client.id,
      integrationId: integration.id,
    })
    const narrow = (await someTokens(service.control, client, 'accounts:read')).access
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: narrow })), '200')
    const lacking = await service.ask('/v1/w/transactions', { key: narrow })
    t.equal(outcomeOf(lacking), '401 insufficient_scope')
    service.nowMs = START_MS + 60_000
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key })), '401 unauthorized', 'expired')
  }),
)

test(
  'tokens of an MCP integration, and MCP keys, open no operation',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const integration = await someIntegration(service.control, { kind: 'mcp' })
    const { access } = await someTokens(
      service.control,
      (await someClient(service.control, integration.id)).client,
    )
    for (const key of [access, access.replace('at-', 'mcp-'), access.replace('at-', 'sk-')]) {
      t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key })), '401 unauthorized')
    }
  }),
)

test(
  'the end of a token takes effect on the next request, cached or not',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { control } = service
    const { id } = await someIntegration(control)
    const { client } = await someClient(control, id)
    const { grantId, access: key } = await someTokens(control, client)
    const first = await service.ask('/v1/w/accounts', { key })
    t.equal(first.status, 200)
    const ask = async (): Promise<string> => {
      const headers = { 'If-None-Match': first.fields['etag'] ?? '' }
      return outcomeOf(await service.ask('/v1/w/accounts', { key, headers }))
    }
    t.equal(await ask(), '304')
    await deactivateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
    t.equal(await ask(), '401 unauthorized')
    await activateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
    t.equal(await ask(), '304')
    await control.atomically(() => endGrant(grantId, NOW_MS))
    t.equal(await ask(), '401 unauthorized')
    const other = (await someTokens(control, client)).access
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: other })), '200')
    await deactivateClient({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, client.id)
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: other })), '401 unauthorized')
  }),
)

test(
  'a key with an address list is valid from there only, whatever other proxies claim',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const keyOf = async (...ipAllow: string[]): Promise<string> =>
      (
        await createApiKey(
          { control: service.control, nowMs: NOW_MS, actor: CLI_ACTOR },
          { ...WIDE_KEY, ipAllow },
        )
      ).key
    const headers = { 'X-Forwarded-For': '192.0.2.7' }
    const here = await service.ask('/v1/w/accounts', {
      key: await keyOf('::1', '127.0.0.0/8'),
      headers,
    })
    t.equal(outcomeOf(here), '200')
    const elsewhere = await service.ask('/v1/w/accounts', {
      key: await keyOf('192.0.2.7'),
      headers,
    })
    t.equal(outcomeOf(elsewhere), '401 unauthorized')
  }),
)
