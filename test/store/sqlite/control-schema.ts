// Constraints of control.db itself, for any writer, and the migration of older files.
import { strict as assert } from 'node:assert'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { createApiKey } from '../../../src/admin/api-keys.js'
import { createMcpKey } from '../../../src/admin/mcp-keys.js'
import { createOperator } from '../../../src/admin/operators.js'
import { deleteWorkspaceCredentials } from '../../../src/admin/workspaces.js'
import { createSecret, hashOfSecret } from '../../../src/auth/secret.js'
import { beginSession } from '../../../src/auth/sessions.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { listApiKeys } from '../../../src/store/api-key-rows.js'
import { listAuditRows } from '../../../src/store/audit-rows.js'
import { browserKeyOf, provideBrowserKey } from '../../../src/store/operator-rows.js'
import { countRefusal } from '../../../src/store/refusal-rows.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { CONTROL_MIGRATIONS } from '../../../src/store/sqlite/control-schema.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import type { Connection } from '../../../src/store/sqlite/sqlite-driver.js'
import { findAccessToken, findRefreshToken, rotateRefresh } from '../../../src/store/token-rows.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  NOW_MS,
  newControlFile,
  newPair,
  someClient,
  someGrant,
  someIntegration,
  someTokens,
  WIDE_KEY,
} from '../../fixtures/control.js'
import { execute, rowOf } from '../../fixtures/control-sql.js'

function opened(t: Test, migrations = CONTROL_MIGRATIONS): Connection {
  const connection = openDatabase(join(t.testdir(), 'control.db'), migrations)
  t.teardown(() => connection.close())
  return connection
}

test('a file of version 1 keeps its keys, which stay valid', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const old = openDatabase(path, CONTROL_MIGRATIONS.slice(0, 1))
  const secret = createSecret('sk-')
  const insert = old.prepare(`INSERT INTO api_keys
    (workspace_id, hash, name, scopes, accounts, created_at, expires_at, revoked_at)
    VALUES ('w', ?, 'n', 'accounts:read', '1,2', 5, ?, ?)`)
  insert.run(hashOfSecret(secret), null, null)
  insert.run(hashOfSecret('sk-other'), 7, 6)
  old.close()
  const control = ControlFile.open(path)
  t.teardown(() => control.close())
  const kept = {
    workspaceId: 'w',
    workspaceUid: null,
    name: 'n',
    scopes: 'accounts:read',
    accounts: '1,2',
  }
  const unknown = { ipAllow: null, lastUsedAt: null, lastUsedOperation: null, replacedBy: null }
  t.strictSame(control.look(listApiKeys), [
    {
      id: 1,
      ...{ ...kept, hash: hashOfSecret(secret), createdAt: 5, expiresAt: null, revokedAt: null },
      ...unknown,
    },
    {
      id: 2,
      ...{ ...kept, hash: hashOfSecret('sk-other'), createdAt: 5, expiresAt: 7, revokedAt: 6 },
      ...unknown,
    },
  ])
  t.equal((await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)).id, 3)
})

test('a file of version 2 keeps its tokens, and counts refusals from then on', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const old = openDatabase(path, CONTROL_MIGRATIONS.slice(0, 2))
  old.exec(`${INTEGRATION}; ${CLIENT};
    INSERT INTO grants VALUES (1, 'c', 'i', NULL, 'accounts:read', NULL, 0, 9, NULL);
    INSERT INTO tokens VALUES (${HASH}, 'access', 1, 'accounts:read', 0, 9, NULL)`)
  old.close()
  const control = ControlFile.open(path)
  t.teardown(() => control.close())
  t.match(
    control.look(() => findAccessToken(Buffer.alloc(32, 0xab))),
    { grantId: 1, scope: 'accounts:read' },
  )
  t.equal(
    control.look(() => countRefusal({ minute: 1, fingerprint: '{}' })),
    1,
  )
  t.throws(() => control.look(() => countRefusal({ minute: 1, fingerprint: '{' })), {
    name: 'StoreError',
  })
})

