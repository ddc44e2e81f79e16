// Batch matches under pressure, over both engines: the budget, waiting batches, changes of results,
// callers that disconnect, and keys that are revoked while a body arrives.
import { test } from 'tap'
import { revokeApiKey } from '../../../src/admin/api-keys.js'
import type { ServiceOptions } from '../../../src/cli/service-options.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { BATCH_WAITING_MAX } from '../../../src/limits.js'
import type { RankMatches } from '../../../src/query/match-ranking.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { requestText, settled, WireClient } from '../../fixtures/http-rig.js'
import { rankHere } from '../../fixtures/ranking.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import {
  bodyOf,
  Client,
  outcomeOf,
  overEngines,
  type RunningService,
} from '../../fixtures/service.js'

const TARGET = '/v1/w/transactions/match'
const QUERIES = Array.from({ length: 20 }, (_, i) => {
  return { id: String(i), query: `RE-2026-${1_000 + i}` }
})
const BODY = JSON.stringify({ queries: QUERIES })
const HEADERS = { 'Content-Type': 'application/json' }
const ROWS = {
  ...SAMPLE,
  transactions: Array.from({ length: 300 }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: `RE-2026-${1_000 + i}` }),
  ),
}

const scan = rankHere()

/** Rankings that end once the test opens the gate. */
class GatedRankings {
  /** Credentials in the order of their rankings. */
  readonly credentialIds: string[] = []
  open: () => void = () => undefined
  readonly #isOpen = new Promise<void>((resolve) => {
    this.open = resolve
  })

  readonly rank: RankMatches = async (context, request, time) => {
    const ranking = await scan(context, request, time)
    this.credentialIds.push(time.credentialId ?? '')
    await this.#isOpen
    return ranking
  }
}

/** A key of the workspace, which is in memory and indexed. */
async function keyOf(service: RunningService): Promise<{ key: string; id: number }> {
  await service.write('w', ROWS)
  const made = await service.newKey('w')
  await service.ask('/v1/w/transactions/search?query=RE', { key: made.key })
  return made
}

function post(client: Pick<Client, 'ask'>, key: string): Promise<Reply> {
  return client.ask(TARGET, { method: 'POST', key, headers: HEADERS, body: BODY })
}

/** Runs a test over both engines, each with rankings of its own behind a gate. */
function gated(
  run: (
    ...given: [...Parameters<Parameters<typeof overEngines>[0]>, GatedRankings]
  ) => Promise<void>,
  options: Partial<ServiceOptions> = {},
) {
  let gate = new GatedRankings()
  const rankMatches: RankMatches = (...asked) => gate.rank(...asked)
  return overEngines(
    async (t, service, rig) => {
      gate = new GatedRankings()
      await run(t, service, rig, gate)
    },
    { rankMatches, ...options },
  )
}

test(
  'a batch that exceeds its budget is 503, and others continue',
  gated(
    async (t, service, _rig, gate) => {
      const { key } = await keyOf(service)
      for (let i = 0; i < 3; i++) {
        const reply = await post(service, key)
        t.equal(outcomeOf(reply), '503 budget_exceeded')
        t.equal(reply.fields['retry-after'], '1')
      }
      t.equal((await service.ask('/v1/w/transactions', { key })).status, 200)
      gate.open()
    },
    { matchBudgetMs: 50 },
  ),
)

test(
  'batches of one key wait for each other, some of them; another key does not wait',
  gated(async (t, service, _rig, gate) => {
    const { key } = await keyOf(service)
    const { key: other } = await service.newKey('w')
    const clients = Array.from({ length: 4 }, () => new Client(service.client.port))
    t.teardown(() => {
      for (const client of clients) client.close()
    })
    // One has begun, the others wait, and there is no room for the last one.
    const asked = Array.from({ length: BATCH_WAITING_MAX + 2 }, async (_, i) => {
      const client = clients[i % clients.length] ?? service.client
      return outcomeOf(await post(client, key))
    })
    t.equal(await Promise.race(asked), '503 budget_exceeded')
    const theirs = post(service, other)
    await service.until(() => new Set(gate.credentialIds).size === 2)
    const single = service.ask(`${TARGET}?query=RE-2026-1007`, { key })
    await service.until(() => gate.credentialIds.length > 8)
    gate.open()
    t.equal(outcomeOf(await theirs), '200')
    t.match(bodyOf(await single), [{ id: 8 }])
    const outcomes = await Promise.all(asked)
    t.equal(outcomes.filter((outcome) => outcome === '200').length, BATCH_WAITING_MAX + 1)
  }),
)

test(
  'a change of a result while the batch is ranked is 409, any other change is not',
  gated(async (t, service, _rig, gate) => {
    const { key } = await keyOf(service)
    const tagOf = async (): Promise<string | undefined> =>
      (await service.ask('/v1/w/accounts', { key })).fields['etag']
    const pending = post(service, key)
    await service.until(() => gate.credentialIds.length > 0)
    const before = await tagOf()
    const database = new Database(service.pathOf('w'))
    database.exec("UPDATE transactions SET purpose = 'Miete' WHERE id = 3")
    await service.until(async () => (await tagOf()) !== before)
    gate.open()
    t.equal(outcomeOf(await pending), '409 data_changed')
    const again = bodyOf(await post(service, key)) as { total: number }[]
    t.same(
      again.map(({ total }) => total),
      QUERIES.map((_, i) => (i === 2 ? 0 : 1)),
    )
    database.close()
  }),
)

test(
  'a key that is revoked while the body arrives is 401',
  overEngines(async (t, service) => {
    const { key, id } = await keyOf(service)
    const sending = await WireClient.connect(service.client.port)
    t.teardown(() => sending.socket.destroy())
    const fields = [
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
    ]
    sending.write(requestText('POST', TARGET, `${fields.join('\r\n')}\r\n`) + BODY.slice(0, 20))
    // Meanwhile the head is read.
    await settled(service.client.port)
    const { control } = service
    await revokeApiKey({ control, nowMs: service.nowMs, actor: CLI_ACTOR }, id)
    await service.until(async () => (await service.ask('/v1/w/accounts', { key })).status === 401)
    sending.write(BODY.slice(20))
    t.equal((await sending.reply()).status, 401)
  }),
)

test('a caller that disconnects ends its rankings', async (t) => {
  let seen: AbortSignal[] = []
  const rankMatches: RankMatches = (_context, _request, { signal }) => {
    seen.push(signal)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  await overEngines(
    async (inner, service) => {
      seen = []
      const { key } = await keyOf(service)
      const leaving = await WireClient.connect(service.client.port)
      const fields = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
      const length = `Content-Length: ${BODY.length}\r\n`
      leaving.write(requestText('POST', TARGET, fields + length) + BODY)
      await service.until(() => seen.length > 0)
      leaving.socket.destroy()
      await service.until(() => seen.every(({ aborted }) => aborted))
      inner.ok(seen.length <= 4, 'no further ones begin')
      inner.equal((await service.ask('/v1/w/accounts', { key })).status, 200)
      inner.same(
        service.log.filter((line) => line.startsWith('fault')),
        [],
      )
    },
    { rankMatches },
  )(t)
})
