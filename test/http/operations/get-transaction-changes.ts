// Changes over both engines: what a caller is sent, when, and what it must not learn.
import { strict as assert } from 'node:assert'
import { type ClientRequest, request } from 'node:http'
import { type Test, test } from 'tap'
import { revokeApiKey } from '../../../src/admin/api-keys.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import type { TransactionChanges } from '../../../src/domain/transaction-change.js'
import { type Connection, Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { writePastTriggers } from '../../fixtures/changes.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { OTHER_IBAN, SAMPLE } from '../../fixtures/sample-workspace.js'
import {
  bodyOf,
  Client,
  outcomeOf,
  overEngines,
  type RunningService,
  type Sending,
} from '../../fixtures/service.js'

const CHANGES = '/v1/w/transactions/changes'

/** The sample is served, and other programs write to it. */
class Bench {
  private constructor(
    readonly service: RunningService,
    readonly writer: Connection,
    readonly key: string,
  ) {}

  static async of(t: Test, service: RunningService): Promise<Bench> {
    await service.write('w', SAMPLE)
    const writer = new Database(service.pathOf('w'))
    writer.pragma('foreign_keys = ON')
    t.teardown(() => writer.close())
    return new Bench(service, writer, (await service.newKey('w')).key)
  }

  ask(query: string, sending: Sending = {}): Promise<Reply> {
    const target = query === '' ? CHANGES : `${CHANGES}?${query}`
    return this.service.ask(target, { key: this.key, ...sending })
  }

  async page(query: string, sending: Sending = {}): Promise<TransactionChanges> {
    const reply = await this.ask(query, sending)
    assert.equal(reply.status, 200, reply.text)
    return bodyOf(reply) as TransactionChanges
  }

  /** The cursor behind a whole copy. */
  async copy(sending: Sending = {}, filter = ''): Promise<string> {
    let page = await this.page(`limit=250${filter}`, sending)
    while (page.hasMore) {
      page = await this.page(`limit=250&since=${page.cursor}${filter}`, sending)
    }
    return page.cursor
  }

  /** Resolves once a list of the service shows the last commit. */
  async shown(): Promise<void> {
    const sql = 'SELECT count(*), sum(amount_unscaled) FROM transactions WHERE purpose IS NOT NULL'
    const there = this.writer.prepare(sql).raw().get() as number[]
    await this.service.until(async () => {
      const reply = await this.service.ask('/v1/w/transactions?limit=250', { key: this.key })
      const rest = await this.service.ask('/v1/w/transactions?limit=250&offset=250', {
        key: this.key,
      })
      const items = [reply, rest].flatMap((some) => bodyOf(some) as { purpose?: string }[])
      return items.filter(({ purpose }) => purpose !== undefined).length === there[0]
    })
  }
}

function idsOf({ changes }: TransactionChanges): number[] {
  return changes.map((change) => (change.kind === 'delete' ? -change.id : change.transaction.id))
}

test(
  'a copy, then what has changed',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const first = await bench.page('limit=250')
    t.equal(first.changes.length, 250)
    t.ok(first.hasMore)
    const second = await bench.page(`limit=250&since=${first.cursor}`)
    t.equal(second.changes.length, 52)
    t.notOk(second.hasMore)
    const ids = [...idsOf(first), ...idsOf(second)]
    t.same(
      ids,
      ids.toSorted((a, b) => b - a),
    )
    const nothing = await bench.page(`since=${second.cursor}`)
    t.same(nothing, { changes: [], cursor: second.cursor, hasMore: false })
    bench.writer.exec(`UPDATE transactions SET purpose = 'neu' WHERE id = 7;
      DELETE FROM transactions WHERE id = 8; UPDATE accounts SET name = 'neu' WHERE id = 1`)
    await bench.shown()
    const changed = await bench.page(`since=${second.cursor}&wait=30`)
    t.same(idsOf(changed), [7, -8])
    t.match(changed.changes[0], { transaction: { purpose: 'neu' } })
    t.same((await bench.page(`since=${changed.cursor}`)).changes, [], 'a rename is no change')
  }),
)

