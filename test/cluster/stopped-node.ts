import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { Cluster, eventually, statusOf } from '../fixtures/cluster.js'
import { connected, migratedDatabase } from '../fixtures/postgres.js'

const ACCOUNTS = '/v1/a/accounts'

/** Requests that wait for the stopped node. */
const WAITING = 20

/** Process ids and times that a warning names. */
function namedIn(stderr: string): { readonly pid: number; readonly until: string }[] {
  const found = stderr.matchAll(/-(\d+)-[\da-f]{6} until (\S+Z)/g)
  return [...found].map(([, pid, until = '']) => ({ pid: Number(pid), until }))
}

test('a stopped node is named, and after the time that is named opens nothing', async (t) => {
  const url = await migratedDatabase(t)
  const cluster = await Cluster.start(t, url, { words: ['--offline', '6s'] })
  await cluster.addWorkspace('a')
  const { id, key } = await cluster.addKey('a')
  t.same(await cluster.statuses(ACCOUNTS, key), [200, 200, 200])
  const [stopped = assert.fail(), ...others] = cluster.nodes
  const { child } = stopped.kontor
  child.kill('SIGSTOP')
  const { stderr } = await cluster.command(['keys', 'revoke', `${id}`])
  const named = namedIn(stderr)
  t.same(
    named.map(({ pid }) => pid),
    [child.pid],
    stderr,
  )
  for (const other of others) t.equal(await statusOf(`${other.url}${ACCOUNTS}`, key), 401)
  const connection = await connected(t, url)
  await eventually(async () => {
    const sql = 'SELECT WHERE clock_timestamp() > $1::TIMESTAMPTZ'
    return (await connection.query(sql, [named[0]?.until ?? null])).length > 0
  })
  const ask = () => statusOf(`${stopped.url}${ACCOUNTS}`, key)
  const waiting = Array.from({ length: WAITING }, ask)
  child.kill('SIGCONT')
  const statuses = await Promise.all(waiting)
  await eventually(async () => {
    statuses.push(await ask())
    return statuses.at(-1) === 401
  })
  const distinct = [...new Set(statuses)].sort()
  t.comment(`it answers ${distinct.join(', ')}`)
  t.ok(distinct.every((status) => status === 401 || status === 503))
  t.equal(child.exitCode, null, 'it has not ended')
})
