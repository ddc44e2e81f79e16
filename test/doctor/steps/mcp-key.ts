import { test } from 'tap'
import { createMcpKey, revokeMcpKey } from '../../../src/admin/mcp-keys.js'
import { createSecret } from '../../../src/auth/secret.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { SCOPES } from '../../../src/domain/key-scope.js'
import type { Spoiling } from '../../fixtures/broken-front.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'

const MCP = { kind: 'mcp', letsRegister: true } as const

test('an unusable key is reported with its reason, before a request', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: MCP })
  const { control, nowMs } = doctor.fixture.service
  const { id: integrationId } = doctor.fixture.integration
  const newKey = (options: Partial<Parameters<typeof createMcpKey>[1]> = {}) => {
    const plain = { integrationId, name: 'k', scopes: SCOPES, expiresAtMs: null }
    return createMcpKey({ control, nowMs, actor: CLI_ACTOR }, { ...plain, ...options })
  }
  const revoked = await newKey()
  await revokeMcpKey({ control, nowMs, actor: CLI_ACTOR }, revoked.id)
  const other = await newKey({
    integrationId: (await doctor.fixture.newIntegration({ kind: 'mcp' })).id,
  })
  const faults: readonly (readonly [key: string, observed: RegExp])[] = [
    [createSecret('sk-'), /^not an MCP key/],
    ['mcp-short', /^not an MCP key/],
    [createSecret('mcp-'), /^this data directory does not contain the key$/],
    [revoked.key, /^key \d+ \(k\) was revoked$/],
    [(await newKey({ expiresAtMs: nowMs })).key, /^key \d+ \(k\) has expired$/],
    [(await newKey({ scopes: [] })).key, /has no scope that the integration permits$/],
    [other.key, /^key \d+ \(k\) belongs to integration /],
  ]
  for (const [key, observed] of faults) {
    const findings = await doctor.findings({ key })
    const fix = new RegExp(
      `^Create one with kontor integrations keys create --integration ${integrationId}`,
    )
    t.match(findings['key'], { outcome: 'failed', observed, fix })
    t.match(findings['initialize'], { outcome: 'skipped' })
    t.notMatch(JSON.stringify(findings), key)
  }
  const good = await newKey()
  const findings = await doctor.findings({ key: good.key })
  t.match(findings['key'], { outcome: 'ok', observed: `key ${good.id} (k)` })
  t.match(findings['get-accounts'], {
    outcome: 'ok',
    observed: `${SAMPLE.accounts.length} accounts`,
  })
  t.notMatch(JSON.stringify(findings), good.key)
  const bound = await newKey({ ipAllow: ['192.0.2.0/24'] })
  const elsewhere = await doctor.findings({ key: bound.key })
  t.match(elsewhere['key'], { observed: `key ${bound.id} (k), only from 192.0.2.0/24` })
  t.match(elsewhere['initialize'], { outcome: 'failed', observed: /^401/ })
})

test('a key lost on the way is noticed', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: MCP })
  const request: Spoiling['request'] = ({ headers }) => {
    if (headers.authorization?.startsWith('Bearer mcp-')) delete headers.authorization
    return undefined
  }
  const findings = await doctor.findings({ spoiling: { request } })
  const lost = { outcome: 'failed', fix: /removes the Authorization header/ }
  t.match(findings['initialize'], lost)
  t.match(findings['discover'], lost)
})

test('tools whose scope is missing are named', async (t) => {
  const doctor = await DoctorFixture.open(t, {
    integration: { ...MCP, scopes: ['transactions:read'] },
  })
  t.match((await doctor.findings())['tools'], {
    outcome: 'failed',
    observed: 'get_accounts is missing',
    fix: /get_accounts needs accounts:read/,
  })
  const chosen = { ...MCP, tools: ['get_transactions'] } as const
  const integration = await doctor.fixture.newIntegration(chosen)
  const findings = await doctor.findings({ integration })
  t.match(findings['tools'], { outcome: 'ok', observed: 'get_transactions' })
  t.match(findings['get-accounts'], { outcome: 'skipped' })
})

test('altered answers of the endpoint are reported', async (t) => {
  const doctor = await DoctorFixture.open(t, { integration: MCP })
  const answer: Spoiling['answer'] = (passing, { path, headers }) => {
    const isKey = headers.authorization?.startsWith('Bearer mcp-')
    if (/\/mcp\/[^/]+$/.test(path) && isKey) passing.body = '<html>'
  }
  const findings = await doctor.findings({ spoiling: { answer } })
  t.match(findings['initialize'], { observed: /; 200 with a protocolVersion was expected$/ })
  t.match(findings['discover'], { observed: /; 200 with supportedVersions was expected$/ })
})
