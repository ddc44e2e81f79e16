import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { appendAudit } from '../../../src/auth/audit.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { noteApiKeyUses } from '../../../src/store/api-key-rows.js'
import { findClient } from '../../../src/store/client-rows.js'
import { insertIntegration, listIntegrations } from '../../../src/store/integration-rows.js'
import { insertOperator, listOperators } from '../../../src/store/operator-rows.js'
import type { ControlDatabase } from '../../../src/store/postgres/control-database.js'
import { countRefusal, deleteRefusalsBefore } from '../../../src/store/refusal-rows.js'
import {
  LostCommitError,
  StoreError,
  StoreUnavailableError,
} from '../../../src/store/store-error.js'
import { sweepExpired } from '../../../src/store/sweep.js'
import { rotateRefresh } from '../../../src/store/token-rows.js'
import { all, count, first, hold, run, type Work } from '../../../src/store/work.js'
import { NOW_MS } from '../../fixtures/control.js'
import { pairOf, someIntegrationRow } from '../../fixtures/control-units.js'
import { connected, emptyDatabase, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import {
  addFamilyWithPair,
  addParties,
  openControlDatabase,
} from '../../fixtures/postgres-control.js'

function addOperator(name: string): Work<number> {
  return insertOperator({ name, password: '$scrypt$', createdAt: NOW_MS })
}

function* processId(): Work<number> {
  return (yield* first<{ id: number }>('SELECT pg_backend_pid() AS id'))?.id ?? 0
}

async function names(database: ControlDatabase): Promise<string[]> {
  return (await database.look(listOperators)).map(({ name }) => name)
}

async function opened(t: Test, options = {}): Promise<ControlDatabase> {
  return openControlDatabase(t, await migratedDatabase(t), options)
}

test('a transaction is kept as a whole, or not at all', async (t) => {
  const database = await opened(t)
  for (const way of ['atomically', 'alone'] as const) {
    const failure = database[way](function* () {
      yield* addOperator(way)
      throw new Error('mine')
    })
    await t.rejects(failure, { message: 'mine' }, way)
    const refusal = database[way](function* () {
      yield* addOperator(way)
      yield* addOperator(way)
    })
    await t.rejects(refusal, { name: 'StoreError', cause: { code: '23505' } }, way)
    t.same(await names(database), [], way)
  }
  await database.atomically(() => addOperator('anna'))
  await database.alone(() => addOperator('bert'))
  t.same(await names(database), ['anna', 'bert'])
  const looked = database.look(function* () {
    yield* addOperator('carl')
    throw new Error('mine')
  })
  await t.rejects(looked, { message: 'mine' })
  t.same(await names(database), ['anna', 'bert', 'carl'], 'each statement of a look is for itself')
})

test('an error of a statement is thrown into the work', async (t) => {
  const database = await opened(t)
  const seen: unknown[] = []
  const failing = database.look(function* () {
    try {
      yield* run('SELECT none')
    } catch (error) {
      seen.push(error)
      throw new Error('mine')
    }
  })
  await t.rejects(failing, { message: 'mine' })
  t.match(seen, [{ name: 'StoreError', message: /: column "none" does not exist$/ }])
  const goingOn = database.atomically(function* () {
    yield* addOperator('anna')
    try {
      yield* run('SELECT none')
    } catch (error) {
      seen.push(error)
    }
  })
  await t.rejects(goingOn, { message: /continued after an error/ })
  t.same(await names(database), [])
  const wanting = database.atomically(() => run('DELETE FROM operators WHERE id = @id'))
  await t.rejects(wanting, { message: 'the parameter @id of a statement has no value' })
})

test('a name is counted when the work is done', async (t) => {
  const database = await opened(t)
  await database.atomically(() => count('refused'))
  await database.look(() => count('refused'))
  const failing = database.alone(function* () {
    yield* count('refused')
    throw new Error('mine')
  })
  await t.rejects(failing, { message: 'mine' })
  t.same([...database.counts], [['refused', 2]])
})

test('statements see what was committed when they begin', async (t) => {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  await admin.query(`DO $$ BEGIN EXECUTE format(
    'ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database());
    END $$`)
  const database = openControlDatabase(t, url)
  const isolation = await database.atomically(() => all('SHOW transaction_isolation'))
  t.same(isolation, [{ transaction_isolation: 'read committed' }])
})

test('two units that wait for each other both end well', async (t) => {
  const database = await opened(t)
  for (const a of [1, 2]) await database.alone(() => insertIntegration(someIntegrationRow(a)))
  let begun = 0
  let held = 0
  const renaming = (ids: readonly [string, string]) =>
    database.atomically(function* () {
      begun += 1
      yield* count('renamed')
      yield* hold('SELECT id FROM integrations WHERE id = @id FOR UPDATE', { id: ids[0] })
      held += 1
      while (held < 2) yield* all('SELECT pg_sleep(0.001)')
      for (const id of ids) {
        yield* run("UPDATE integrations SET name = name || '+' WHERE id = @id", { id })
      }
    })
  await Promise.all([renaming(['i1', 'i2']), renaming(['i2', 'i1'])])
  const rows = await database.look(() => listIntegrations())
  t.same(
    rows.map(({ name }) => name),
    ['a b++', 'a b++'],
  )
  t.equal(begun, 3, 'one was begun anew')
  t.same([...database.counts], [['renamed', 2]], 'and counted once')
})

/** A database with functions that fail as PostgreSQL does. */
async function failingDatabase(t: Test): Promise<string> {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  await admin.query(`
    CREATE FUNCTION kontor_control.in_the_way() RETURNS INTEGER LANGUAGE plpgsql AS $$
      BEGIN RAISE serialization_failure; END $$;
    CREATE FUNCTION kontor_control.end_at_commit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON kontor_control.operators
      DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION kontor_control.end_at_commit()`)
  return url
}

test('the number of attempts is limited', async (t) => {
  const database = openControlDatabase(t, await failingDatabase(t))
  let begun = 0
  const failing = database.atomically(function* () {
    begun += 1
    yield* run('SELECT in_the_way()')
  })
  await t.rejects(failing, {
    name: 'StoreError',
    message: / 8 conflicts with other transactions; try again later$/,
  })
  t.equal(begun, 8)
})

test('after a lost answer to COMMIT, work is not retried', async (t) => {
  const database = openControlDatabase(t, await failingDatabase(t))
  let begun = 0
  const lost = await errorOf(
    database.atomically(function* () {
      begun += 1
      yield* addOperator('anna')
    }),
  )
  t.ok(lost instanceof LostCommitError)
  t.match(lost, { message: /the change may or may not have been made/ })
  t.equal(begun, 1)
  t.same(await names(database), [], 'and the next work has another connection')
})

test('work fails with its connection, and the next gets another one', async (t) => {
  const url = await migratedDatabase(t)
  const database = openControlDatabase(t, url)
  const admin = await connected(t, url)
  let killed = 0
  let killing: Promise<unknown> | undefined
  const lost = database.atomically(function* () {
    yield* addOperator('anna')
    killed = yield* processId()
    killing = admin.query('SELECT pg_terminate_backend($1)', [killed])
    for (;;) yield* all('SELECT pg_sleep(0.001)')
  })
  const error = await errorOf(lost)
  await killing
  t.ok(error instanceof StoreUnavailableError && !(error instanceof LostCommitError))
  t.same(await names(database), [])
  const next = await database.atomically(processId)
  t.not(next, killed)
  t.equal(await database.look(processId), next, 'which is kept')
})

test('a statement of a service ends after a while', async (t) => {
  const database = await opened(t, { statementMsMax: 20 })
  const before = await database.look(processId)
  const slow = await errorOf(database.look(() => all('SELECT pg_sleep(60)')))
  t.ok(slow instanceof StoreUnavailableError)
  t.match(slow, { message: /: the server does not answer in time$/ })
  const between = await database.look(processId)
  t.not(between, before, 'its connection is not used again')
  // An unresponsive server does not enforce its own time limit either.
  const silent = database.atomically(function* () {
    yield* run('SET LOCAL statement_timeout = 0')
    yield* all('SELECT pg_sleep(60)')
  })
  const silence = await errorOf(silent)
  t.ok(silence instanceof StoreUnavailableError)
  t.match(silence, { message: /: the server does not answer \(Query read timeout\)$/ })
  t.not(await database.look(processId), between)
})

test('a missing database is an error of the first work', async (t) => {
  const database = openControlDatabase(t, 'postgres://u:secret@127.0.0.1:1/db')
  t.equal(database.place, 'postgres://127.0.0.1:1/db')
  const error = await errorOf(database.atomically(listOperators))
  t.ok(error instanceof StoreUnavailableError)
  t.throws(() => openControlDatabase(t, 'mysql://u:secret@h/db'), { name: 'StoreError' })
  const empty = openControlDatabase(t, await emptyDatabase(t))
  const absent = await errorOf(empty.look(listOperators))
  assert(absent instanceof StoreError)
  t.match(absent.message, /relation "operators" does not exist/)
})

function* noteNothing(): Work<number> {
  return yield* run("UPDATE operators SET name = 'x' WHERE name = 'none'")
}

test('own writes are noticed at once, reads are not', async (t) => {
  const database = await opened(t)
  const before = database.dataVersion()
  await database.look(listOperators)
  await database.alone(listOperators)
  t.equal(database.dataVersion(), before)
  t.equal(database.ownWriteCount, 0)
  for (const way of ['look', 'atomically', 'alone'] as const) {
    const count = database.ownWriteCount
    const version = database.dataVersion()
    await database[way](() => addOperator(way))
    t.equal(database.ownWriteCount, count + 1, way)
    t.not(database.dataVersion(), version, way)
  }
  t.equal(database.noticesAtOnce, false, 'those of others are not')
  t.equal(database.held, undefined)
})

test('notes about callers do not change the data version', async (t) => {
  const database = await opened(t)
  const before = database.dataVersion()
  const notes: readonly (() => Work<unknown>)[] = [
    () => countRefusal({ minute: 1, fingerprint: '{}' }),
    () => deleteRefusalsBefore(2),
    () => noteApiKeyUses([{ id: 1, at: NOW_MS, operation: 'getAccounts' }]),
    () => appendAudit(CLI_ACTOR, NOW_MS, { action: 'session.begin', outcome: 'refused' }),
  ]
  for (const [i, note] of notes.entries()) {
    await database.atomically(note)
    t.equal(database.ownWriteCount, i + 1)
  }
  t.equal(database.dataVersion(), before)
  await database.atomically(() => addOperator('anna'))
  t.not(database.dataVersion(), before)
})

test('issuing, replacing or sweeping tokens changes nothing cached of others', async (t) => {
  const database = await opened(t)
  await database.alone(addParties)
  const before = [database.dataVersion(), database.keyVersion()]
  const renewals: readonly (() => Work<unknown>)[] = [
    () => addFamilyWithPair(1),
    () => rotateRefresh(pairOf(1, NOW_MS).refreshHash, pairOf(2, NOW_MS), NOW_MS),
    () => sweepExpired(NOW_MS + 10 ** 12, 50),
    () => addFamilyWithPair(3),
  ]
  for (const [i, renewal] of renewals.entries()) {
    await database.atomically(renewal)
    t.equal(database.renewalCount, i + 1)
  }
  t.same([database.dataVersion(), database.keyVersion()], before)
  const reuse = (): Work<string> =>
    rotateRefresh(pairOf(3, NOW_MS).refreshHash, pairOf(4, NOW_MS), NOW_MS)
  t.equal(await database.atomically(reuse), 'rotated')
  t.equal(database.dataVersion(), before[0])
  t.equal(await database.atomically(reuse), 'reused')
  t.not(database.dataVersion(), before[0], 'the end of a family is noticed')
})

test('only writes of alone change the key version', async (t) => {
  const database = await opened(t)
  const before = database.keyVersion()
  await database.look(noteNothing)
  await database.atomically(() => addOperator('anna'))
  await database.alone(listOperators)
  t.equal(database.keyVersion(), before)
  await database.alone(() => addOperator('bert'))
  t.ok(database.keyVersion() > before)
})

test('a write of unknown outcome is noticed, one that is rolled back is not', async (t) => {
  const database = await opened(t)
  const keyVersion = database.keyVersion()
  const killed = database.alone(function* () {
    yield* addOperator('anna')
    yield* first('SELECT pg_terminate_backend(pg_backend_pid())')
  })
  t.ok((await errorOf(killed)) instanceof StoreUnavailableError)
  t.equal(database.ownWriteCount, 0)
  t.equal(database.keyVersion(), keyVersion)
  const failing = openControlDatabase(t, await failingDatabase(t))
  const before = failing.keyVersion()
  t.ok((await errorOf(failing.alone(() => addOperator('anna')))) instanceof LostCommitError)
  t.equal(failing.ownWriteCount, 1)
  t.ok(failing.keyVersion() > before)
})

test('versions of the pulse are noticed, smaller ones too', async (t) => {
  const versions = { control: 5, keys: 3 }
  const heard = { controlVersion: () => versions.control, keyVersion: () => versions.keys }
  const database = await opened(t, { heard })
  const dataVersions = new Set([database.dataVersion()])
  const keyVersions = [database.keyVersion()]
  for (const [control, keys] of [
    [6, 3],
    [7, 7],
    [4, 2],
    [7, 3],
  ] as const) {
    versions.control = control
    versions.keys = keys
    const isNew = !dataVersions.has(database.dataVersion())
    t.equal(isNew, control !== 7 || keys === 7)
    dataVersions.add(database.dataVersion())
    keyVersions.push(database.keyVersion())
  }
  const [first, ...later] = keyVersions.map((version) => version - (keyVersions[0] ?? 0))
  t.same([first, ...later], [0, 0, 1, 2, 3])
  await database.alone(() => addOperator('anna'))
  t.equal(database.keyVersion() - (keyVersions[0] ?? 0), 4)
})

test('a text that PostgreSQL does not keep finds nothing, and breaks nothing', async (t) => {
  const database = await opened(t)
  t.equal(await database.look(() => findClient('\0')), undefined)
  await database.atomically(() => addOperator('an\0na'))
  t.same(await names(database), ['an\ufffdna'])
})
