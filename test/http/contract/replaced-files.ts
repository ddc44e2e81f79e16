// A workspace file replaced by another: keys of the old file do not open the new one.
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { createApiKey } from '../../../src/admin/api-keys.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { SCOPES } from '../../../src/domain/key-scope.js'
import { listApiKeys } from '../../../src/store/api-key-rows.js'
import { deleteWorkspaceFile } from '../../../src/store/data-directory.js'
import { workspaceUid } from '../../../src/store/sqlite/workspace-presence.js'
import { execute } from '../../fixtures/control-sql.js'
import { OAuthFixture } from '../../fixtures/oauth-fixture.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import {
  outcomeOf,
  overEngines,
  overEnginesAtOnce,
  type RunningService,
} from '../../fixtures/service.js'

async function newBoundKey(service: RunningService): Promise<string> {
  const uid = workspaceUid(service.directory, 'w')
  const key = { workspaceId: 'w', workspaceUid: uid, name: 'k', scopes: SCOPES }
  const input = { ...key, accountIds: null, expiresAtMs: null }
  return (
    await createApiKey({ control: service.control, nowMs: service.nowMs, actor: CLI_ACTOR }, input)
  ).key
}

test(
  'a key opens the file it was created for, and no other of its name',
  overEnginesAtOnce(async (t, service) => {
    await service.write('w', SAMPLE)
    const first = await newBoundKey(service)
    const outcome = async (key: string, path = 'accounts'): Promise<string> =>
      outcomeOf(await service.ask(`/v1/w/${path}`, { key }))
    t.equal(await outcome(first), '200')
    const bytes = readFileSync(service.pathOf('w'))
    deleteWorkspaceFile(service.directory, 'w')
    await service.until(async () => (await outcome(first)) !== '200')
    t.equal(await outcome(first), '401 unauthorized', 'the file is missing')
    await service.write('w', SAMPLE)
    await service.until(async () => !(await outcome(first)).startsWith('503'))
    for (const path of ['accounts', 'transactions', 'key/scope', 'transactions/search?query=a']) {
      t.equal(await outcome(first, path), '401 unauthorized', `${path}: another file`)
    }
    const second = await newBoundKey(service)
    t.equal(await outcome(second), '200')
    deleteWorkspaceFile(service.directory, 'w')
    writeFileSync(service.pathOf('w'), bytes)
    await service.until(async () => (await outcome(first)) === '200')
    t.equal(await outcome(second), '401 unauthorized', 'the first one is back')
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  }),
)

test(
  'a key without a file is bound to the one of its first use',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    t.equal((await service.ask('/v1/w/accounts', { key })).status, 200)
    await service.end()
    t.equal(
      service.control.look(listApiKeys)[0]?.workspaceUid,
      workspaceUid(service.directory, 'w'),
    )
  }),
)

test(
  'an integration of another file answers 404, and its tokens open nothing',
  overEngines(async (t, _service, rig) => {
    const fixture = await OAuthFixture.open(t, rig)
    const { service, integration } = fixture
    const tokens = await fixture.newTokens()
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    const bind = 'UPDATE integrations SET workspace_uid = @uid'
    execute(service.control, bind, { uid: 'another file' })
    t.equal(await fixture.readStatus(tokens['access_token']), 401)
    t.equal((await fixture.refresh(tokens['refresh_token'])).status, 404)
    t.equal((await fetch(`${fixture.issuer}/.well-known/openid-configuration`)).status, 404)
    const uid = workspaceUid(service.directory, integration.workspaceId) ?? ''
    execute(service.control, bind, { uid })
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    t.equal((await fixture.refresh(tokens['refresh_token'])).status, 200)
  }),
)
