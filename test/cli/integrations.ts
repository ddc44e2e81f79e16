import { test } from 'tap'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { findIntegration, listIntegrations } from '../../src/store/integration-rows.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'

const OAUTH2 = ['integrations', 'create', '--workspace', 'w', '--type', 'oauth2', '--name', 'Tax']
const MCP = ['integrations', 'create', '--workspace', 'v', '--type', 'mcp', '--name', 'Agent']

test('an integration belongs to one workspace file, and the list shows it', async (t) => {
  const { run, json, control, store } = await controlCommands(t)
  const { id } = (await json(...OAUTH2)) as { id: string }
  const { catalog } = store
  t.equal((await control.look(() => findIntegration(id)))?.workspaceUid, await catalog.uidOf('w'))
  t.match(await json('integrations', 'list'), [{ id, state: 'active' }])
  await catalog.delete('w')
  t.match(await json('integrations', 'list'), [{ id, state: 'orphaned' }])
  await store.write('w', SAMPLE)
  t.match(await run(['integrations', 'list']), { stdout: /orphaned/ })
})

test('an integration is created and printed with its absolute URLs', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const made = (await json(...OAUTH2)) as { id: string; issuer: string }
  t.strictSame(made, { id: made.id, issuer: `http://127.0.0.1:8080/v1/w/oauth2/${made.id}` })
  const base = ['--base-url', 'https://bank.example.org/x/']
  const agent = (await json(...MCP, ...base)) as { id: string; endpoint: string; issuer: string }
  const endpoint = `https://bank.example.org/x/v1/v/mcp/${agent.id}`
  t.strictSame(agent, { id: agent.id, endpoint, issuer: `${endpoint}/oauth2` })
  const environment = { KONTOR_BASE_URL: 'https://env.example.org' }
  const text = await run(MCP, { environment })
  t.match(text, { code: 0, stderr: '' })
  const id = text.stdout.split(/\s+/)[1]
  const url = `https://env.example.org/v1/v/mcp/${id}`
  t.equal(text.stdout, `id        ${id}\nendpoint  ${url}\nissuer    ${url}/oauth2\n`)
  t.match(await control.look(() => findIntegration(made.id)), {
    workspaceId: 'w',
    kind: 'oauth2',
    name: 'Tax',
    isActive: true,
    accounts: 'all',
    tools: 'all',
    scopes: 'transactions:read accounts:read',
    letsRegister: false,
    codeMs: 60_000,
    accessMs: 900_000,
    refreshMs: 2_592_000_000,
  })
})

test('the given settings are stored and listed', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const lives = ['--code-life', '30s', '--access-life', '1h', '--refresh-life', '7d']
  const chosen = ['--accounts', '2,1', '--tools', 'get_accounts', '--scopes', 'accounts:read']
  const masks = ['--mask-ibans', '--dcr']
  const { id } = (await json(...MCP, ...lives, ...chosen, ...masks)) as { id: string }
  t.match(await control.look(() => findIntegration(id)), {
    accounts: '1,2',
    tools: 'get_accounts',
    letsRegister: true,
    masksIbans: true,
    masksNames: false,
    codeMs: 30_000,
    accessMs: 3_600_000,
    refreshMs: 604_800_000,
  })
  await json(...OAUTH2)
  const createdAt = '2026-07-01T00:00:00.000Z'
  const listed = (await json('integrations', 'list', '--workspace', 'v')) as unknown[]
  t.strictSame(listed, [
    {
      id,
      workspaceId: 'v',
      type: 'mcp',
      name: 'Agent',
      state: 'active',
      scopes: ['accounts:read'],
      accounts: [1, 2],
      tools: ['get_accounts'],
      dcr: true,
      maskIbans: true,
      maskNames: false,
      codeLife: '30s',
      accessLife: '1h',
      refreshLife: '7d',
      createdAt,
      updatedAt: createdAt,
      endpoint: `http://127.0.0.1:8080/v1/v/mcp/${id}`,
      issuer: `http://127.0.0.1:8080/v1/v/mcp/${id}/oauth2`,
    },
  ])
  const [, rest] = (await json('integrations', 'list')) as Record<string, unknown>[]
  t.match(rest, { type: 'oauth2', accounts: 'all', accessLife: '15m' })
  t.notOk(rest !== undefined && 'tools' in rest, 'tools belong to MCP only')
  const { stdout } = await run(['integrations', 'list'])
  const lines = stdout.trim().split('\n')
  t.match(lines[0], /^ID +WORKSPACE +TYPE +STATE +ENDPOINT OR ISSUER +NAME$/)
  t.equal(
    lines[1]?.replace(/ {2,}/g, '  '),
    `${id}  v  mcp  active  http://127.0.0.1:8080/v1/v/mcp/${id}  Agent`,
  )
  t.match(lines[2], /^[0-9a-f]{20} +w +oauth2 +active +http:\S+oauth2\S+ +Tax$/)
})

