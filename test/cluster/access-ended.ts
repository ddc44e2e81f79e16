// What has ended on one node opens nothing on any other.
import { type Test, test } from 'tap'
import { Cluster, eventually } from '../fixtures/cluster.js'
import { migratedDatabase } from '../fixtures/postgres.js'

const ACCOUNTS = '/v1/a/accounts'

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

test('a refresh token sent to all nodes at once works once, and ends its family', async (t) => {
  const cluster = await clusterOfOne(t)
  const party = await cluster.addParty('a')
  for (let round = 0; round < 20; round++) {
    const { access, refresh } = await cluster.addTokens(party)
    t.same(await cluster.statuses(ACCOUNTS, access), EACH(200))
    const replies = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const reply = await cluster.refresh(url, party, refresh)
        return { status: reply.status, json: (await reply.json()) as Record<string, string> }
      }),
    )
    t.same(replies.map(({ status }) => status).sort(), [200, 400, 400])
    const won = replies.find(({ status }) => status === 200)?.json ?? {}
    const secrets = [access, won['access_token'] ?? '']
    const isEnded = async (): Promise<boolean> => {
      const statuses = await Promise.all(secrets.map((one) => cluster.statuses(ACCOUNTS, one)))
      return statuses.flat().every((status) => status === 401)
    }
    const tookMs = await eventually(isEnded)
    if (round === 0) t.comment(`the family has ended everywhere after ${tookMs.toFixed()} ms`)
    const again = await cluster.refresh(cluster.proxy.url, party, won['refresh_token'] ?? '')
    t.equal(again.status, 400, 'the refresh token of the winner is ended too')
  }
})
