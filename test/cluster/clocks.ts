// The clock of a node has no effect: what ends does so by the clock of the database.
import { strict as assert } from 'node:assert'
import { setTimeout as wait } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { createApiKey } from '../../src/admin/api-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import type { PostgresConnection } from '../../src/store/postgres/connect.js'
import { Cluster, type Party } from '../fixtures/cluster.js'
import { Consent } from '../fixtures/consent.js'
import { addTokens } from '../fixtures/control.js'
import type { PageVisitor } from '../fixtures/page-visitor.js'
import { connected, migratedDatabase } from '../fixtures/postgres.js'

const ACCOUNTS = '/v1/a/accounts'

/** Nodes behind, on time and ahead. */
const CLOCKS_AHEAD_MS = [-600_000, 0, 600_000]

/** How exactly a node knows the database's clock at least; it is off by half a round trip. */
const SLACK_MS = 1_000

/** Lifetime of an access token of `addTokens`. */
const ACCESS_MS = 60_000

interface Clocks {
  readonly cluster: Cluster
  readonly connection: PostgresConnection
  readonly party: Party
  readonly consent: Consent
  /** Milliseconds of the database. */
  readonly now: () => Promise<number>
}

async function clocksOff(t: Test): Promise<Clocks> {
  const url = await migratedDatabase(t)
  const cluster = await Cluster.start(t, url, { clocksAheadMs: CLOCKS_AHEAD_MS })
  await cluster.addWorkspace('a')
  const party = await cluster.addParty('a')
  const consent = await Consent.make(cluster, party)
  const connection = await connected(t, url)
  const now = async (): Promise<number> => {
    const sql = 'SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS ms'
    return (await connection.query<{ ms: number }>(sql))[0]?.ms ?? assert.fail()
  }
  for (const [at, { kontor }] of cluster.nodes.entries()) {
    const [told = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(kontor.output.stderr) ?? []
    const aheadMs = Date.parse(told) - (await now())
    t.ok(Math.abs(aheadMs - (CLOCKS_AHEAD_MS[at] ?? 0)) < 60_000, `its clock is off: ${told}`)
  }
  return { cluster, connection, party, consent, now }
}

/** Whether the operator is signed in, by each node. */
function openAt({ nodes }: Cluster, visitor: PageVisitor): Promise<boolean[]> {
  return Promise.all(
    nodes.map(async ({ url }) => {
      const { text } = await visitor.get(`${url}/dashboard`)
      return !text.includes('value="sign-in"')
    }),
  )
}

test('tokens, keys and sessions end on each node at their time', async (t) => {
  const { cluster, connection, party, consent, now } = await clocksOff(t)
  const tokenUntil = async (untilMs: number): Promise<string> => {
    const createdMs = untilMs - ACCESS_MS
    const work = () => addTokens(party.client, SCOPES.join(' '), createdMs)
    return (await cluster.control.atomically(work)).access
  }
  const visitors: PageVisitor[] = []
  for (const { url } of cluster.nodes) visitors.push(await consent.signIn(url))
  const begunMs = await now()
  t.same(await cluster.statuses(ACCOUNTS, await tokenUntil(begunMs + ACCESS_MS)), [200, 200, 200])
  t.same(await cluster.statuses(ACCOUNTS, await tokenUntil(begunMs - 1)), [401, 401, 401])
  for (const visitor of visitors) t.same(await openAt(cluster, visitor), [true, true, true])

  const untilMs = (await now()) + 3 * SLACK_MS
  const admin = { control: cluster.control, nowMs: begunMs, actor: CLI_ACTOR }
  const { key } = await createApiKey(admin, {
    ...{ workspaceId: 'a', name: 'k', scopes: SCOPES, accountIds: null, expiresAtMs: untilMs },
  })
  const token = await tokenUntil(untilMs)
  await connection.query('UPDATE sessions SET expires_at = $1', [untilMs])
  const isOpen = async (): Promise<boolean[]> => {
    const statuses = [
      ...(await cluster.statuses(ACCOUNTS, token)),
      ...(await cluster.statuses(ACCOUNTS, key)),
    ]
    const opened = await Promise.all(visitors.map((visitor) => openAt(cluster, visitor)))
    for (const status of statuses) assert.ok(status === 200 || status === 401, `${status}`)
    return [...statuses.map((status) => status === 200), ...opened.flat()]
  }
  let openCount = 0
  for (let isPast = false; !isPast; await wait(250)) {
    const askedMs = await now()
    const open = await isOpen()
    isPast = askedMs > untilMs + SLACK_MS
    if ((await now()) < untilMs - SLACK_MS) {
      assert.ok(open.every(Boolean), `${open}`)
      openCount += 1
    }
    if (isPast) t.notOk(open.some(Boolean), 'all have ended')
  }
  t.ok(openCount > 0, `all were open ${openCount} times`)
})

test('codes end on each node at their time, and so does what each node issues', async (t) => {
  const { cluster, connection, party, consent, now } = await clocksOff(t)
  const [behind = '', , ahead = ''] = cluster.nodes.map(({ url }) => url)
  const begunMs = await now()
  for (const issuer of cluster.nodes) {
    const visitor = await consent.signIn(issuer.url)
    for (const redeemer of [behind, ahead]) {
      const reply = await consent.redeem(redeemer, await consent.newCode(visitor, issuer.url))
      t.equal(reply.status, 200)
      const { access_token: access } = (await reply.json()) as { access_token: string }
      t.same(await cluster.statuses(ACCOUNTS, access), [200, 200, 200])
    }
    const late = await consent.newCode(visitor, issuer.url)
    const end = 'UPDATE codes SET expires_at = $1 WHERE used_at IS NULL RETURNING expires_at'
    t.equal((await connection.query(end, [(await now()) - SLACK_MS])).length, 1)
    const reply = await consent.redeem(behind, late)
    t.equal(reply.status, 400)
    t.match(await reply.json(), { error: 'invalid_grant' })
  }
  const endedMs = await now()
  const { codeMs, accessMs } = party.integration
  const issued = await connection.query<{ ms: number }>(
    `SELECT c.expires_at - $1::BIGINT AS ms FROM codes c JOIN tokens USING (grant_id)
      UNION ALL SELECT access_expires_at - $2::BIGINT FROM tokens`,
    [codeMs, accessMs],
  )
  t.equal(issued.length, 12, 'two codes of each node, and their tokens')
  const isSoon = ({ ms }: { ms: number }) => ms > begunMs - SLACK_MS && ms < endedMs + SLACK_MS
  t.ok(issued.every(isSoon), 'they were issued by the clock of the database')
})
