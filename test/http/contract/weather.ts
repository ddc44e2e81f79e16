// Unreadable workspace files: the affected one answers 503, the others are served, the log says
// why. A workspace without a file is an unknown one.
import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import {
  atOnce,
  outcomeOf,
  overEngines,
  overOneEngine,
  type RunningService,
} from '../../fixtures/service.js'
import { runHere } from '../../fixtures/terminal.js'

const UNAVAILABLE = '503 workspace_unavailable'

/** A request for the accounts of a workspace with a new key. */
async function asking(
  service: RunningService,
  workspaceId: string,
): Promise<() => Promise<string>> {
  const { key } = await service.newKey(workspaceId)
  return async () => outcomeOf(await service.ask(`/v1/${workspaceId}/accounts`, { key }))
}

async function checkNamed(t: Test, service: RunningService, id: string): Promise<void> {
  t.ok(
    service.log.some((line) =>
      line.includes(`workspace cannot be loaded workspaceId=${id} reason=`),
    ),
    'the log names it',
  )
  const { code, stdout } = await runHere([
    'workspaces',
    'list',
    '--json',
    '--data-dir',
    service.directory.path,
  ])
  t.equal(code, 0)
  const states = JSON.parse(stdout) as { workspaceId: string; state: string; reason?: string }[]
  const state = states.find(({ workspaceId }) => workspaceId === id)
  t.match(state, { state: 'unavailable', reason: /./ }, 'workspaces list names it')
}

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'a file that is no database': (path) => writeFileSync(path, 'x'.repeat(10_000)),
  'a file cut short': (path) => truncateSync(path, 8_192),
  'an older program before a newer file': (path) => {
    const database = new Database(path)
    database.pragma('user_version = 1000')
    database.close()
  },
  'a file without tables': (path) => {
    rmSync(path)
    const database = new Database(path)
    database.exec('CREATE TABLE t (x)')
    database.pragma('user_version = 2')
    database.close()
  },
}

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(
    `${name}: 503, and the others are served`,
    overEngines(async (t, service) => {
      await service.write('bad', SAMPLE)
      await service.write('good', SAMPLE)
      damage(service.pathOf('bad'))
      const [bad, good] = [await asking(service, 'bad'), await asking(service, 'good')]
      t.equal(await bad(), UNAVAILABLE)
      t.equal(await bad(), UNAVAILABLE, 'requested again at once')
      t.equal(await good(), '200')
      t.equal(outcomeOf(await service.ask('/v1/bad/accounts')), '401 unauthorized')
      await checkNamed(t, service, 'bad')
    }),
  )
}

test(
  'a replaced file is re-read',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('next', { ...SAMPLE, transactions: [] })
    const { key } = await service.newKey('w')
    const count = async (): Promise<string | undefined> =>
      (await service.ask('/v1/w/transactions', { key })).fields['x-total-count']
    t.equal(await count(), '302')
    renameSync(service.pathOf('next'), service.pathOf('w'))
    await service.until(async () => (await count()) === '0')
  }),
)

test(
  'a file locked by another program delays its own requests only',
  overEngines(async (t, service) => {
    await service.write('locked', SAMPLE)
    await service.write('good', SAMPLE)
    const [locked, good] = [await asking(service, 'locked'), await asking(service, 'good')]
    // Loaded before the lock, because a lock is waited for some seconds at most.
    t.equal(await good(), '200')
    const database = new Database(service.pathOf('locked'))
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    let settled = false
    const waiting = locked().finally(() => {
      settled = true
    })
    for (let i = 0; i < 20; i++) t.equal(await good(), '200')
    t.notOk(settled, 'the others were answered during the lock')
    database.exec('COMMIT')
    database.close()
    t.equal(await waiting, '200', 'and it is answered after the lock')
  }),
)

const returned = overOneEngine(async (t, service) => {
  await service.write('w', SAMPLE)
  await service.write('good', SAMPLE)
  const { key } = await service.newKey('w')
  const ask = async () => outcomeOf(await service.ask('/v1/w/accounts', { key }))
  const good = await asking(service, 'good')
  t.equal(await ask(), '200')
  const path = service.pathOf('w')
  const aside = `${service.directory.path}/aside.db`
  const database = new Database(path)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  copyFileSync(path, aside)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  await service.until(async () => (await ask()) === '401 unauthorized')
  const keyScope = await service.ask('/v1/w/key/scope', { key })
  t.equal(outcomeOf(keyScope), '401 unauthorized')
  const unknown = await service.ask('/v1/w/key/scope', { key: `sk-${'x'.repeat(43)}` })
  t.equal(keyScope.text, unknown.text, 'the same as for an unknown credential')
  t.equal(keyScope.fields['www-authenticate'], unknown.fields['www-authenticate'])
  t.equal(await good(), '200')
  t.ok(
    service.log.some(
      (line) => line === 'workspace removed from memory workspaceId=w reason="the file is gone"',
    ),
  )
  renameSync(aside, path)
  // A failed load is not retried for a few seconds.
  await service.until(async () => (await ask()) === '200')
  t.equal(await good(), '200')
})

const stayingLocked = overOneEngine(async (t, service) => {
  await service.write('locked', SAMPLE)
  const database = new Database(service.pathOf('locked'))
  database.pragma('locking_mode = EXCLUSIVE')
  database.exec('BEGIN EXCLUSIVE')
  t.equal(await (await asking(service, 'locked'))(), UNAVAILABLE)
  t.match(service.log.join('\n'), /the file is locked by another program/)
  database.close()
})

test('faults that take seconds to end', (t) =>
  atOnce(t, [
    ['a loaded file that vanishes is 401, and served again when it is back', returned],
    ['a file that stays locked is 503', stayingLocked],
  ]))

test(
  'an uncommitted write of another program does not disturb reading',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const count = async (): Promise<string | undefined> =>
      (await service.ask('/v1/w/transactions', { key })).fields['x-total-count']
    const writer = new Database(service.pathOf('w'))
    writer.exec('BEGIN IMMEDIATE; DELETE FROM transactions WHERE id <= 300')
    t.equal(await count(), '302', 'loaded as before')
    writer.exec('COMMIT')
    await service.until(async () => (await count()) === '2')
    writer.pragma('foreign_keys = ON')
    writer.exec('DELETE FROM accounts WHERE id = 2')
    writer.close()
    await service.until(async () => (await count()) === '1')
  }),
)