test(
  'a request that waits is answered by the first change',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const restricted = await service.newKey('w', { accountIds: [2] })
    const own = await bench.copy({ key: restricted.key })
    const waiting = [
      bench.page(`since=${since}&wait=30`),
      bench.page(`since=${own}&wait=30`, { key: restricted.key }),
    ]
    let doneCount = 0
    for (const page of waiting) void page.then(() => (doneCount += 1))
    bench.writer.exec("UPDATE transactions SET purpose = 'neu' WHERE id = 7")
    t.same(idsOf((await waiting[0]) ?? assert.fail()), [7])
    await bench.shown()
    t.equal(doneCount, 1, 'a change of another account is none')
    bench.writer.exec("UPDATE transactions SET purpose = 'neu' WHERE id = 301")
    t.same(idsOf((await waiting[1]) ?? assert.fail()), [301])
  }),
)

test(
  'the time to wait is kept, and the cursor stays',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const reply = await bench.ask(`since=${since}&wait=1`)
    t.same(bodyOf(reply), { changes: [], cursor: since, hasMore: false })
    const again = await bench.ask(`since=${since}&wait=1`, {
      headers: { 'If-None-Match': reply.fields['etag'] ?? '' },
    })
    t.equal(again.status, 304, 'an equal answer is recognized after the wait')
    t.equal((await bench.ask(`since=${since}`, { method: 'HEAD' })).status, 200)
  }),
)

test(
  'a credential is checked again after the wait',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const { id, key } = await service.newKey('w')
    const since = await bench.copy({ key })
    const waiting = bench.ask(`since=${since}&wait=30`, { key })
    await bench.ask('limit=1', { key })
    await revokeApiKey({ control: service.control, nowMs: service.nowMs, actor: CLI_ACTOR }, id)
    bench.writer.exec("UPDATE transactions SET purpose = 'neu' WHERE id = 7")
    t.equal(outcomeOf(await waiting), '401 unauthorized')
  }),
)

test(
  'a caller that disconnects, and a stop of the service, end the wait',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const { port } = service.client
    const sent: ClientRequest = request({
      ...{ host: '127.0.0.1', port, path: `${CHANGES}?since=${since}&wait=30` },
      headers: { Authorization: `Bearer ${bench.key}` },
    })
    const failed = new Promise((resolve) => sent.on('error', resolve))
    sent.end()
    await bench.ask('limit=1')
    sent.destroy()
    await failed
    const waiting = bench.page(`since=${since}&wait=30`)
    await bench.ask('limit=1')
    service.service.endWaits()
    t.same(await waiting, { changes: [], cursor: since, hasMore: false })
    t.same(await bench.page(`since=${since}&wait=30`), await waiting, 'nor does it wait later')
    t.notOk(
      service.log.some((line) => line.includes('fault')),
      service.log.join('\n'),
    )
  }),
)

test(
  'a restricted credential learns nothing of other accounts',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const { key } = await service.newKey('w', { accountIds: [2, 3] })
    const from = await bench.ask('', { key })
    t.same(idsOf(bodyOf(from) as TransactionChanges), [302, 301])
    const since = await bench.copy({ key })
    bench.writer.exec(`UPDATE transactions SET account_id = 1, purpose = 'neu' WHERE id = 301`)
    await bench.shown()
    const gone = await bench.ask(`since=${since}`, { key })
    t.same(idsOf(bodyOf(gone) as TransactionChanges), [-301], 'a row that has left is deleted')
    const begun = await bench.ask('', { key })
    bench.writer.exec(`UPDATE transactions SET purpose = 'neu' WHERE id < 9;
      DELETE FROM transactions WHERE id = 301; DELETE FROM transactions WHERE id = 10;
      INSERT INTO transactions (account_id, amount_unscaled, amount_scale, currency, created_at,
        updated_at, import_date, purpose) VALUES (1, 1, 0, 'EUR', 0, 0, 0, 'neu')`)
    await bench.shown()
    for (const [before, query] of [
      [gone, `since=${since}`],
      [begun, ''],
    ] as const) {
      const now = await bench.ask(query, { key })
      t.equal(now.text, before.text, 'neither rows, nor cursors')
      t.equal(now.fields['etag'], before.fields['etag'])
    }
  }),
)

