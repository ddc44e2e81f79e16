// A node writes its heartbeat before its polls count, and confirms the versions that it has
// adopted.
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { listNodes, ROW_LASTS_MS } from '../../../src/store/postgres/node-table.js'
import type { HeardVersions } from '../../../src/store/postgres/pulse.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { PostgresProxy } from '../../fixtures/postgres-proxy.js'
import {
  endConnections,
  openPulse,
  SetClock,
  someNode,
  until,
} from '../../fixtures/postgres-pulse.js'

const CHANGE_ACCESS = 'UPDATE kontor_control.versions SET control = control + 1'

interface Scene {
  readonly url: string
  readonly admin: PostgresConnection
  readonly clock: SetClock
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  return { url, admin: await connected(t, url), clock: new SetClock() }
}

/** Versions that the rows of all nodes confirm. */
async function confirmed(admin: PostgresConnection): Promise<number[]> {
  return (await listNodes(admin)).map(({ controlVersion }) => controlVersion)
}

/** Has the server end the connections of pulses. */
/** Makes writing to `nodes` fail, or have an effect, until it is called again. */
async function whenWritten(admin: PostgresConnection, statement: string): Promise<void> {
  await admin.query(`CREATE OR REPLACE FUNCTION kontor_control.node_written() RETURNS TRIGGER
      LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER node_written AFTER INSERT OR UPDATE ON kontor_control.nodes
      FOR EACH ROW EXECUTE FUNCTION kontor_control.node_written()`)
}

test('the row is written before the first poll, and then confirms', async (t) => {
  const { url, admin, clock } = await scene(t)
  await whenWritten(admin, "RAISE EXCEPTION 'not now'")
  const pulse = openPulse(t, url, { clock: clock.read, node: someNode('a') })
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), Number.POSITIVE_INFINITY)
  t.match(pulse.fault, /^the heartbeat of this node cannot be written: postgres:.*: not now$/)
  t.equal(pulse.connectionCount, 1, 'the connection is sound')
  const written = `INSERT INTO kontor.workspaces (id) VALUES ('v' || NEW.control_version)`
  await whenWritten(admin, written)
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), 0)
  t.equal(pulse.fault, undefined)
  await until(async () => (await confirmed(admin))[0] === 1)
  const ids = await admin.query<{ id: string }>('SELECT id FROM kontor.workspaces ORDER BY no')
  t.match(ids[0], { id: /^v[01]$/ })
  t.match(await listNodes(admin), [{ id: 'a', residents: 2, bytes: 300, program: '0.3.0' }])
})

test('polls count for three seconds after the last heartbeat', async (t) => {
  const { url, admin, clock } = await scene(t)
  const pulse = openPulse(t, url, { clock: clock.read, node: someNode('a') })
  await pulse.beat()
  await until(async () => (await confirmed(admin))[0] === 1)
  await whenWritten(admin, "RAISE EXCEPTION 'not now'")
  const ages: number[] = []
  for (let i = 1; i <= 5; i++) {
    clock.ms += 1_000
    await pulse.beat()
    ages.push(pulse.heardAgeMs())
  }
  t.same(ages, [0, 0, 0, 1_000, 2_000])
  t.equal(ROW_LASTS_MS, 3_000)
  await whenWritten(admin, 'NULL')
  await pulse.beat()
  t.equal(pulse.heardAgeMs(), 0)
})

test('another connection writes the row first as well', async (t) => {
  const { url, admin, clock } = await scene(t)
  const pulse = openPulse(t, url, { clock: clock.read, intervalMs: 500, node: someNode('a') })
  await until(async () => (await confirmed(admin))[0] === 1)
  t.equal(pulse.heardAgeMs(), 0)
  // As after a restored backup in which the row is missing.
  await admin.query('DELETE FROM kontor_control.nodes')
  await whenWritten(admin, "RAISE EXCEPTION 'not now'")
  await endConnections(admin)
  clock.ms += 500
  await until(async () => {
    await pulse.beat()
    return pulse.connectionCount === 2
  })
  t.equal(pulse.heardAgeMs(), 500)
  await whenWritten(admin, 'NULL')
  await until(async () => {
    await pulse.beat()
    return pulse.heardAgeMs() === 0
  })
  t.match(await listNodes(admin), [{ id: 'a' }])
})

