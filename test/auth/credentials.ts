import { test } from 'tap'
import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/admin/api-keys.js'
import { activateIntegration, deactivateIntegration } from '../../src/admin/integrations.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import { Credentials, SWEEP_ROWS_MAX } from '../../src/auth/credentials.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import type { IntegrationKind } from '../../src/domain/integration.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { findApiKey } from '../../src/store/api-key-rows.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import {
  addTokens,
  NOW_MS,
  newControl,
  newControlFile,
  someClient,
  someIntegration,
  someTokens,
  WIDE_KEY,
} from '../fixtures/control.js'
import { execute, rowOf } from '../fixtures/control-sql.js'

const HERE = { remoteAddress: '127.0.0.1' }

function credentialsOf(control: ControlStore) {
  const state = { nowMs: NOW_MS, ticks: 0 }
  const clocks = { clock: () => state.nowMs, ticks: () => (state.ticks += 1) }
  return { credentials: new Credentials(control, clocks), state }
}

test('each credential opens its own surface only', async (t) => {
  const control = await newControl(t)
  const { credentials } = credentialsOf(control)
  const made = async (kind: IntegrationKind) => {
    const { id } = await someIntegration(control, { kind })
    const { client } = await someClient(control, id)
    return { id, ...(await someTokens(control, client)) }
  }
  const [rest, mcp, otherMcp] = [await made('oauth2'), await made('mcp'), await made('mcp')]
  const mcpKey = async (integrationId: string): Promise<string> => {
    const input = { integrationId, name: 'k', scopes: SCOPES, expiresAtMs: null }
    return (await createMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, input)).key
  }
  const apiKey = (await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)).key
  const opens: Readonly<Record<string, readonly string[]>> = {
    [apiKey]: ['rest'],
    [rest.access]: ['rest'],
    [mcp.access]: ['mcp'],
    [await mcpKey(mcp.id)]: ['mcp'],
    [otherMcp.access]: ['other mcp'],
    [await mcpKey(otherMcp.id)]: ['other mcp'],
    [rest.refresh]: [],
    [mcp.refresh]: [],
    [apiKey.replace('sk-', 'mcp-')]: [],
    [apiKey.replace('sk-', 'at-')]: [],
    [apiKey.slice(3)]: [],
    [`${apiKey}x`]: [],
    '': [],
  }
  for (const [secret, expected] of Object.entries(opens)) {
    const found = [
      ...((await credentials.forRest(secret, HERE)) === undefined ? [] : ['rest']),
      ...((await credentials.forMcp(secret, mcp.id, HERE)) === undefined ? [] : ['mcp']),
      ...((await credentials.forMcp(secret, otherMcp.id, HERE)) === undefined ? [] : ['other mcp']),
      ...((await credentials.forMcp(secret, rest.id, HERE)) === undefined ? [] : ['oauth2 as mcp']),
    ]
    t.same(found, expected, secret.slice(0, 6))
  }
})

test('SQLite answers synchronously, an asynchronous engine by a promise', async (t) => {
  const file = newControlFile(t)
  const context = { control: file, nowMs: NOW_MS, actor: CLI_ACTOR }
  const { key } = await createApiKey(context, WIDE_KEY)
  const { id } = await someIntegration(file, { kind: 'mcp' })
  const { access } = await someTokens(file, (await someClient(file, id)).client)
  const over = (control: ControlStore): unknown[] => {
    const { credentials } = credentialsOf(control)
    return [
      credentials.forRest(key, HERE),
      credentials.forRest(access, HERE),
      credentials.forMcp(access, id, HERE),
      credentials.forMcp(`mcp-${'x'.repeat(43)}`, id, HERE),
    ]
  }
  t.same(
    over(file).map((found) => found instanceof Promise),
    [false, false, false, false],
  )
  const waiting = over(new AwaitingControl(file))
  t.same(
    waiting.map((found) => found instanceof Promise),
    [true, true, true, true],
  )
  const found = await Promise.all(waiting)
  t.match(found, [{ workspaceId: 'w' }, undefined, { workspaceId: 'w' }, undefined])
})

test('a change noticed while keys and tokens are read is not overlooked', async (t) => {
  const file = await newControl(t)
  const context = { control: file, nowMs: NOW_MS, actor: CLI_ACTOR }
  const { id, key } = await createApiKey(context, WIDE_KEY)
  const integration = await someIntegration(file)
  const { client } = await someClient(file, integration.id)
  const { access } = await someTokens(file, client)
  const { credentials } = credentialsOf(new AwaitingControl(file))
  // Both read the state before the revocations.
  const early = [credentials.forRest(key, HERE), credentials.forRest(access, HERE)]
  await revokeApiKey(context, id)
  await deactivateIntegration(context, integration.id)
  await Promise.all(early)
  t.equal(await credentials.forRest(key, HERE), undefined)
  t.equal(await credentials.forRest(access, HERE), undefined)
  await activateIntegration(context, integration.id)
  t.ok(await credentials.forRest(access, HERE))
})

test('a rotated key and its successor are both valid during the overlap', async (t) => {
  const control = await newControl(t)
  const { credentials, state } = credentialsOf(control)
  const old = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const rotated = await rotateApiKey(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { id: old.id, overlapMs: 100 },
  )
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome)
  const works = () =>
    Promise.all(
      [old, rotated.created].map(
        async ({ key }) => (await credentials.forRest(key, HERE)) !== undefined,
      ),
    )
  t.same(await works(), [true, true])
  state.nowMs += 99
  t.same(await works(), [true, true])
  state.nowMs += 1
  t.same(await works(), [false, true])
})

test('maintenance writes last uses and deletes expired credentials', async (t) => {
  const control = await newControl(t)
  const { credentials, state } = credentialsOf(control)
  const { id, key } = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  await someTokens(control, client)
  const tokenCount = async () =>
    (await rowOf<{ n: number }>(control, 'SELECT count(*) AS n FROM tokens'))?.n
  const access = await credentials.forRest(key, HERE)
  if (access !== undefined) credentials.noteUse(access, 'getAccounts')
  const faults: unknown[] = []
  const stop = credentials.keepUpRegularly((error) => faults.push(error))
  t.equal((await control.look(() => findApiKey(id)))?.lastUsedAt, null)
  state.nowMs += 3_600_000
  await stop()
  t.match(await control.look(() => findApiKey(id)), {
    lastUsedAt: NOW_MS,
    lastUsedOperation: 'getAccounts',
  })
  t.equal(await tokenCount(), 0, 'the tokens have expired')
  t.same(faults, [])
})

test('the result says whether more remains to be deleted', async (t) => {
  const control = await newControl(t)
  const { credentials, state } = credentialsOf(control)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  await control.atomically(function* () {
    for (let i = 0; i < SWEEP_ROWS_MAX + 1; i++) yield* addTokens(client)
  })
  t.equal(await credentials.keepUp(), false, 'nothing has expired')
  state.nowMs += 3_600_000
  t.equal(await credentials.keepUp(), true, 'one pair of tokens is left')
  t.equal(await credentials.keepUp(), false)
})

test('a failing maintenance run is reported and retried', async (t) => {
  const control = await newControl(t)
  const { credentials } = credentialsOf(control)
  await execute(control, 'ALTER TABLE tokens RENAME TO elsewhere')
  const faults: unknown[] = []
  await credentials.keepUpRegularly((error) => faults.push(error))()
  t.match(faults, [{ name: 'StoreError' }])
})