/** A token of a file of version 4. */
interface OldToken {
  readonly kind: 'access' | 'refresh'
  readonly grantId: number
  readonly createdAt: number
  readonly usedAt: number | null
}

/** Pairs of a family, oldest first. */
type OldFamily = readonly {
  readonly lastsMs: number
  readonly isAccessSwept: boolean
  readonly isSwept: boolean
}[]

/** Families as left by the program of version 4: some refreshed, some swept in between. */
const oldFamily: fc.Arbitrary<OldFamily> = fc.array(
  fc.record({ lastsMs: fc.nat({ max: 2 }), isAccessSwept: fc.boolean(), isSwept: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
)

function oldTokensOf(families: readonly OldFamily[]): OldToken[] {
  return families.flatMap((pairs, family): OldToken[] => {
    let createdAt = 1
    return pairs.flatMap(({ lastsMs, isAccessSwept, isSwept }, i): OldToken[] => {
      const isNewest = i === pairs.length - 1
      const usedAt = isNewest ? null : createdAt + lastsMs
      const common = { grantId: family + 1, createdAt, usedAt }
      createdAt += lastsMs
      const access: OldToken[] = isAccessSwept ? [] : [{ ...common, kind: 'access' }]
      const isGone = isSwept && !isNewest
      return isGone ? access : [...access, { ...common, kind: 'refresh' }]
    })
  })
}

test('a file of version 4 keeps its tokens, by pairs', async (t) => {
  const path = join(t.testdir(), 'control.db')
  await assertProperty(
    fc.asyncProperty(fc.array(oldFamily, { maxLength: 3 }), async (families) => {
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
      const old = openDatabase(path, CONTROL_MIGRATIONS.slice(0, 4))
      old.exec(`${INTEGRATION}; ${CLIENT}`)
      const grant = old.prepare(
        "INSERT INTO grants VALUES (?, 'c', 'i', NULL, 's', NULL, 0, 99, NULL)",
      )
      for (const family of families.keys()) grant.run(family + 1)
      const insert = old.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)')
      const hashOf = (i: number): Buffer => hashOfSecret(`token ${i}`)
      const tokens = oldTokensOf(families)
      tokens.forEach(({ kind, grantId, createdAt, usedAt }, i) => {
        const expiresAt = createdAt + (kind === 'access' ? 10 : 90)
        insert.run(hashOf(i), kind, grantId, `${kind} ${i}`, createdAt, expiresAt, usedAt)
      })
      old.close()
      const control = ControlFile.open(path)
      try {
        for (const [i, token] of tokens.entries()) {
          assertKept(control, token, { hash: hashOf(i), i })
        }
        const live = tokens.findIndex(({ kind, usedAt }) => kind === 'refresh' && usedAt === null)
        if (live === -1) return
        const next = newPair('accounts:read', 50)
        assert.equal(
          await control.atomically(() => rotateRefresh(hashOf(live), next.row, 50)),
          'rotated',
        )
        const family = tokens[live]?.grantId
        tokens.forEach(({ kind, grantId, usedAt }, i) => {
          const isLive = kind === 'access' && usedAt === null && grantId !== family
          assert.equal(control.look(() => findAccessToken(hashOf(i))) !== undefined, isLive)
        })
        assert.ok(control.look(() => findAccessToken(next.row.accessHash)))
        assert.equal(
          await control.atomically(() => rotateRefresh(hashOf(live), newPair().row, 51)),
          'reused',
        )
        assert.equal(
          control.look(() => findAccessToken(next.row.accessHash)),
          undefined,
        )
      } finally {
        control.close()
      }
    }),
    { numRuns: 40 },
  )
  t.pass('40 files')
})

function assertKept(
  control: ControlFile,
  { kind, grantId, createdAt, usedAt }: OldToken,
  { hash, i }: { readonly hash: Buffer; readonly i: number },
): void {
  const access = control.look(() => findAccessToken(hash))
  const refresh = control.look(() => findRefreshToken(hash))
  if (kind === 'refresh') {
    assert.equal(access, undefined)
    assert.equal(refresh?.grant.id, grantId)
    const { tokenScope, expiresAt } = refresh ?? assert.fail()
    const expected = { tokenScope: `refresh ${i}`, expiresAt: createdAt + 90, usedAt }
    assert.deepEqual({ tokenScope, expiresAt, usedAt: refresh?.usedAt }, expected)
    return
  }
  assert.equal(refresh, undefined)
  const expected =
    usedAt === null
      ? { grantId, scope: `access ${i}`, createdAt, expiresAt: createdAt + 10 }
      : undefined
  const found = access && {
    grantId: access.grantId,
    scope: access.scope,
    createdAt: access.createdAt,
    expiresAt: access.expiresAt,
  }
  assert.deepEqual(found, expected)
}

test('a file of version 5 keeps its operators, without known browsers', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const old = openDatabase(path, CONTROL_MIGRATIONS.slice(0, 5))
  old.exec("INSERT INTO operators VALUES (1, 'ada', '$scrypt$', 0)")
  old.close()
  const control = ControlFile.open(path)
  t.teardown(() => control.close())
  t.equal(
    control.look(() => browserKeyOf(1)),
    undefined,
  )
  const key = await control.atomically(() => provideBrowserKey(1))
  t.equal(key.length, 32)
  t.same(await control.atomically(() => provideBrowserKey(1)), key)
  t.same(
    control.look(() => browserKeyOf(1)),
    key,
  )
})

