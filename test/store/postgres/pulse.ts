// How a node polls its database, and what it does while that is unreachable.
import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { StoreUnavailableError } from '../../../src/store/store-error.js'
import type { WorkspaceWatch } from '../../../src/store/workspace.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import { PostgresProxy } from '../../fixtures/postgres-proxy.js'
import {
  endConnections,
  openPulse,
  SetClock,
  until,
  versionOf,
} from '../../fixtures/postgres-pulse.js'
import {
  insertAccount,
  insertTransactions,
  makeWorkspace,
} from '../../fixtures/postgres-workspace.js'

interface Scene {
  readonly url: string
  readonly admin: PostgresConnection
  /** Number of a workspace with one account. */
  readonly no: number
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  const no = await makeWorkspace(admin, 'acme')
  await admin.query(insertAccount(no))
  return { url, admin, no }
}

/** Whether the watch has the version that the tables have. */
async function isPresent(
  admin: PostgresConnection,
  watch: WorkspaceWatch,
  no: number,
): Promise<boolean> {
  const version = await versionOf(admin, no)
  assert.ok(version !== undefined)
  return watch.isAt({ version, seal: { schema: '', content: '' } })
}

const CHANGE_ACCESS = `INSERT INTO kontor_control.operators (name, password, created_at)
  VALUES (gen_random_uuid()::TEXT, '$scrypt$', 0);
  UPDATE kontor_control.operators SET password = '$scrypt$'`

test('a commit is noticed by its notification, without an earlier poll', async (t) => {
  const { url, admin, no } = await scene(t)
  const pulse = openPulse(t, url)
  const watch = await pulse.watch(no)
  t.equal(watch.poll(), 'unchanged')
  t.equal(watch.sequence, 1)
  const roundCount = pulse.took.count
  await admin.query(insertTransactions(no))
  await until(() => pulse.took.count > roundCount)
  t.equal(watch.poll(), 'changed')
  t.equal(watch.sequence, 2)
  t.equal(watch.poll(), 'unchanged')
  const heard = pulse.controlVersion()
  await admin.query(CHANGE_ACCESS)
  await until(() => pulse.controlVersion() > heard)
})