test('an integration is switched off and on, and deleted', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const { id } = (await json(...OAUTH2)) as { id: string }
  t.match(await run(['integrations', 'deactivate', id]), {
    code: 0,
    stdout: `integration ${id} is inactive\n`,
  })
  t.equal((await control.look(() => findIntegration(id)))?.isActive, false)
  t.same(await json('integrations', 'activate', id), { id })
  t.equal((await control.look(() => findIntegration(id)))?.isActive, true)
  t.match(await run(['integrations', 'delete', id]), { code: 0, stdout: /is deleted\n$/ })
  for (const verb of ['activate', 'deactivate', 'delete']) {
    const stderr = `kontor: there is no integration "${id}"; kontor integrations list shows all\n`
    t.same(await run(['integrations', verb, id]), { code: 1, stdout: '', stderr })
  }
  const logged = (await control.look(() => listAuditRows({ limit: 9 }))).map((row) => [
    row.actor,
    row.action,
  ])
  t.same(logged, [
    [CLI_ACTOR.who, 'integration.delete'],
    [CLI_ACTOR.who, 'integration.activate'],
    [CLI_ACTOR.who, 'integration.deactivate'],
    [CLI_ACTOR.who, 'integration.create'],
  ])
})

test('contradictory settings are refused, and nothing is created', async (t) => {
  const { run, control } = await controlCommands(t)
  await assertRefused(t, run, [
    [['integrations', 'create', '--type', 'mcp', '--name', 'n'], 2, /--workspace is missing/],
    [['integrations', 'create', '--workspace', 'w', '--name', 'n'], 2, /--type is missing/],
    [['integrations', 'create', '--workspace', 'w', '--type', 'mcp'], 2, /--name is missing/],
    [[...MCP.slice(0, 5), 'saml', '--name', 'n'], 2, /--type must be one of oauth2, mcp/],
    [[...OAUTH2.slice(0, 3), 'x', ...OAUTH2.slice(4)], 1, /there is no workspace "x"/],
    [[...OAUTH2, '--dcr'], 2, /--dcr applies only to --type mcp/],
    [[...OAUTH2, '--tools', 'get_accounts'], 2, /--tools applies only to --type mcp/],
    [[...OAUTH2, '--mask-names'], 2, /--mask-names applies only to --type mcp/],
    [[...MCP, '--tools', 'get_secrets'], 2, /unknown tool "get_secrets"/],
    [[...MCP, '--accounts', 'x'], 2, /--accounts "x"/],
    [[...MCP, '--scopes', 'x'], 2, /unknown scope "x"/],
    [[...MCP, '--code-life', '11m'], 2, /--code-life "11m": a time from 1s to 10m/],
    [[...MCP, '--access-life', '0'], 2, /--access-life "0"/],
    [[...MCP, '--base-url', 'bank'], 2, /--base-url "bank"/],
    [[...MCP.slice(0, -1), ' '], 2, /--name must have at least one visible character/],
    [['integrations', 'delete'], 2, /ID is missing/],
  ])
  t.same(await control.look(listIntegrations), [])
  t.same(await control.look(() => listAuditRows({ limit: 9 })), [])
})

test('the help has an example', async (t) => {
  const { run } = await controlCommands(t)
  const { stdout } = await run(['integrations', 'create', '--help'])
  t.match(stdout, 'kontor integrations create --workspace demo --type oauth2 --name "Tax adviser"')
  t.match((await run(['integrations', '--help'])).stdout, /\n {2}keys +keys of MCP endpoints\n/)
})
