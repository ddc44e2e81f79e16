import { test } from 'tap'
import { SCOPES } from '../../../src/domain/key-scope.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, START_MS } from '../../fixtures/service.js'

test(
  'the scope of a key lists its permissions',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const ask = (key: string) => service.ask('/v1/w/key/scope', { key })
    const createdAt = '2026-07-01T00:00:00.000Z'
    const all = await service.newKey('w', { name: 'Buchhaltung "1"' })
    t.strictSame(bodyOf(await ask(all.key)), {
      workspaceId: 'w',
      type: 'apiKey',
      scopes: ['transactions:read', 'accounts:read'],
      accounts: null,
      name: 'Buchhaltung "1"',
      createdAt,
    })
    const some = await service.newKey('w', {
      scopes: ['accounts:read'],
      accountIds: [2, 77],
      expiresAtMs: START_MS + 60_000,
    })
    t.strictSame(bodyOf(await ask(some.key)), {
      workspaceId: 'w',
      type: 'apiKey',
      scopes: ['accounts:read'],
      accounts: [2, 77],
      name: 'test',
      createdAt,
      expiresAt: '2026-07-01T00:01:00.000Z',
    })
    const none = await service.newKey('w', { scopes: [], accountIds: [] })
    t.match(bodyOf(await ask(none.key)), { scopes: [], accounts: [] }, 'needs no scope at all')
    const extra = await service.ask('/v1/w/key/scope?limit=1', { key: all.key })
    t.equal(outcomeOf(extra), '400 unknown_parameter')
  }),
)

test(
  'each operation needs its scope',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const needs = {
      accounts: 'accounts:read',
      'accounts/1': 'accounts:read',
      'accounts/1/transactions': 'transactions:read',
      transactions: 'transactions:read',
      'transactions/1': 'transactions:read',
      'counterpart/DE02120300000000202051/transactions': 'transactions:read',
      categories: 'transactions:read',
      'categories/1': 'transactions:read',
    } as const
    for (const scope of SCOPES) {
      const { key } = await service.newKey('w', { scopes: [scope] })
      for (const [path, needed] of Object.entries(needs)) {
        const reply = await service.ask(`/v1/w/${path}`, { key })
        t.equal(outcomeOf(reply), scope === needed ? '200' : '401 insufficient_scope', path)
        if (scope === needed) continue
        t.equal(
          reply.fields['www-authenticate'],
          `Bearer realm="kontor", error="insufficient_scope", scope="${needed}"`,
        )
      }
    }
  }),
)