test('a server that accepts no writes is left for the new primary', async (t) => {
  const { url, admin, clock } = await scene(t)
  const pulse = openPulse(t, url, { clock: clock.read, intervalMs: 500, node: someNode('a') })
  await until(async () => (await confirmed(admin))[0] === 1)
  const becomeStandby = (isStandby: boolean): Promise<unknown> =>
    admin.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I
      SET default_transaction_read_only = ${isStandby}', current_database()); END $$`)
  await becomeStandby(true)
  await endConnections(admin)
  clock.ms += 500
  await until(async () => {
    await pulse.beat()
    return pulse.connectionCount === 2
  })
  t.match(pulse.fault, /it is a standby/)
  await becomeStandby(false)
  clock.ms += 500
  await pulse.beat()
  t.equal(pulse.fault, undefined)
  t.same([pulse.heardAgeMs(), pulse.connectionCount], [0, 3])
})

test('a row is written each second, and waits for no standby', async (t) => {
  const { url, admin, clock } = await scene(t)
  await admin.query('CREATE TABLE kontor_control.written (mode TEXT)')
  const mode = "current_setting('synchronous_commit')"
  await whenWritten(admin, `INSERT INTO kontor_control.written VALUES (${mode})`)
  const pulse = openPulse(t, url, { clock: clock.read, node: someNode('a') })
  const writtenCount = async () => (await admin.query('SELECT FROM kontor_control.written')).length
  await until(async () => (await writtenCount()) === 2)
  await pulse.beat()
  t.equal(await writtenCount(), 2, 'once when it began, once when it had taken over')
  for (let i = 0; i < 6; i++) {
    clock.ms += 500
    await pulse.beat()
  }
  t.equal(await writtenCount(), 5)
  t.same(await admin.query('SELECT DISTINCT mode FROM kontor_control.written'), [{ mode: 'local' }])
})

test('a version is confirmed when memory has it', async (t) => {
  const { url, admin, clock } = await scene(t)
  const asked: HeardVersions[] = []
  let answer: { readonly take: () => void; readonly refuse: (error: Error) => void } | undefined
  const pulse = openPulse(t, url, {
    clock: clock.read,
    node: someNode('a'),
    adopt: (versions) => {
      asked.push(versions)
      return new Promise<void>((take, refuse) => {
        answer = { take, refuse }
      })
    },
  })
  await pulse.beat()
  t.same(await confirmed(admin), [0], 'nothing yet')
  t.equal(pulse.heardAgeMs(), Number.POSITIVE_INFINITY)
  t.match(asked, [{ era: 1, control: 1 }])
  await admin.query(CHANGE_ACCESS)
  clock.ms += 100
  await pulse.beat()
  t.equal(asked.length, 1, 'one at a time')
  t.equal(pulse.versions?.control, 2)
  answer?.take()
  await until(() => asked.length === 2)
  t.match(asked[1], { control: 2 })
  t.equal(pulse.heardAgeMs(), 100, 'memory has what was true when it was first asked')
  t.same(await confirmed(admin), [1])
  answer?.refuse(new Error('no keys'))
  await pulse.beat()
  await until(() => asked.length === 3)
  t.match(asked[2], { control: 2 }, 'it is asked again')
  t.match(pulse.fault, /^control data cannot be read: no keys$/)
  t.same(await confirmed(admin), [1])
  answer?.take()
  await until(async () => (await confirmed(admin))[0] === 2)
  t.equal(pulse.heardAgeMs(), 0)
  await pulse.beat()
  t.equal(pulse.fault, undefined)
  t.equal(asked.length, 3)
})

test('a new connection confirms no version of an earlier one', async (t) => {
  const { url, admin, clock } = await scene(t)
  const eras: number[] = []
  let isSlow = false
  const pulse = openPulse(t, url, {
    clock: clock.read,
    intervalMs: 500,
    node: someNode('a'),
    adopt: ({ era }) => {
      eras.push(era)
      return isSlow ? new Promise(() => undefined) : undefined
    },
  })
  await until(async () => (await confirmed(admin))[0] === 1)
  isSlow = true
  await endConnections(admin)
  await admin.query(CHANGE_ACCESS)
  clock.ms += 500
  await until(async () => {
    await pulse.beat()
    return pulse.connectionCount === 2
  })
  t.same(eras, [1, 2])
  t.same(await confirmed(admin), [0])
})

test('a node that ends removes its row', async (t) => {
  const { url, admin, clock } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const one = openPulse(t, url, { clock: clock.read, node: someNode('a') })
  const two = openPulse(t, proxy.url, { clock: clock.read, node: someNode('b') })
  await Promise.all([one.beat(), two.beat()])
  t.match(await listNodes(admin), [{ id: 'a' }, { id: 'b' }])
  await one.close()
  t.match(await listNodes(admin), [{ id: 'b' }])
  await proxy.cut()
  await two.close()
  await two.close()
  t.match(await listNodes(admin), [{ id: 'b' }], 'and one without a database leaves it')
})
