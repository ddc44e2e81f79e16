import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { openService } from '../../src/cli/service.js'
import { openDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { StoreError } from '../../src/store/database.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../fixtures/service.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

test(
  'one service answers for many workspaces, each from its own file',
  overEngines(async (t, service) => {
    const ids = ['a', 'b', 'c']
    for (const [i, id] of ids.entries()) {
      const transactions = SAMPLE.transactions.slice(0, i)
      await service.write(id, { ...SAMPLE, transactions })
    }
    const keys = ids.map((id) => service.newKey(id).key)
    // All at once: each is loaded once, however many ask.
    const asked = ids.flatMap((id, i) =>
      [1, 2, 3].map(() => service.ask(`/v1/${id}/transactions`, { key: keys[i] })),
    )
    const counts = (await Promise.all(asked)).map((reply) => (bodyOf(reply) as unknown[]).length)
    t.same(counts, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    for (const id of ids) {
      const lines = service.log.filter((line) => line.startsWith(`workspace ${id} loaded`))
      t.equal(lines.length, 1)
    }
    t.equal(outcomeOf(await service.ask('/v1/a/accounts', { key: keys[1] })), '401 unauthorized')
  }),
)

test('preloading tells why a workspace cannot be had; closing ends all threads', async (t) => {
  const directory = openDataDirectory(t.testdir())
  await writeWorkspace(workspacePath(directory, 'good'), SAMPLE)
  writeFileSync(workspacePath(directory, 'bad'), 'x'.repeat(5_000))
  const log: string[] = []
  const service = openService(directory, {
    memoryBudgetBytes: 1e9,
    baseUrl: () => 'http://kontor.test',
    log: (line) => log.push(line),
    clock: () => 0,
  })
  await service.preload('good')
  await t.rejects(service.preload('bad'), /the file is damaged or is no SQLite database/)
  await t.rejects(service.preload('none'), /there is no such file/)
  const underWay = t.rejects(service.preload('none'), 'what is waited for is rejected')
  await service.close()
  await underWay
  const told = log.filter((line) => !line.includes(' frozen: '))
  t.match(told[0], /^workspace good loaded: 302 transactions in /)
  t.match(told[1], /^workspace bad cannot be loaded: /)
  t.match(told[2], /^workspace none cannot be loaded: /)
})

test('a control.db that cannot be used is a StoreError', async (t) => {
  const directory = openDataDirectory(t.testdir({ 'control.db': 'x'.repeat(5_000) }))
  const options = {
    memoryBudgetBytes: 1e9,
    baseUrl: () => 'http://kontor.test',
    log: () => undefined,
    clock: () => 0,
  }
  t.throws(() => openService(directory, options), StoreError)
})
