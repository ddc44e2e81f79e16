// Authentication (docs/contract.md, "Statuses" and docs/contract/credentials.md, "Authorization
// field"), over both engines.
import { test } from 'tap'
import { revokeApiKey } from '../../../src/admin/api-keys.js'
import { deleteWorkspaceCredentials } from '../../../src/admin/workspaces.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { outcomeOf, overEngines, START_MS } from '../../fixtures/service.js'

const NO_CREDENTIAL = 'Bearer realm="kontor"'
const INVALID_TOKEN = 'Bearer realm="kontor", error="invalid_token"'

test(
  'a malformed or unknown credential is 401',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('other', SAMPLE)
    const { key } = await service.newKey('w')
    const otherKey = (await service.newKey('other')).key
    const refused: readonly (readonly [field: string, challenge: string])[] = [
      ['', NO_CREDENTIAL],
      ['Bearer', INVALID_TOKEN],
      ['Bearer ', INVALID_TOKEN],
      [key, INVALID_TOKEN],
      [`Basic ${key}`, INVALID_TOKEN],
      [`Bearer ${key}x`, INVALID_TOKEN],
      [`Bearer ${key.slice(0, -1)}`, INVALID_TOKEN],
      [`Bearer ${key.toUpperCase()}`, INVALID_TOKEN],
      [`Bearer ${key}, Bearer ${key}`, INVALID_TOKEN],
      [`Bearer ${key} ${key}`, INVALID_TOKEN],
      [`Bearer "${key}"`, INVALID_TOKEN],
      [`Bearer${key}`, INVALID_TOKEN],
      ['Bearer mcp-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', INVALID_TOKEN],
      [`Bearer ${otherKey}`, INVALID_TOKEN],
    ]
    for (const [field, challenge] of refused) {
      const headers = field === '' ? {} : { Authorization: field }
      const reply = await service.ask('/v1/w/accounts', { headers })
      t.equal(outcomeOf(reply), '401 unauthorized', field)
      t.equal(reply.fields['www-authenticate'], challenge, field)
      t.notMatch(reply.text, key.slice(3), 'a credential is never echoed')
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
      const headers = { Authorization: `${scheme} ${key}` }
      t.equal(outcomeOf(await service.ask('/v1/w/accounts', { headers })), '200', scheme)
    }
  }),
)

test(
  "a workspace other than the key's is 401, known or not",
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('other', SAMPLE)
    const { key } = await service.newKey('w')
    const bodies = new Set<string>()
    for (const workspaceId of ['other', 'unknown', 'W', '%77%20', '%ff', 'a.b', 'x'.repeat(300)]) {
      const reply = await service.ask(`/v1/${workspaceId}/accounts`, { key })
      t.equal(outcomeOf(reply), '401 unauthorized', workspaceId)
      bodies.add(reply.text)
    }
    t.equal(bodies.size, 1, 'answers do not show which of them exist')
    t.equal(outcomeOf(await service.ask('/v1/%77/accounts', { key })), '200', 'w, percent-encoded')
  }),
)

test(
  'the credential is checked before the parameters',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const narrow = (await service.newKey('w', { scopes: ['accounts:read'] })).key
    const bad = '/v1/w/transactions?limt=1'
    t.equal(outcomeOf(await service.ask(bad)), '401 unauthorized')
    t.equal(outcomeOf(await service.ask(bad, { key: 'sk-x' })), '401 unauthorized')
    t.equal(outcomeOf(await service.ask(bad, { key: narrow })), '401 insufficient_scope')
    t.equal(outcomeOf(await service.ask(bad, { key })), '400 unknown_parameter')
    t.equal(outcomeOf(await service.ask('/v1/w/transactions/x')), '401 unauthorized')
    for (const name of ['access_token', 'api_key', 'key', 'Authorization']) {
      const target = `/v1/w/transactions?${name}=${key}`
      t.equal(outcomeOf(await service.ask(target)), '401 unauthorized', 'no credential there')
      const known = await service.ask(target, { key })
      t.equal(outcomeOf(known), '400 unknown_parameter')
      t.notMatch(known.text, key, 'nor is it echoed')
    }
    t.equal(
      outcomeOf(await service.ask('/v1/w/nowhere')),
      '404 no_such_operation',
      'without a credential',
    )
    const post = await service.ask('/v1/w/accounts', { method: 'POST' })
    t.equal(outcomeOf(post), '405 method_not_allowed')
  }),
)

test(
  'a key ends when it expires',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { expiresAtMs: START_MS + 1_000 })
    const ask = async (): Promise<string> => outcomeOf(await service.ask('/v1/w/accounts', { key }))
    t.equal(await ask(), '200')
    service.nowMs = START_MS + 999
    t.equal(await ask(), '200')
    service.nowMs = START_MS + 1_000
    t.equal(await ask(), '401 unauthorized')
  }),
)

test(
  'a revoked key fails on the next request, from any process',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    for (let i = 0; i < 20; i++) {
      const { id, key } = await service.newKey('w')
      const first = await service.ask('/v1/w/accounts', { key })
      t.equal(first.status, 200, 'a new key is valid at once')
      // A separate connection, like that of the command.
      const control = ControlFile.open(service.directory.controlPath)
      await revokeApiKey({ control, nowMs: service.nowMs, actor: CLI_ACTOR }, id)
      control.close()
      const etag = first.fields['etag'] ?? ''
      const second = await service.ask('/v1/w/accounts', {
        key,
        headers: { 'If-None-Match': etag },
      })
      t.equal(outcomeOf(second), '401 unauthorized', 'nor does it get a 304')
    }
  }),
)

test(
  'the keys of a workspace are deleted with it',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('v', SAMPLE)
    const gone = (await service.newKey('w')).key
    const stays = (await service.newKey('v')).key
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: gone })), '200')
    const { control, nowMs } = service
    await control.alone(() => deleteWorkspaceCredentials({ nowMs, actor: CLI_ACTOR }, 'w'))
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: gone })), '401 unauthorized')
    t.equal(outcomeOf(await service.ask('/v1/v/accounts', { key: stays })), '200')
  }),
)
