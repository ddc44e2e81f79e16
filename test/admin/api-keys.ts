import { test } from 'tap'
import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/admin/api-keys.js'
import { heldApiKeys } from '../../src/auth/held-keys.js'
import { hashOfSecret } from '../../src/auth/secret.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { findApiKey, listApiKeys } from '../../src/store/api-key-rows.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ACTOR, NOW_MS, newControl, WIDE_KEY } from '../fixtures/control.js'

const DAY_MS = 86_400_000

test('a key grants the permissions it was created with', async (t) => {
  const control = await newControl(t)
  const narrow = await createApiKey(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    {
      ...WIDE_KEY,
      scopes: ['accounts:read'],
      accountIds: [2],
      expiresAtMs: NOW_MS + 1,
      ipAllow: ['192.0.2.7', '10.0.0.0/8'],
    },
  )
  const wide = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)
  const held = await control.look(heldApiKeys)
  t.match(held[0], {
    hash: hashOfSecret(narrow.key),
    ipAllow: '192.0.2.7 10.0.0.0/8',
    access: {
      workspaceId: 'w',
      scopes: new Set(['accounts:read']),
      accountIds: new Set([2]),
      expiresAtMs: NOW_MS + 1,
      keyScope: { accounts: [2], expiresAt: '2026-07-01T00:00:00.001Z' },
      key: { kind: 'api', id: narrow.id },
    },
  })
  const everything = { accountIds: null, expiresAtMs: Number.POSITIVE_INFINITY }
  t.match(held[1], { ipAllow: null, access: everything })
  t.not(held[1]?.access.tag, held[0]?.access.tag)
  await revokeApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, wide.id)
  t.equal((await control.look(heldApiKeys)).length, 1, 'revoked')
})

test('a rotated key stays valid for its overlap, its successor may do the same', async (t) => {
  const control = await newControl(t)
  const input = { ...WIDE_KEY, accountIds: [3, 4], ipAllow: ['::1'], name: 'books' }
  const old = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, input)
  const tag = (await control.look(heldApiKeys))[0]?.access.tag
  const rotated = await rotateApiKey(
    { control, nowMs: NOW_MS + 5, actor: ACTOR },
    { id: old.id, overlapMs: DAY_MS },
  )
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome)
  t.not(rotated.created.key, old.key)
  t.equal(rotated.oldExpiresAtMs, NOW_MS + 5 + DAY_MS)
  t.not((await control.look(heldApiKeys))[0]?.access.tag, tag, 'GET /key/scope now returns its end')
  const [before, after] = await control.look(listApiKeys)
  t.match(before, { expiresAt: NOW_MS + 5 + DAY_MS, replacedBy: rotated.created.id })
  t.match(after, {
    hash: hashOfSecret(rotated.created.key),
    workspaceId: 'w',
    name: 'books',
    scopes: before?.scopes ?? '',
    accounts: '3,4',
    ipAllow: '::1',
    createdAt: NOW_MS + 5,
    expiresAt: null,
    replacedBy: null,
  })
  const again = await rotateApiKey(
    { control, nowMs: NOW_MS + 6, actor: ACTOR },
    { id: old.id, overlapMs: 0 },
  )
  t.same(again, { outcome: 'already_rotated' }, 'a key has one successor')
})

test('a rotation never extends a lifetime', async (t) => {
  const control = await newControl(t)
  const ending = { ...WIDE_KEY, expiresAtMs: NOW_MS + 100 }
  const { id } = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, ending)
  const rotated = await rotateApiKey(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { id, overlapMs: DAY_MS },
  )
  t.match(rotated, { outcome: 'rotated', oldExpiresAtMs: NOW_MS + 100 })
  t.same(
    (await control.look(listApiKeys)).map(({ expiresAt }) => expiresAt),
    [NOW_MS + 100, NOW_MS + 100],
  )
  const other = await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, ending)
  const longer = { id: other.id, overlapMs: 0, expiresAtMs: NOW_MS + 500 }
  await rotateApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, longer)
  t.equal((await control.look(() => findApiKey(other.id)))?.expiresAt, NOW_MS, 'no overlap: ended')
  t.equal((await control.look(listApiKeys)).at(-1)?.expiresAt, NOW_MS + 500, 'apart from the actor')
})

test('only a valid key can be rotated', async (t) => {
  const control = await newControl(t)
  const rotate = async (id: number, nowMs = NOW_MS): Promise<string> =>
    (await rotateApiKey({ control, nowMs, actor: CLI_ACTOR }, { id, overlapMs: 0 })).outcome
  t.equal(await rotate(1), 'unknown')
  const { id } = await createApiKey(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { ...WIDE_KEY, expiresAtMs: NOW_MS + 1 },
  )
  t.equal(await rotate(id, NOW_MS + 1), 'expired')
  await revokeApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
  t.equal(await rotate(id), 'revoked')
  t.equal((await control.look(listApiKeys)).length, 1, 'nothing was created')
})

test('creating, rotating and revoking a key is audited, without the key', async (t) => {
  const control = await newControl(t)
  const bounds = { expiresAtMs: NOW_MS + DAY_MS, ipAllow: ['10.0.0.0/8', '::1'] }
  const key = { ...WIDE_KEY, accountIds: [1], ...bounds }
  const first = await createApiKey({ control, nowMs: NOW_MS, actor: ACTOR }, key)
  await rotateApiKey(
    { control, nowMs: NOW_MS + 1, actor: CLI_ACTOR },
    { id: first.id, overlapMs: 0 },
  )
  t.equal(await revokeApiKey({ control, nowMs: NOW_MS + 2, actor: ACTOR }, 2), true)
  t.equal(
    await revokeApiKey({ control, nowMs: NOW_MS + 3, actor: ACTOR }, 2),
    true,
    'a second revocation is no error and adds no entry',
  )
  t.equal((await control.look(() => findApiKey(2)))?.revokedAt, NOW_MS + 2)
  t.equal(await revokeApiKey({ control, nowMs: NOW_MS + 3, actor: ACTOR }, 3), false)
  const rows = (await control.look(() => listAuditRows({ limit: 9 }))).reverse()
  t.match(rows, [
    {
      at: NOW_MS,
      actor: 'operator:anna',
      action: 'api_key.create',
      subject: '1',
      workspaceId: 'w',
      fromAddress: '192.0.2.1',
      requestId: 'request-1',
      outcome: 'ok',
      detail:
        '{"name":"n","scopes":["transactions:read","accounts:read"],"accounts":[1],' +
        '"expiresAt":"2026-07-02T00:00:00.000Z","ipAllow":["10.0.0.0/8","::1"]}',
    },
    {
      ...{ actor: 'cli', action: 'api_key.rotate', subject: '1', fromAddress: null },
      requestId: null,
      detail: /"expiresAt":"2026-07-02T00:00:00.000Z","ipAllow":\["10.0.0.0\/8","::1"\]\}$/,
    },
    { actor: 'operator:anna', action: 'api_key.revoke', subject: '2' },
  ])
  t.equal(rows.length, 3)
  t.notMatch(JSON.stringify(rows), first.key.slice(3))
})
