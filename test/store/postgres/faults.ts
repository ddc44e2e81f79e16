import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { test } from 'tap'
import {
  explained,
  explainFaults,
  isSerializationFailure,
} from '../../../src/store/postgres/faults.js'
import { isBusy, StoreError, StoreUnavailableError } from '../../../src/store/store-error.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'

/** An error of the server with this SQLSTATE. */
function serverError(code: string, fields: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError('in its words', 0, 'error'), { code, ...fields })
}

const SENTENCES: readonly (readonly [code: string, sentence: RegExp, isUnavailable: boolean])[] = [
  ['08006', /the connection is broken/, true],
  ['08P01', /in its words/, false],
  ['22021', /U\+0000/, false],
  ['22P05', /U\+0000/, false],
  ['23505', /in its words/, false],
  ['25006', /a standby \(select the primary\), or default_transaction_read_only/, true],
  ['25P03', /idle for too long/, false],
  ['28000', /refuses the user or the password/, false],
  ['28P01', /refuses the user or the password/, false],
  ['3D000', /no such database/, false],
  ['40001', /the transaction conflicts with another one/, false],
  ['40P01', /the transaction conflicts with another one/, false],
  ['42501', /in its words/, false],
  ['53100', /the disk of the server is full/, false],
  ['53200', /out of memory/, false],
  ['53300', /no free connection/, true],
  ['55P03', /locked by another program; try again later/, false],
  ['57014', /does not answer in time/, true],
  ['57P01', /has closed the connection/, true],
  ['57P02', /has closed the connection/, true],
  ['57P03', /starting or stopping/, true],
  ['XX001', /restore it from a backup/, false],
  ['XX002', /REINDEX/, false],
]

test('each SQLSTATE has a message, after the name of the database', async (t) => {
  for (const [code, sentence, isUnavailable] of SENTENCES) {
    const error = explained('postgres://h/db', serverError(code))
    t.match(error, { name: 'StoreError', message: sentence, cause: { code } }, code)
    t.match(error, { message: /^postgres:\/\/h\/db: / })
    t.equal(error instanceof StoreUnavailableError, isUnavailable, code)
    t.equal(isSerializationFailure(error), code.startsWith('40'), code)
    t.equal(isBusy(error), /^40|^55P03$/.test(code), code)
  }
  const full = serverError('23514', { constraint: 'accounts_id_check' })
  t.match(explained('p', full), { message: /^p: no ids are left/ })
  const other = serverError('23514', { constraint: 'accounts_currency_check' })
  t.match(explained('p', other), { message: 'p: in its words' })
})

test('network errors mean an unreachable server; other errors are rethrown', async (t) => {
  const codes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']
  for (const code of codes) {
    const error = explained('p', Object.assign(new Error(''), { code }))
    t.ok(error instanceof StoreUnavailableError, code)
    t.match(error, { message: `p: the server does not answer (${code})` })
  }
  for (const message of ['Connection terminated unexpectedly', 'timeout expired']) {
    t.ok(explained('p', new Error(message)) instanceof StoreUnavailableError, message)
  }
  const refused = new StoreError('mine')
  for (const error of [new TypeError('x'), refused, Object.assign(new Error('x'), { code: 'E' })]) {
    t.equal(explained('p', error), error)
    await t.rejects(
      explainFaults('p', () => Promise.reject(error)),
      error,
    )
  }
  t.equal(await explainFaults('p', async () => 5), 5)
  t.notOk(isSerializationFailure(refused))
})

test('errors of a real server get the expected messages', async (t) => {
  const url = await migratedDatabase(t)
  const [one, two] = [await connected(t, url), await connected(t, url)]
  await one.query("INSERT INTO kontor.workspaces (id) VALUES ('a'), ('b')")
  const hold = (id: string): string => `UPDATE kontor.workspaces SET uid = uid WHERE id = '${id}'`
  await one.query(`BEGIN; ${hold('a')}`)
  await two.query("SET lock_timeout = '20ms'")
  await t.rejects(two.query(hold('a')), { message: /the rows are locked by another program/ })
  await two.query("SET statement_timeout = '20ms'; SET lock_timeout = 0")
  t.ok((await errorOf(two.query(hold('a')))) instanceof StoreUnavailableError)
  await two.query('SET statement_timeout = 0')
  for (const connection of [one, two]) await connection.query("SET deadlock_timeout = '20ms'")
  await two.query(`BEGIN; ${hold('b')}`)
  const outcomes = await Promise.allSettled([one.query(hold('b')), two.query(hold('a'))])
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.equal(failed.length, 1)
  t.ok(isSerializationFailure(failed[0]?.reason))
  for (const connection of [one, two]) await connection.query('ROLLBACK')
  await t.rejects(one.query('SELECT $1::TEXT', ['\0']), { message: /U\+0000/ })
  await one.query("SET idle_in_transaction_session_timeout = '5ms'; BEGIN")
  while (await isThere()) await wait(5)
  await t.rejects(one.query('SELECT 1'), { name: 'StoreError' })

  async function isThere(): Promise<boolean> {
    const sql = "SELECT FROM pg_stat_activity WHERE state = 'idle in transaction'"
    return (await two.query(`${sql} AND datname = current_database()`)).length > 0
  }
})