test('a commit during a round is noticed by the next one', async (t) => {
  const { url, admin, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const pulse = openPulse(t, proxy.url)
  const watch = await pulse.watch(no)
  proxy.silence()
  const asked = pulse.beat()
  await until(() => proxy.keptText !== '')
  await admin.query(insertTransactions(no))
  await until(() => proxy.keptText.includes('kontor'))
  t.equal(pulse.notificationCount, 0)
  proxy.speak()
  await asked
  t.equal(watch.poll(), 'unchanged', 'the round was asked before')
  await until(() => watch.poll() === 'changed')
  t.equal(watch.sequence, 2)
})

test('a commit to an unwatched workspace causes no round', async (t) => {
  const { url, admin, no } = await scene(t)
  const other = await makeWorkspace(admin, 'other')
  const clock = new SetClock()
  const pulse = openPulse(t, url, { clock: clock.read })
  const watch = await pulse.watch(other)
  const roundCount = pulse.took.count
  // No round would rest now.
  clock.ms += 1_000
  await admin.query(insertTransactions(no))
  await until(() => pulse.notificationCount > 0)
  for (let i = 0; i < 20; i++) await admin.query('SELECT 1')
  await pulse.beat()
  t.equal(pulse.took.count, roundCount + 1)
  t.equal(watch.poll(), 'unchanged')
})

test('of many concurrent commits, the last one is noticed', async (t) => {
  const { url, admin, no } = await scene(t)
  const other = await makeWorkspace(admin, 'other')
  await admin.query(insertAccount(other))
  const pulse = openPulse(t, url)
  const watches = await Promise.all([no, other].map((each) => pulse.watch(each)))
  const writers = await Promise.all([1, 2, 3].map(() => connected(t, url)))
  for (let turn = 0; turn < 10; turn++) {
    const writing = writers.map(async (writer, i) => {
      for (let count = 0; count <= turn; count++) {
        await writer.query(insertTransactions((turn + i) % 2 === 0 ? no : other))
      }
    })
    await Promise.all(writing)
    for (const [i, each] of [no, other].entries()) {
      const watch = watches[i]
      await until(async () => watch !== undefined && (await isPresent(admin, watch, each)))
    }
  }
  t.equal(pulse.connectionCount, 1)
  t.ok(pulse.notificationCount >= 20, `${pulse.notificationCount} notifications`)
  t.ok(pulse.took.count < pulse.notificationCount, `${pulse.took.count} rounds`)
})

test('without notifications, commits are noticed by polling', async (t) => {
  const { url, admin, no } = await scene(t)
  const pulse = openPulse(t, url, { listens: false, intervalMs: 5 })
  const watch = await pulse.watch(no)
  await admin.query(insertTransactions(no))
  await until(() => watch.poll() === 'changed')
  t.ok(await isPresent(admin, watch, no))
  t.equal(pulse.notificationCount, 0)
})

test('a server that refuses LISTEN is polled nevertheless', async (t) => {
  const { url, admin, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  proxy.asked = ['LISTEN', 'LISTEX']
  const pulse = openPulse(t, proxy.url, { intervalMs: 5 })
  const watch = await pulse.watch(no)
  await admin.query(insertTransactions(no))
  await until(() => watch.poll() === 'changed')
  t.match(pulse.listenFault, /syntax error at or near "LISTEX"/)
  t.equal(pulse.fault, undefined)
  t.equal(pulse.connectionCount, 1)
})

test('a closed connection is reopened, and polls again', async (t) => {
  const { url, admin, no } = await scene(t)
  const clock = new SetClock()
  const pulse = openPulse(t, url, { clock: clock.read, intervalMs: 500 })
  const watch = await pulse.watch(no)
  const [control, keys] = [pulse.controlVersion(), pulse.keyVersion()]
  await pulse.beat()
  t.same([pulse.controlVersion(), pulse.keyVersion()], [control, keys])
  for (let i = 2; i < 5; i++) {
    await endConnections(admin)
    await admin.query(insertTransactions(no))
    clock.ms += 500
    await until(async () => {
      await pulse.beat()
      return pulse.connectionCount === i
    })
    t.equal(watch.poll(), 'changed')
    t.ok(await isPresent(admin, watch, no))
    t.match(pulse.versions, { era: 1, control: 1 })
    t.same([pulse.controlVersion(), pulse.keyVersion()], [control, keys], 'the same are told')
  }
  const roundCount = pulse.took.count
  await admin.query(insertTransactions(no))
  await until(() => pulse.took.count > roundCount)
  t.equal(watch.poll(), 'changed', 'and it is notified again')
})

test('versions of a new connection are comparable if it reports the known one', async (t) => {
  const { url, admin } = await scene(t)
  const clock = new SetClock()
  const pulse = openPulse(t, url, { clock: clock.read, intervalMs: 500 })
  await pulse.beat()
  const others: readonly (readonly [string, number, number])[] = [
    // By how much the era and the version of keys grow.
    ['mark = mark', 0, 0],
    ['control = control + 1', 1, 1],
    ['mark = mark % 9007199254740991 + 1', 1, 1],
    ['mark = mark', 0, 0],
  ]
  for (const [other, eras, keyVersions] of others) {
    const [before, keyVersion, count] = [
      pulse.versions?.era ?? 0,
      pulse.keyVersion(),
      pulse.connectionCount,
    ]
    // While nothing is heard.
    await endConnections(admin)
    await admin.query(`UPDATE kontor_control.versions SET ${other}`)
    clock.ms += 500
    await until(async () => {
      await pulse.beat()
      return pulse.connectionCount > count && pulse.fault === undefined
    })
    t.equal((pulse.versions?.era ?? 0) - before, eras, other)
    t.equal(pulse.keyVersion() - keyVersion, keyVersions, other)
  }
})

test('while the database is unreachable, only the age of the known state changes', async (t) => {
  const { url, admin, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const clock = new SetClock()
  const faults: (string | undefined)[] = []
  const pulse = openPulse(t, proxy.url, {
    clock: clock.read,
    intervalMs: 500,
    onFault: (fault) => faults.push(fault),
  })
  const watch = await pulse.watch(no)
  t.equal(pulse.heardAgeMs(), 0)
  const timeMs = pulse.now()
  await proxy.cut()
  await admin.query(insertTransactions(no))
  for (let i = 1; i <= 3; i++) {
    clock.ms += 500
    await pulse.beat()
    t.equal(pulse.heardAgeMs(), i * 500)
    t.equal(watch.poll(), 'unchanged')
    t.equal(pulse.now(), timeMs + i * 500, 'time goes on')
  }
  t.match(pulse.fault, /^postgres:\/\/127\.0\.0\.1:\d+\/\w+: the server does not answer/)
  const error = await errorOf(pulse.watch(no + 1))
  t.ok(error instanceof StoreUnavailableError)
  t.match(error, { message: pulse.fault })
  const known = await pulse.watch(no)
  t.equal(known.sequence, 1, 'what is known can be watched')
  await proxy.begin()
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), 1_500, 'it is not tried again before the next pulse')
  clock.ms += 500
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), 0)
  t.same([watch.poll(), known.poll()], ['changed', 'changed'])
  t.match(faults[0], /the server does not answer/)
  t.same(faults.slice(-1), [undefined], 'faults are told when they change')
  t.equal(pulse.watchedCount, 1)
})

