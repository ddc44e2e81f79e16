import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { ApiKeys, accountIdsOf, createApiKey, scopesOf } from '../../src/auth/api-keys.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { CREDENTIAL_TRUST_MS } from '../../src/limits.js'
import { ControlFile } from '../../src/store/control-file.js'

const NOW_MS = 1_782_864_000_000

function openControl(t: Test): ControlFile {
  const control = ControlFile.open(join(t.testdirName, 'control.db'))
  t.teardown(() => control.close())
  return control
}

const wish = { workspaceId: 'w', name: 'n', scopes: SCOPES, accountIds: null, expiresAtMs: null }

test('stored selections and scopes are read back', async (t) => {
  t.equal(accountIdsOf('all'), null)
  t.same(accountIdsOf(''), [], 'an empty list is not everything')
  t.same(accountIdsOf('1,22'), [1, 22])
  t.same(scopesOf('accounts:read transactions:read'), SCOPES)
  t.same(scopesOf('accounts:read everything:write'), ['accounts:read'])
  t.same(scopesOf(''), [])
})

test('a key opens what it was made for, until it ends', async (t) => {
  t.testdir()
  const control = openControl(t)
  let nowMs = NOW_MS
  let ticks = 0
  const keys = new ApiKeys(
    control,
    () => nowMs,
    () => (ticks += 1),
  )
  const narrow = createApiKey(
    control,
    {
      workspaceId: 'w',
      name: 'n',
      scopes: ['accounts:read'],
      accountIds: [2],
      expiresAtMs: NOW_MS + 1,
    },
    NOW_MS,
  )
  const wide = createApiKey(control, wish, NOW_MS)
  t.match(keys.find(narrow.key), {
    workspaceId: 'w',
    scopes: new Set(['accounts:read']),
    accountIds: new Set([2]),
    expiresAtMs: NOW_MS + 1,
    keyScope: { accounts: [2], expiresAt: '2026-07-01T00:00:00.001Z' },
  })
  t.match(keys.find(wide.key), { accountIds: null, expiresAtMs: Number.POSITIVE_INFINITY })
  t.not(keys.find(wide.key)?.tag, keys.find(narrow.key)?.tag)
  nowMs += 1
  t.equal(keys.find(narrow.key), undefined, 'expired')
  t.ok(keys.find(wide.key))
  control.revokeApiKey(wide.id, nowMs)
  t.equal(keys.find(wide.key), undefined, 'revoked')
  for (const unknown of ['', 'sk-', wide.key.slice(1), `${wide.key}A`]) {
    t.equal(keys.find(unknown), undefined)
  }
})

test('whatever is made and revoked, by whomever, is known at once', async (t) => {
  t.testdir()
  const own = openControl(t)
  const other = openControl(t)
  let ticks = 0
  const keys = new ApiKeys(
    own,
    () => NOW_MS,
    () => (ticks += 1),
  )
  const steps = fc.array(
    fc.record({ makes: fc.boolean(), byOther: fc.boolean(), which: fc.nat({ max: 20 }) }),
    { maxLength: 25 },
  )
  fc.assert(
    fc.property(steps, (sequence) => {
      const made: { id: number; key: string; isValid: boolean }[] = []
      for (const { makes, byOther, which } of sequence) {
        const control = byOther ? other : own
        const target = made[which % Math.max(1, made.length)]
        if (makes || target === undefined) {
          made.push({ ...createApiKey(control, wish, NOW_MS), isValid: true })
        } else {
          control.revokeApiKey(target.id, NOW_MS)
          target.isValid = false
        }
        for (const { key, isValid } of made) assert.equal(keys.find(key) !== undefined, isValid)
      }
    }),
    { numRuns: 30 },
  )
  t.pass('30 sequences')
})

test('control.db is asked once within the time an answer is trusted', async (t) => {
  t.testdir()
  const control = openControl(t)
  let ticks = 0
  const keys = new ApiKeys(
    control,
    () => NOW_MS,
    () => ticks,
  )
  const { id, key } = createApiKey(control, wish, NOW_MS)
  t.ok(keys.find(key))
  control.revokeApiKey(id, NOW_MS)
  ticks += CREDENTIAL_TRUST_MS / 2
  t.ok(keys.find(key), 'trusted')
  ticks += CREDENTIAL_TRUST_MS / 2
  t.equal(keys.find(key), undefined, 'asked again')
})
