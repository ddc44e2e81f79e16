import { test } from 'tap'
import { deactivateIntegration, type NewIntegration } from '../../src/admin/integrations.js'
import { findEndpoint, McpEndpoints } from '../../src/mcp/endpoint.js'
import { done } from '../../src/store/work.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import { ACTOR, NOW_MS, newControl, someIntegration } from '../fixtures/control.js'
import { ECHO_TOOL, FAILING_TOOL } from '../fixtures/mcp-fixture.js'

const SOURCE = {
  baseUrl: () => 'https://bank.example.org/kontor',
  workspaceExists: (workspaceId: string) => done(workspaceId === 'w'),
  tools: [ECHO_TOOL, FAILING_TOOL],
}

test('an endpoint has its URLs, its tools and their scopes', async (t) => {
  const control = await newControl(t)
  const { id } = await someIntegration(control, { kind: 'mcp' })
  const named = { workspaceId: 'w', integrationId: id, document: 'endpoint' } as const
  const path = `/kontor/v1/w/mcp/${id}`
  t.same(await findEndpoint({ ...SOURCE, control }, named), {
    integrationId: id,
    url: `https://bank.example.org/kontor/v1/w/mcp/${id}`,
    metadataUrl: `https://bank.example.org/.well-known/oauth-protected-resource${path}`,
    issuer: `https://bank.example.org/kontor/v1/w/mcp/${id}/oauth2`,
    tools: SOURCE.tools,
    scopes: ['transactions:read', 'accounts:read'],
  })
  t.equal(await findEndpoint({ ...SOURCE, control }, { ...named, workspaceId: 'v' }), undefined)
  await deactivateIntegration({ control, nowMs: NOW_MS, actor: ACTOR }, id)
  t.equal(await findEndpoint({ ...SOURCE, control }, named), undefined)
})

test('an endpoint is looked up again when integrations have changed', async (t) => {
  const file = await newControl(t)
  const control = new AwaitingControl(file)
  const { id } = await someIntegration(file, { kind: 'mcp' })
  const named = { workspaceId: 'w', integrationId: id, document: 'endpoint' } as const
  const endpoints = new McpEndpoints({ ...SOURCE, control })
  const found = await endpoints.find(named)
  t.match(found, { integrationId: id })
  control.isUnavailable = true
  t.equal(endpoints.find(named), found, 'without contact')
  await t.rejects(Promise.resolve(endpoints.find({ ...named, workspaceId: 'v' })))
  await deactivateIntegration({ control: file, nowMs: NOW_MS, actor: ACTOR }, id)
  await t.rejects(Promise.resolve(endpoints.find(named)))
  control.isUnavailable = false
  t.equal(await endpoints.find(named), undefined)
  const atOnce = new McpEndpoints({ ...SOURCE, control: file })
  t.equal(await atOnce.find(named), undefined)
})

test('a tool that is disabled, or that no credential can use, is absent', async (t) => {
  const control = await newControl(t)
  const cases: readonly (readonly [Partial<NewIntegration>, string[]])[] = [
    [{ tools: ['get_accounts'] }, ['get_accounts']],
    [{ scopes: ['transactions:read'] }, ['get_transactions']],
    [{ tools: ['get_accounts'], scopes: ['transactions:read'] }, []],
    [{ tools: [] }, []],
  ]
  for (const [options, names] of cases) {
    const { id } = await someIntegration(control, { kind: 'mcp', ...options })
    const path = { workspaceId: 'w', integrationId: id, document: 'endpoint' } as const
    const found = await findEndpoint({ ...SOURCE, control }, path)
    t.same(
      found?.tools.map(({ name }) => name),
      names,
    )
    const scopes = found?.tools.map(({ scope }) => scope)
    t.same(found?.scopes, scopes)
  }
})
