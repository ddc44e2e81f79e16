import { once } from 'node:events'
import { type Test, test } from 'tap'
import { createClient } from '../../src/admin/clients.js'
import { createIntegration } from '../../src/admin/integrations.js'
import type { StepResult } from '../../src/doctor/finding.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import type { IntegrationKind } from '../../src/domain/integration.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { makeDataDirectory } from '../../src/store/data-directory.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'
import { DoctorFixture } from '../fixtures/doctor-fixture.js'
import { newMcpKey } from '../fixtures/mcp-fixture.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { ServedDirectory } from '../fixtures/served-directory.js'
import { runHere } from '../fixtures/terminal.js'

/** A directory served by a process of its own, and a correctly configured integration. */
async function served(t: Test, kind: IntegrationKind) {
  const directory = await ServedDirectory.make(t, SAMPLE)
  const control = ControlFile.open(makeDataDirectory(directory.path).controlPath)
  const all = { workspaceId: 'w', name: 'i', scopes: SCOPES, accountIds: null, tools: null }
  const letsRegister = kind === 'mcp'
  const { id } = await createIntegration(
    { control, nowMs: 0, actor: CLI_ACTOR },
    { ...all, kind, letsRegister },
  )
  const redirectUris = ['https://app.example.org/cb']
  const client = { integrationId: id, name: 'App', type: 'public', redirectUris } as const
  await createClient(
    { control, nowMs: 0, actor: CLI_ACTOR },
    { ...client, scopes: SCOPES, registered: 'operator' },
  )
  await control.atomically(() =>
    insertOperator({ name: 'ada', password: '$scrypt$x', createdAt: 0 }),
  )
  control.close()
  return { directory, id, serving: await directory.start() }
}

for (const kind of ['oauth2', 'mcp'] as const) {
  test(`a served ${kind} integration passes, from another process`, async (t) => {
    const { directory, id, serving } = await served(t, kind)
    const words = ['doctor', '--integration', id, '--base-url', serving.url]
    const json = directory.command(...words, '--json')
    const code = await json.ended
    const output = JSON.parse(json.output.stdout) as { ok: boolean; steps: StepResult[] }
    const failed = output.steps.filter(({ outcome }) => outcome === 'failed')
    t.same(failed, [])
    t.equal(output.ok, true)
    t.equal(code, 0)
    t.equal(json.output.stderr, '')
    const plain = directory.command(...words)
    t.equal(await plain.ended, 0)
    t.match(plain.output.stdout, /\nok {7}the integration is active .*\n {9}observed {2}\S/)
    t.match(plain.output.stdout, /\nok {7}.*\n {9}request {3}GET http:.*\n {9}observed {2}\S/)
    t.notMatch(plain.output.stdout, /\nfailed|\n {9}fix/)
    t.notMatch(plain.output.stdout, /(mcp|at|ac)-[-\w]{43}/)
  })
}

test('a given key is tested', async (t) => {
  const { front, fixture } = await DoctorFixture.open(t, { integration: { kind: 'mcp' } })
  const { service, integration } = fixture
  const words = ['doctor', '--integration', integration.id, '--base-url', front.url]
  const where = ['--data-dir', service.directory.path]
  const key = await newMcpKey(fixture)
  const around = { clock: () => service.nowMs, environment: { KONTOR_KEY: key } }
  const ended = await runHere([...words, ...where], around)
  t.match(
    ended.stdout,
    /\nok {7}the key is valid for this integration\n {9}observed {2}key 1 \(agent\)\n/,
  )
  t.match(ended.stdout, /\n {9}observed {2}\d+ accounts\n$/)
  t.notMatch(ended.stdout, key)
})

test('without a server, the step and the summary report it', async (t) => {
  const { directory, id, serving } = await served(t, 'oauth2')
  serving.kontor.child.kill('SIGKILL')
  await once(serving.kontor.child, 'close')
  const ended = directory.command('doctor', '--integration', id, '--base-url', serving.url)
  t.equal(await ended.ended, 1)
  t.match(ended.output.stdout, /\nfailed {3}kontor answers at the base URL\n/)
  t.match(ended.output.stdout, /\n {9}fix {7}Start kontor serve/)
  t.match(ended.output.stdout, /\nskipped {2}.*\n {9}observed {2}needs an earlier step/)
  t.match(ended.output.stderr, /^kontor: 1 of \d+ steps failed: kontor answers at the base URL\n$/)
})

test('an integration that cannot be tested is refused', async (t) => {
  const { run, control } = await controlCommands(t)
  const all = { workspaceId: 'w', name: 'i', scopes: SCOPES, accountIds: null, tools: null }
  const { id } = await createIntegration(
    { control, nowMs: 0, actor: CLI_ACTOR },
    { ...all, kind: 'oauth2' },
  )
  await assertRefused(t, run, [
    [['doctor'], 2, /--integration is missing/],
    [['doctor', '--integration', 'x'], 1, /there is no integration "x"; kontor integrations list/],
    [
      ['doctor', '--integration', id, '--key', 'mcp-x'],
      2,
      /--key applies only to mcp integrations/,
    ],
    [['doctor', '--integration', id, '--base-url', 'bank'], 2, /--base-url "bank"/],
  ])
})
