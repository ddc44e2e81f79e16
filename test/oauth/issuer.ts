import { test } from 'tap'
import {
  activateIntegration,
  createIntegration,
  deactivateIntegration,
} from '../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { findIssuer, isResourceOf, issuerNow } from '../../src/oauth/issuer.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { done } from '../../src/store/work.js'
import {
  ACTOR,
  NOW_MS,
  newControlFile,
  openControlFile,
  someIntegration,
} from '../fixtures/control.js'
import { execute } from '../fixtures/control-sql.js'

test('an issuer is an active integration of an existing workspace', async (t) => {
  const control = ControlFile.open(`${t.testdir()}/control.db`)
  t.teardown(() => control.close())
  const input = { workspaceId: 'w', kind: 'mcp', name: 'n', scopes: ['accounts:read'] } as const
  const all = { accountIds: null, tools: null }
  const { id: integrationId } = await createIntegration(
    { control, nowMs: 0, actor: CLI_ACTOR },
    { ...input, ...all },
  )
  let isThere = true
  const baseUrl = (): string => 'https://Bank.example.org/kontor'
  const source = { control, baseUrl, workspaceExists: () => done(isThere) }
  const path = { workspaceId: 'w', kind: 'mcp', integrationId, endpoint: 'token' } as const
  const issuer = control.look(() => findIssuer(source, path))
  t.match(issuer, {
    url: `https://Bank.example.org/kontor/v1/w/mcp/${integrationId}/oauth2`,
    resource: `https://Bank.example.org/kontor/v1/w/mcp/${integrationId}`,
    scopes: ['accounts:read'],
  })
  t.equal(
    control.look(() => findIssuer(source, { ...path, kind: 'oauth2' })),
    undefined,
  )
  t.equal(
    control.look(() => findIssuer(source, { ...path, workspaceId: 'v' })),
    undefined,
  )
  t.equal(
    control.look(() => findIssuer(source, { ...path, integrationId: 'x' })),
    undefined,
  )
  isThere = false
  t.equal(
    control.look(() => findIssuer(source, path)),
    undefined,
  )
  isThere = true
  execute(control, 'UPDATE integrations SET active = 0')
  t.equal(
    control.look(() => findIssuer(source, path)),
    undefined,
  )
  if (issuer === undefined) return
  const { resource } = issuer
  const same = [resource, resource.toLowerCase(), resource.replace('.org', '.org:443')]
  for (const text of same) t.ok(isResourceOf(issuer, text), text)
  const others = [
    '',
    'x',
    '/kontor/v1/w',
    `${resource}/`,
    `${resource}#`,
    `${resource}?`,
    `${resource}?x`,
    resource.replace('https', 'http'),
    resource.replace('Bank', 'www.Bank'),
    resource.replace('/w/', '/W/'),
    resource.replace('.org', '.org:8443'),
    issuer.url,
  ]
  for (const text of others) t.notOk(isResourceOf(issuer, text), text)
})

test('an issuer is re-read after the body if any write has happened since', async (t) => {
  const control = newControlFile(t)
  const others = openControlFile(t)
  const { id } = await someIntegration(control)
  let isThere = true
  const source = {
    control,
    baseUrl: () => 'http://localhost',
    workspaceExists: () => done(isThere),
  }
  const found = control.look(() =>
    findIssuer(source, { workspaceId: 'w', kind: 'oauth2', integrationId: id }),
  )
  if (found === undefined) throw new Error('it has just been made')
  const isOver = { code: 'invalid_client', message: /no longer active/ }
  t.equal(
    control.look(() => issuerNow(source, found)),
    found,
  )
  t.equal(await control.atomically(() => issuerNow(source, found)), found, 'a read is no write')
  isThere = false
  t.throws(() => control.look(() => issuerNow(source, found)), isOver)
  isThere = true
  for (const writer of [control, others]) {
    await deactivateIntegration({ control: writer, nowMs: NOW_MS, actor: ACTOR }, id)
    t.throws(() => control.look(() => issuerNow(source, found)), isOver)
    await t.rejects(
      control.atomically(() => issuerNow(source, found)),
      isOver,
    )
    await activateIntegration({ control: writer, nowMs: NOW_MS, actor: ACTOR }, id)
    execute(writer, "UPDATE integrations SET scopes = 'accounts:read'")
    t.same(control.look(() => issuerNow(source, found)).scopes, ['accounts:read'])
    execute(writer, "UPDATE integrations SET scopes = ''")
    t.same(control.look(() => issuerNow(source, found)).scopes, [])
  }
})
