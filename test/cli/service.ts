import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { fieldsText } from '../../src/cli/log-text.js'
import { serveDirectory } from '../../src/cli/served-store.js'
import { openService, type Service } from '../../src/cli/service.js'
import type { ServiceOptions } from '../../src/cli/service-options.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listApiKeys } from '../../src/store/api-key-rows.js'
import {
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { StoreError } from '../../src/store/store-error.js'
import { NOW_MS, someIntegration, WIDE_KEY } from '../fixtures/control.js'
import { rigs } from '../fixtures/http-rig.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { bodyOf, Client, outcomeOf, overEngines, RunningService } from '../fixtures/service.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

function openDirectory(directory: DataDirectory, options: ServiceOptions): Service {
  return openService(serveDirectory(directory, options), options)
}

test(
  'one service answers for many workspaces, each from its own file',
  overEngines(async (t, service) => {
    const ids = ['a', 'b', 'c']
    for (const [i, id] of ids.entries()) {
      const transactions = SAMPLE.transactions.slice(0, i)
      await service.write(id, { ...SAMPLE, transactions })
    }
    const keys: string[] = []
    for (const id of ids) keys.push((await service.newKey(id)).key)
    // All at once: each workspace is loaded once, whatever the number of requests.
    const asked = ids.flatMap((id, i) =>
      [1, 2, 3].map(() => service.ask(`/v1/${id}/transactions`, { key: keys[i] })),
    )
    const counts = (await Promise.all(asked)).map((reply) => (bodyOf(reply) as unknown[]).length)
    t.same(counts, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    for (const id of ids) {
      const lines = service.log.filter((line) =>
        line.startsWith(`workspace loaded workspaceId=${id} `),
      )
      t.equal(lines.length, 1)
    }
    t.equal(outcomeOf(await service.ask('/v1/a/accounts', { key: keys[1] })), '401 unauthorized')
  }),
)

test('preloading reports why a workspace cannot be loaded; closing ends all threads', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  await writeWorkspace(workspacePath(directory, 'good'), SAMPLE)
  writeFileSync(workspacePath(directory, 'bad'), 'x'.repeat(5_000))
  const log: string[] = []
  const service = openDirectory(directory, {
    memoryBudgetBytes: 1e9,
    baseUrl: () => 'http://kontor.test',
    log: (_level, _component, message, fields) => {
      log.push(`${message}${fieldsText(fields)}`)
    },
    clock: () => 0,
  })
  await service.preload('good')
  await t.rejects(service.preload('bad'), /the file is damaged or is not a SQLite database/)
  await t.rejects(service.preload('none'), /there is no workspace none/)
  const underWay = t.rejects(service.preload('none'), 'a waiting request is rejected')
  await service.close()
  await underWay
  const logged = log.filter((line) => !line.startsWith('workspace cached '))
  t.match(logged[0], /^workspace loaded workspaceId=good transactionCount=302 durationMs=/)
  t.match(logged[1], /^workspace cannot be loaded workspaceId=bad reason=/)
  t.match(logged[2], /^workspace cannot be loaded workspaceId=none reason=/)
})

test('an unusable control.db is a StoreError', async (t) => {
  const directory = makeDataDirectory(t.testdir({ 'control.db': 'x'.repeat(5_000) }))
  const options = {
    memoryBudgetBytes: 1e9,
    baseUrl: () => 'http://kontor.test',
    log: () => undefined,
    clock: () => 0,
  }
  t.throws(() => openDirectory(directory, options), StoreError)
})

test("the service's commits to control.db are checkpointed on another thread", async (t) => {
  const [rig] = rigs
  if (rig === undefined) throw new Error('node is everywhere')
  const service = await RunningService.start(t, rig)
  const path = service.directory.controlPath
  // A refused form is written to the audit log, by the service's own connection.
  const { id } = await someIntegration(service.control)
  await service.write('w', SAMPLE)
  const url = `http://127.0.0.1:${service.client.port}/v1/w/oauth2/${id}/token`
  const content = readFileSync(path)
  const before = service.control.dataVersion()
  t.equal((await fetch(url, { method: 'POST' })).status, 415)
  t.not(service.control.dataVersion(), before)
  await service.until(() => !readFileSync(path).equals(content))
})

test('the last use of a key is written when the service ends', async (t) => {
  const directory = makeDataDirectory(t.testdir())
  await writeWorkspace(workspacePath(directory, 'w'), SAMPLE)
  const control = ControlFile.open(directory.controlPath)
  t.teardown(() => control.close())
  const context = { control, nowMs: NOW_MS, actor: CLI_ACTOR }
  const used = await createApiKey(context, { ...WIDE_KEY, workspaceId: 'w' })
  const unused = await createApiKey(context, { ...WIDE_KEY, workspaceId: 'v' })
  for (const [i, rig] of rigs.entries()) {
    const service = openDirectory(directory, {
      memoryBudgetBytes: 1e9,
      baseUrl: () => 'http://kontor.test',
      log: () => undefined,
      clock: () => NOW_MS + i,
    })
    const engine = await rig.open({ answer: service.answer })
    const client = new Client(engine.port)
    for (const path of ['accounts', 'categories']) {
      await client.ask(`/v1/w/${path}`, { key: used.key })
      const elsewhere = await client.ask(`/v1/w/${path}`, { key: unused.key })
      t.equal(outcomeOf(elsewhere), '401 unauthorized', 'which does not count as a use')
    }
    const uses = () =>
      control.look(listApiKeys).map((row) => [row.lastUsedAt, row.lastUsedOperation])
    const before = uses()
    client.close()
    await engine.stop(100)
    await service.close()
    t.same(uses(), [
      [NOW_MS + i, 'getCategories'],
      [null, null],
    ])
    t.notSame(before, uses(), 'a request does not write')
  }
})
