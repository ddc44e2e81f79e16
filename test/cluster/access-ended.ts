// What has ended on one node opens nothing on any other.
import { type Test, test } from 'tap'
import { RUNS_FACTOR } from '../fixtures/assert-property.js'
import { Cluster, eventually, type Party } from '../fixtures/cluster.js'
import { Consent } from '../fixtures/consent.js'
import { migratedDatabase } from '../fixtures/postgres.js'

const ACCOUNTS = '/v1/a/accounts'

/** Replays of a refresh token, and of a code, which takes several requests of an issuer. */
const REFRESH_ROUNDS = Math.ceil(50 * RUNS_FACTOR)
const CODE_ROUNDS = Math.ceil(20 * RUNS_FACTOR)

const EACH = (status: number): number[] => [status, status, status]

async function clusterOfOne(t: Test): Promise<Cluster> {
  const cluster = await Cluster.start(t, await migratedDatabase(t))
  await cluster.addWorkspace('a')
  return cluster
}

test('once a command has returned, the next request on each node is refused', async (t) => {
  const cluster = await clusterOfOne(t)
  const { id, key } = await cluster.addKey('a')
  t.same(await cluster.statuses(ACCOUNTS, key), EACH(200))
  await cluster.command(['keys', 'revoke', `${id}`])
  t.same(await cluster.statuses(ACCOUNTS, key), EACH(401), 'keys revoke')
  const party = await cluster.addParty('a')
  const ended = await cluster.addTokens(party)
  const other = await cluster.addTokens(party)
  for (const { access } of [ended, other]) {
    t.same(await cluster.statuses(ACCOUNTS, access), EACH(200))
  }
  await cluster.command(['grants', 'revoke', `${ended.grantId}`])
  t.same(await cluster.statuses(ACCOUNTS, ended.access), EACH(401), 'grants revoke')
  t.same(await cluster.statuses(ACCOUNTS, other.access), EACH(200))
  await cluster.command(['integrations', 'deactivate', party.integration.id])
  t.same(await cluster.statuses(ACCOUNTS, other.access), EACH(401), 'integrations deactivate')
})

/**
 * Sends a secret that works once to all nodes at once: one wins, and the family ends everywhere.
 * @param access earlier tokens of the family
 */
async function raceOnNodes(
  t: Test,
  { cluster, party }: { readonly cluster: Cluster; readonly party: Party },
  { send, access }: { send: (node: string) => Promise<Response>; access: readonly string[] },
): Promise<void> {
  const replies = await Promise.all(
    cluster.nodes.map(async ({ url }) => {
      const reply = await send(url)
      return { status: reply.status, json: (await reply.json()) as Record<string, string> }
    }),
  )
  t.same(replies.map(({ status }) => status).sort(), [200, 400, 400])
  const won = replies.find(({ status }) => status === 200)?.json ?? {}
  const secrets = [...access, won['access_token'] ?? '']
  const tookMs = await eventually(async () => {
    const statuses = await Promise.all(secrets.map((one) => cluster.statuses(ACCOUNTS, one)))
    return statuses.flat().every((status) => status === 401)
  })
  t.comment(`the family has ended everywhere after ${tookMs.toFixed()} ms`)
  const again = await cluster.refresh(cluster.proxy.url, party, won['refresh_token'] ?? '')
  t.equal(again.status, 400, 'the refresh token of the winner is ended too')
}

test('a refresh token sent to all nodes at once works once, and ends its family', async (t) => {
  const cluster = await clusterOfOne(t)
  const party = await cluster.addParty('a')
  for (let round = 0; round < REFRESH_ROUNDS; round++) {
    const { access, refresh } = await cluster.addTokens(party)
    t.same(await cluster.statuses(ACCOUNTS, access), EACH(200))
    const send = (node: string) => cluster.refresh(node, party, refresh)
    await raceOnNodes(t, { cluster, party }, { send, access: [access] })
  }
})

test('a code sent to all nodes at once works once, and ends its family', async (t) => {
  const cluster = await clusterOfOne(t)
  const party = await cluster.addParty('a')
  const consent = await Consent.make(cluster, party)
  const visitor = await consent.signIn(cluster.proxy.url)
  for (let round = 0; round < CODE_ROUNDS; round++) {
    const code = await consent.newCode(visitor, cluster.proxy.url)
    const send = (node: string) => consent.redeem(node, code)
    await raceOnNodes(t, { cluster, party }, { send, access: [] })
  }
})
