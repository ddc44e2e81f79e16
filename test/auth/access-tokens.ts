import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { activateClient, deactivateClient, deleteClient } from '../../src/admin/clients.js'
import {
  activateIntegration,
  changeIntegration,
  deactivateIntegration,
} from '../../src/admin/integrations.js'
import { ACCESS_TOKENS_KNOWN_MAX, AccessTokens } from '../../src/auth/access-tokens.js'
import { ControlWatch } from '../../src/auth/control-watch.js'
import { hashOfSecret } from '../../src/auth/secret.js'
import { StoreTrust } from '../../src/auth/store-trust.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import type { ControlStore } from '../../src/store/control-store.js'
import { endGrant } from '../../src/store/grant-rows.js'
import { findAccessToken, issueTokenPair } from '../../src/store/token-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  addTokens,
  listen,
  NOW_MS,
  newControl,
  newPair,
  openControl,
  someClient,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

/** Concurrent look-ups. */
const AT_ONCE = 500

function tokensOf(control: ControlStore) {
  const state = { nowMs: NOW_MS, ticks: 0 }
  const ticks = (): number => (state.ticks += 1)
  const watch = new ControlWatch(control, ticks)
  const clock = (): number => state.nowMs
  const trust = new StoreTrust(control)
  return { tokens: new AccessTokens({ control, watch, trust, clock, ticks }), state }
}

test('a token grants only what token, client and integration all permit', async (t) => {
  const control = await newControl(t)
  const { tokens, state } = tokensOf(control)
  const tools = ['get_accounts'] as const
  const integration = await someIntegration(control, { kind: 'mcp', accountIds: [4], tools })
  const { client } = await someClient(control, integration.id, { scopes: ['accounts:read'] })
  const { access, refresh } = await someTokens(control, client)
  t.match(await tokens.find(access), {
    workspaceId: 'w',
    scopes: new Set(['accounts:read']),
    accountIds: new Set([4]),
    expiresAtMs: NOW_MS + 60_000,
    keyScope: {
      workspaceId: 'w',
      type: 'oauth',
      scopes: ['accounts:read'],
      accounts: [4],
      name: 'app',
      createdAt: '2026-07-01T00:00:00.000Z',
      expiresAt: '2026-07-01T00:01:00.000Z',
      clientId: client.id,
      integrationId: integration.id,
    },
    key: null,
    integration: { id: integration.id, kind: 'mcp', name: 'books', tools: new Set(tools) },
  })
  t.equal(await tokens.find(refresh), undefined)
  t.equal(await tokens.find(`${access}x`), undefined)
  state.nowMs += 60_000
  t.equal(await tokens.find(access), undefined, 'expired')
})

test('all, none and some accounts are kept distinct', async (t) => {
  const control = await newControl(t)
  const { tokens } = tokensOf(control)
  for (const accountIds of [null, [], [1, 2]]) {
    const { client } = await someClient(
      control,
      (await someIntegration(control, { accountIds })).id,
    )
    const found = await tokens.find((await someTokens(control, client)).access)
    t.same(found?.accountIds, accountIds === null ? null : new Set(accountIds))
    t.same(found?.keyScope.accounts, accountIds)
  }
})

test('the end or pause of a token takes effect at once, from any connection', async (t) => {
  const own = await newControl(t)
  const other = await openControl(t)
  const { tokens } = tokensOf(own)
  const integration = await someIntegration(own)
  const clients = [
    (await someClient(own, integration.id)).client,
    (await someClient(own, integration.id)).client,
  ]
  type Step = (control: ControlStore, clientId: string, grantId: number) => Promise<unknown>
  const steps: Readonly<Record<string, Step>> = {
    deactivateClient: (control, id) =>
      deactivateClient({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id),
    activateClient: (control, id) =>
      activateClient({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id),
    deactivateIntegration: (control) =>
      deactivateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, integration.id),
    activateIntegration: (control) =>
      activateIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, integration.id),
    endGrant: (control, _, grantId) => control.atomically(() => endGrant(grantId, NOW_MS)),
    issue: (control, _, grantId) =>
      control.atomically(() => issueTokenPair(grantId, newPair().row)),
  }
  const sequences = fc.array(
    fc.record({
      step: fc.constantFrom(...Object.keys(steps)),
      byOther: fc.boolean(),
      which: fc.nat({ max: 1 }),
    }),
    { maxLength: 15 },
  )
  await assertProperty(
    fc.asyncProperty(sequences, async (sequence) => {
      const made = await Promise.all(
        clients.map(async (client) => ({ client, ...(await someTokens(own, client)) })),
      )
      for (const { step, byOther, which } of sequence) {
        const { client, grantId } = made[which] ?? assert.fail()
        await steps[step]?.(byOther ? other : own, client.id, grantId)
        await listen(own)
        for (const { access } of made) {
          // The naive twin reads the file each time and caches nothing.
          const expected =
            (await other.look(() => findAccessToken(hashOfSecret(access)))) !== undefined
          assert.equal((await tokens.find(access)) !== undefined, expected)
        }
      }
      await steps['activateIntegration']?.(own, '', 0)
      for (const { client } of made) await steps['activateClient']?.(own, client.id, 0)
    }),
    { numRuns: 40 },
  )
  await deleteClient({ control: other, nowMs: NOW_MS, actor: CLI_ACTOR }, clients[0]?.id ?? '')
  t.pass('40 sequences')
})

test('tokens beyond the size of the cache are still found', async (t) => {
  const control = await newControl(t)
  const { tokens } = tokensOf(control)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const made = await control.atomically(function* () {
    const all: string[] = []
    while (all.length < ACCESS_TOKENS_KNOWN_MAX + 10) all.push((yield* addTokens(client)).access)
    return all
  })
  const find = async () => {
    const found: Awaited<ReturnType<AccessTokens['find']>>[] = []
    for (let i = 0; i < made.length; i += AT_ONCE) {
      const some = made.slice(i, i + AT_ONCE)
      found.push(...(await Promise.all(some.map((access) => tokens.find(access)))))
    }
    return found
  }
  for (let round = 0; round < 2; round++) t.notOk((await find()).includes(undefined))
  const found = await find()
  const tags = new Set(found.map((access) => access?.tag))
  t.equal(tags.size, made.length, 'each with its own tag')
})

test("a change of a token's permissions changes its tag", async (t) => {
  const control = await newControl(t)
  const { tokens } = tokensOf(control)
  const integration = await someIntegration(control, { accountIds: [1, 2] })
  const { client } = await someClient(control, integration.id)
  const { access } = await someTokens(control, client)
  const tag = async () => (await tokens.find(access))?.tag ?? assert.fail('the token holds')
  const wide = { id: integration.id, name: 'books', scopes: SCOPES, tools: null }
  const change = (accountIds: readonly number[], scopes = wide.scopes) =>
    changeIntegration({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...wide, accountIds, scopes })
  const first = await tag()
  await change([2])
  const narrowed = await tag()
  t.not(narrowed, first, 'other accounts')
  await change([2], ['transactions:read'])
  t.not(await tag(), narrowed, 'other scopes')
  await change([1, 2])
  t.equal(await tag(), first, 'the same again')
})