const HASH = `x'${'ab'.repeat(32)}'`

const INTEGRATION = `INSERT INTO integrations (id, workspace_id, kind, name, active, accounts,
  tools, scopes, dcr, code_ms, access_ms, refresh_ms, mask_ibans, mask_names, created_at,
  updated_at) VALUES ('i', 'w', 'mcp', 'n', 1, 'all', 'all', '', 0, 1, 1, 1, 0, 0, 0, 0)`
const CLIENT = `INSERT INTO clients VALUES
  ('c', 'i', 'n', 'public', NULL, '[]', '', 1, 'dynamic', 0)`

const REFUSED: readonly string[] = [
  INTEGRATION.replace("'i'", "'a b'"),
  INTEGRATION.replace("'i'", "''"),
  INTEGRATION.replace("'i'", "'é'"),
  INTEGRATION.replace("'mcp'", "'saml'"),
  INTEGRATION.replace('1, 1, 1', '1, 0, 1'),
  INTEGRATION.replace("'n', 1", "'n', 2"),
  INTEGRATION.replace("'mcp'", "'oauth2'").replace("'', 0", "'', 1"),
  CLIENT.replace("'i'", "'none'"),
  CLIENT.replace("'public'", "'confidential'"),
  CLIENT.replace('NULL', HASH),
  CLIENT.replace("'public', NULL", "'confidential', x'ab'"),
  CLIENT.replace("'[]'", "'{}'"),
  CLIENT.replace("'[]'", "'x'"),
  "INSERT INTO operators VALUES (1, 'anna', 'plain text', 0)",
  `INSERT INTO sessions VALUES (${HASH}, 99, 0, 0)`,
  `INSERT INTO tokens VALUES (99, 1, ${HASH}, NULL, '', '', 0, 0, 0, NULL)`,
  `INSERT INTO tokens VALUES (1, 1, NULL, NULL, '', '', 0, 0, 0, NULL)`,
  `INSERT INTO tokens VALUES (1, 1, x'ab', NULL, '', '', 0, 0, 0, NULL)`,
  "INSERT INTO audit (at, actor, action, outcome) VALUES (0, 'cli', 'x', 'perhaps')",
  "INSERT INTO audit (at, actor, action, outcome, detail) VALUES (0, 'cli', 'x', 'ok', '{')",
]

test('an invalid row is refused', async (t) => {
  const connection = opened(t)
  for (const sql of REFUSED) {
    if (sql.includes('INTO clients')) connection.exec(`INSERT OR IGNORE${INTEGRATION.slice(6)}`)
    t.throws(() => connection.exec(sql), { code: /^SQLITE_(CONSTRAINT|ERROR)/ }, sql)
  }
  connection.exec(CLIENT)
  t.pass('and the valid ones are not')
})