test(
  'a cursor is good for its view alone',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const one = (await service.newKey('w', { accountIds: [1] })).key
    const both = (await service.newKey('w', { accountIds: [1, 2] })).key
    const ofOne = await bench.copy({ key: one })
    const outcome = async (query: string, key?: string): Promise<string> =>
      outcomeOf(await bench.ask(query, { key: key ?? bench.key }))
    t.equal(await outcome(`since=${since}&accountIds=1`), '400 cursor_expired')
    t.equal(await outcome(`since=${since}`, one), '400 cursor_expired')
    t.equal(await outcome(`since=${ofOne}`, both), '400 cursor_expired')
    t.equal(await outcome(`since=${ofOne}&accountIds=1`), '200', 'the same view of another key')
    t.equal(await outcome(`since=${ofOne}&accountIds=1`, both), '200')
    t.equal(await outcome(`since=${ofOne.slice(1)}A`), '400 cursor_expired')
    t.equal(await outcome('since=4711'), '400 cursor_expired')
    t.equal(await outcome(`since=${'A'.repeat(2_000)}`), '400 cursor_expired')
    for (const query of ['accountIds=2', 'accountIds=9', `accountIds=1,${OTHER_IBAN}`]) {
      t.equal(await outcome(query, one), '400 not_found', query)
    }
    t.equal(await outcome(`accountIds=${OTHER_IBAN}`), '200')
    for (const query of ['limit=0', 'limit=251', 'wait=31', 'accountIds=1,%202', 'wait=1.0']) {
      t.equal(await outcome(query), '400 invalid_parameter', query)
    }
    const accounts = (await service.newKey('w', { scopes: ['accounts:read'] })).key
    t.equal(await outcome('', accounts), '401 insufficient_scope')
  }),
)

test(
  'changes that are not logged expire every cursor',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const waiting = bench.ask(`since=${since}&wait=30`)
    await bench.ask('limit=1')
    writePastTriggers(bench.writer, "UPDATE transactions SET purpose = 'neu' WHERE id = 7")
    t.equal(outcomeOf(await waiting), '400 cursor_expired', 'also one that waits')
    t.match(bodyOf(await waiting), { message: /start again without since/ })
    t.equal(await bench.copy().then((cursor) => typeof cursor), 'string')
  }),
)

test(
  'callers of several views are told of one commit at once, each what it may see',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const { key: one } = await service.newKey('w', { accountIds: [1] })
    const { key: two } = await service.newKey('w', { accountIds: [2, 3] })
    const groups = [
      { key: bench.key, filter: '', limit: 250, ids: [7, 301, 302] },
      { key: bench.key, filter: '', limit: 1, ids: [7] },
      { key: bench.key, filter: '&accountIds=1', limit: 250, ids: [7] },
      { key: one, filter: '', limit: 250, ids: [7] },
      { key: two, filter: '', limit: 250, ids: [301, 302] },
      { key: two, filter: '&accountIds=3', limit: 250, ids: [302] },
    ]
    const clients = groups.map(() => new Client(service.client.port))
    t.teardown(() => {
      for (const client of clients) client.close()
    })
    const waiting = await Promise.all(
      groups.map(async ({ key, filter, limit, ids }, i) => {
        const since = await bench.copy({ key }, filter)
        const target = `${CHANGES}?since=${since}&wait=30&limit=${limit}${filter}`
        const answers = Array.from({ length: 3 }, () => clients[i]?.ask(target, { key }))
        return { ids, answers }
      }),
    )
    await bench.ask('limit=1')
    bench.writer.exec("UPDATE transactions SET purpose = 'neu' WHERE id IN (7, 301, 302)")
    for (const { ids, answers } of waiting) {
      for (const reply of await Promise.all(answers)) {
        t.same(idsOf(bodyOf(reply ?? assert.fail()) as TransactionChanges), ids)
        t.equal(reply?.fields['content-length'], String(Buffer.byteLength(reply?.text ?? '')))
      }
    }
  }),
)

test(
  'many callers are told of one change',
  overEngines(async (t, service) => {
    const bench = await Bench.of(t, service)
    const since = await bench.copy()
    const clients = Array.from({ length: 25 }, () => new Client(service.client.port))
    t.teardown(() => {
      for (const client of clients) client.close()
    })
    const target = `${CHANGES}?since=${since}&wait=30`
    const waiting = clients.flatMap((client) =>
      Array.from({ length: 4 }, () => client.ask(target, { key: bench.key })),
    )
    await bench.ask('limit=1')
    bench.writer.exec("UPDATE transactions SET purpose = 'neu' WHERE id = 7")
    const bodies = new Set((await Promise.all(waiting)).map(({ text }) => text))
    t.equal(bodies.size, 1, 'with equal bytes')
    t.match([...bodies][0], /"id":7,/)
  }),
)