test('before the database has answered once, nothing is known', async (t) => {
  const { url, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  await proxy.cut()
  const clock = new SetClock()
  const pulse = openPulse(t, proxy.url, { clock: clock.read, intervalMs: 500 })
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), Number.POSITIVE_INFINITY)
  t.equal(pulse.versions, undefined)
  t.throws(() => pulse.now(), { message: /time of the database is not known yet/ })
  t.ok((await errorOf(pulse.watch(no))) instanceof StoreUnavailableError)
  t.equal(pulse.watchedCount, 0)
  await proxy.begin()
  clock.ms += 500
  const watch = await pulse.watch(no)
  t.equal(watch.sequence, 1)
  t.match(pulse.versions, { era: 1, control: 1, keys: 1, keysRemoved: 1 })
})

test('a connection to an unresponsive server is dropped', async (t) => {
  const { url, admin, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const clock = new SetClock()
  const options = { clock: clock.read, intervalMs: 500, statementMsMax: 200 }
  const pulse = openPulse(t, proxy.url, options)
  const watch = await pulse.watch(no)
  proxy.silence()
  await pulse.beat()
  t.match(pulse.fault, /the server does not answer \(Query read timeout\)/)
  proxy.speak()
  await admin.query(insertTransactions(no))
  clock.ms += 500
  await pulse.beat()
  t.equal(watch.poll(), 'changed')
  t.equal(pulse.connectionCount, 2)
})

test('a statement that the server does not answer in time is cancelled there', async (t) => {
  const { url, admin, no } = await scene(t)
  const clock = new SetClock()
  const options = { clock: clock.read, intervalMs: 500, statementMsMax: 200 }
  const pulse = openPulse(t, url, options)
  const watch = await pulse.watch(no)
  await admin.query('BEGIN')
  await admin.query('LOCK TABLE kontor.workspaces IN ACCESS EXCLUSIVE MODE')
  await pulse.beat()
  t.match(pulse.fault, /: the server does not answer in time$/)
  await admin.query('COMMIT')
  clock.ms += 500
  await pulse.beat()
  t.equal(pulse.fault, undefined)
  t.equal(watch.poll(), 'unchanged')
})

test('another server behind a pooler ends the connection', async (t) => {
  const { url, admin, no } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const clock = new SetClock()
  const pulse = openPulse(t, proxy.url, { clock: clock.read, intervalMs: 500 })
  const watch = await pulse.watch(no)
  const [row] = await admin.query<{ start: string }>(
    'SELECT extract(epoch FROM pg_postmaster_start_time())::TEXT AS start',
  )
  const start = row?.start ?? ''
  const { sequence } = watch
  proxy.answered = [start, start.replace(/^./, '9')]
  await admin.query(insertTransactions(no))
  await pulse.beat()
  t.equal(watch.poll(), 'unchanged', 'what it says is not taken')
  t.match(pulse.fault, /another server/)
  clock.ms += 500
  await pulse.beat()
  t.equal(watch.poll(), 'unlogged', 'its past may be another')
  t.ok(watch.sequence > sequence)
  t.equal(watch.poll(), 'unchanged')
  t.equal(pulse.connectionCount, 2)
})

test('a change of access is distinguished from one of a key', async (t) => {
  const { url, admin } = await scene(t)
  const pulse = openPulse(t, url, { listens: false })
  await pulse.beat()
  const grown: [boolean, boolean][] = []
  for (const change of ['', ', keys = control + 1', ', keys_removed = control + 1', '', '']) {
    const before = [pulse.controlVersion(), pulse.keyVersion()] as const
    await admin.query(`UPDATE kontor_control.versions SET control = control + 1, mark = 7${change}`)
    await pulse.beat()
    grown.push([pulse.controlVersion() > before[0], pulse.keyVersion() > before[1]])
  }
  t.same(grown, [
    [true, false],
    [true, true],
    [true, true],
    [true, false],
    [true, false],
  ])
  t.match(pulse.versions, { era: 1, control: 6, keys: 3, keysRemoved: 4 })
})

test('time is that of the database, whatever the clock of the machine', async (t) => {
  const { url, admin } = await scene(t)
  const databaseMs = async (): Promise<number> => {
    const [row] = await admin.query<{ ms: number }>(
      'SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS ms',
    )
    return row?.ms ?? 0
  }
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  for (const offMs of [-600_000, 600_000]) {
    Date.now = () => now() + offMs
    const pulse = openPulse(t, url, { clock: () => performance.now() + offMs })
    await pulse.beat()
    for (let i = 0; i < 20; i++) {
      const before = await databaseMs()
      const told = pulse.now()
      const after = await databaseMs()
      // The one round may have taken long on a busy machine.
      const toleranceMs = 2 + pulse.took.sumMs
      t.ok(told >= before - toleranceMs && told <= after + toleranceMs, `${before} ${told}`)
    }
  }
})

test('a workspace is dropped with its last watch', async (t) => {
  const { url, admin, no } = await scene(t)
  const pulse = openPulse(t, url)
  const one = await pulse.watch(no)
  const two = await pulse.watch(no)
  t.equal(pulse.watchedCount, 1)
  one.close()
  one.close()
  t.equal(pulse.watchedCount, 1)
  await admin.query(insertTransactions(no))
  await pulse.beat()
  t.equal(two.poll(), 'changed')
  two.close()
  t.equal(pulse.watchedCount, 0)
  const error = await errorOf(pulse.watch(999))
  t.match(error, { name: 'StoreError', message: 'there is no workspace with the number 999' })
  t.notOk(error instanceof StoreUnavailableError)
  t.equal(pulse.watchedCount, 0)
})

test('many workspaces are polled at once, and none after closing', async (t) => {
  const { url, admin } = await scene(t)
  await admin.query(`INSERT INTO kontor.workspaces (id)
    SELECT 'w' || i FROM generate_series(1, 1000) AS i`)
  const rows = await admin.query<{ no: number }>('SELECT no FROM kontor.workspaces ORDER BY no')
  const pulse = openPulse(t, url)
  const watches = await Promise.all(rows.map(({ no }) => pulse.watch(no)))
  t.equal(pulse.watchedCount, 1_001)
  t.ok(pulse.took.count <= 3, 'those that wait share a round')
  await admin.query(`${insertAccount(rows[0]?.no ?? 0)}, (${rows.at(-1)?.no}, NULL, 'EUR', 0, 0)`)
  await pulse.beat()
  const changed = watches.filter((watch) => watch.poll() === 'changed')
  t.same(changed, [watches[0], watches.at(-1)])
  const asking = pulse.beat()
  await pulse.close()
  await asking
  await pulse.beat()
  t.equal(watches[0]?.poll(), 'unchanged')
  t.ok((await errorOf(pulse.watch(5_000))) instanceof StoreUnavailableError)
})