test('the audit log accepts inserts only', async (t) => {
  const connection = opened(t)
  const insert = "INSERT INTO audit (at, actor, action, outcome) VALUES (0, 'cli', 'x', 'ok')"
  connection.exec(insert)
  connection.exec(insert)
  for (const sql of [
    "UPDATE audit SET actor = 'nobody'",
    'UPDATE audit SET sequence = 9 WHERE sequence = 1',
    'DELETE FROM audit',
    'DELETE FROM audit WHERE sequence = 2',
    "REPLACE INTO audit (sequence, at, actor, action, outcome) VALUES (1, 0, 'x', 'x', 'ok')",
    `INSERT INTO audit (sequence, at, actor, action, outcome) VALUES (1, 0, 'x', 'x', 'ok')
      ON CONFLICT DO UPDATE SET actor = 'x'`,
  ]) {
    t.throws(() => connection.exec(sql), /the audit log is append-only/, sql)
  }
  t.same(connection.prepare('SELECT sequence, actor FROM audit').all(), [
    { sequence: 1, actor: 'cli' },
    { sequence: 2, actor: 'cli' },
  ])
})

test('a deletion cascades to dependent rows', async (t) => {
  const control = newControlFile(t)
  const tables = ['integrations', 'clients', 'mcp_keys', 'grants', 'codes', 'tokens', 'api_keys']
  const counts = (): number[] =>
    tables.map(
      (table) => rowOf<{ n: number }>(control, `SELECT count(*) AS n FROM ${table}`)?.n ?? -1,
    )
  for (const workspaceId of ['w', 'v']) {
    const integration = await someIntegration(control, { workspaceId, kind: 'mcp' })
    const { client } = await someClient(control, integration.id)
    await someTokens(control, client)
    const key = { integrationId: integration.id, name: 'k', scopes: [], expiresAtMs: null }
    await createMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, key)
    await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, { ...WIDE_KEY, workspaceId })
  }
  t.same(counts(), [2, 2, 2, 2, 2, 2, 2])
  const gone = await control.alone(() =>
    deleteWorkspaceCredentials({ nowMs: NOW_MS, actor: CLI_ACTOR }, 'w'),
  )
  t.same(gone, { keys: 1, integrations: 1 })
  t.same(counts(), [1, 1, 1, 1, 1, 1, 1])
  t.equal(
    control.look(() => listAuditRows({ workspaceId: 'w', limit: 99 })).length,
    5,
    'the log stays',
  )
})

test('the file contains no secret', async (t) => {
  const control = newControlFile(t)
  const integration = await someIntegration(control, { kind: 'mcp' })
  const { client, secret } = await someClient(control, integration.id, { type: 'confidential' })
  const { code } = await someGrant(control, client)
  const { access, refresh } = await someTokens(control, client)
  const mcp = { integrationId: integration.id, name: 'k', scopes: [], expiresAtMs: null }
  const password = 'correct horse battery staple'
  const operatorId = await createOperator(
    { control, nowMs: NOW_MS, actor: CLI_ACTOR },
    { name: 'anna', password },
  )
  const secrets = [
    (await createApiKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, WIDE_KEY)).key,
    (await createMcpKey({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, mcp)).key,
    (await control.atomically(() => beginSession(operatorId ?? 0, NOW_MS))).token,
    ...[code, access, refresh, secret ?? '', password],
  ]
  execute(control, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const bytes = readFileSync(control.path)
  t.ok(bytes.includes(hashOfSecret(access)), 'this is the file with the hashes')
  for (const known of secrets) {
    t.ok(known.length > 20)
    const random = known.replace(/^(sk|mcp|at|rt|ac|cs)-/, '')
    for (const text of [random, Buffer.from(random).toString('hex')]) {
      t.notOk(bytes.includes(text), 'nor as text')
    }
    t.notOk(bytes.includes(Buffer.from(random, 'base64url')), 'nor as bytes')
  }
})
