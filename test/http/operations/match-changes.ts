// Changes during the ranking of a match: a change of a result by another SQLite connection is 409,
// an exceeded budget is 503; nothing partial is ever sent.

import { rmSync } from 'node:fs'
import { type Test, test } from 'tap'
import type { Access } from '../../../src/auth/access.js'
import { findRows } from '../../../src/free-text/search-task.js'
import { ChangeWaits } from '../../../src/http/change-waits.js'
import { createAnswer } from '../../../src/http/server.js'
import { openOperationService } from '../../../src/http/service-state.js'
import { nodeTags } from '../../../src/http/state-tags.js'
import { openApiDocument } from '../../../src/openapi/document.js'
import { MATCH_HERE_ROWS_MAX } from '../../../src/query/match-rank.js'
import type { RankMatches } from '../../../src/query/match-ranking.js'
import type { Snapshot } from '../../../src/snapshot/snapshot.js'
import { visiblePart } from '../../../src/snapshot/visible-rows.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { requestText, rigs, WireClient } from '../../fixtures/http-rig.js'
import { openShares } from '../../fixtures/open-shares.js'
import { rankHere } from '../../fixtures/ranking.js'
import {
  accountRow,
  FIRST_DAY_MS,
  SAMPLE,
  transactionRow,
} from '../../fixtures/sample-workspace.js'
import { bodyOf, Client, outcomeOf, RunningService } from '../../fixtures/service.js'
import { snapshotOf } from '../../fixtures/snapshots.js'
import { suggestHere } from '../../fixtures/suggesting.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

const TARGET = '/transactions/match?query=RE-2026-0815&threshold=0.6'

/** Transactions 1 and 2 match, on account 1 with category 2; 3 does not, on account 2. */
const ROWS: WorkspaceRows = {
  accounts: [accountRow(1, { name: 'one' }), accountRow(2, { name: 'two' })],
  categories: SAMPLE.categories,
  transactions: [
    transactionRow(1, 1, { purpose: 'RE-2026-0815', categoryId: 2, parentCategoryId: 1 }),
    transactionRow(2, 1, { endToEndReference: 'RE-2026-0815', bookedAt: FIRST_DAY_MS }),
    transactionRow(3, 2, { purpose: 'Miete', categoryId: 3, parentCategoryId: 1 }),
  ],
}

const scan = rankHere()

/** Ranks as usual, and returns the ranking when the test releases it. */
class HeldRanking {
  readonly isRanked: Promise<void>
  open: () => void = () => undefined
  #ranked: () => void = () => undefined
  readonly #isOpen: Promise<void>

  constructor() {
    this.isRanked = new Promise((resolve) => {
      this.#ranked = resolve
    })
    this.#isOpen = new Promise((resolve) => {
      this.open = resolve
    })
  }

  readonly rank: RankMatches = async (context, request, time) => {
    const ranking = await scan(context, request, time)
    this.#ranked()
    await this.#isOpen
    return ranking
  }
}

/** Statements of another program during the ranking -> outcome of the match. */
const CHANGES: Readonly<Record<string, readonly [sql: string, outcome: string]>> = {
  'a result gets another purpose': [
    "UPDATE transactions SET purpose = 'RE-2026-0816' WHERE id = 1",
    '409 data_changed',
  ],
  'a result gets another amount': [
    'UPDATE transactions SET amount_unscaled = 7 WHERE id = 2',
    '409 data_changed',
  ],
  'a result is deleted': ['DELETE FROM transactions WHERE id = 2', '409 data_changed'],
  'a result moves to another account': [
    'UPDATE transactions SET account_id = 2 WHERE id = 1',
    '409 data_changed',
  ],
  'the account of the results is renamed': [
    "UPDATE accounts SET name = 'uno' WHERE id = 1",
    '409 data_changed',
  ],
  'the account of the results has another balance': [
    'UPDATE accounts SET balance_unscaled = 1, balance_scale = 0 WHERE id = 1',
    '409 data_changed',
  ],
  'the account of the results is deleted': [
    'DELETE FROM accounts WHERE id = 1',
    '409 data_changed',
  ],
  'the category of a result is renamed': [
    "UPDATE categories SET name = 'Fax' WHERE id = 2",
    '409 data_changed',
  ],
  'a row outside the results changes': [
    "UPDATE transactions SET purpose = 'x' WHERE id = 3",
    '200',
  ],
  'another account is renamed': ["UPDATE accounts SET name = 'due' WHERE id = 2", '200'],
  'another category is renamed': ["UPDATE categories SET name = 'Post' WHERE id = 3", '200'],
  'a result is written as it is': ['UPDATE transactions SET purpose = purpose WHERE id = 1', '200'],
  'a further result appears': [
    `INSERT INTO transactions (account_id, amount_unscaled, amount_scale, currency, created_at,
      updated_at, import_date, purpose) VALUES (2, 1, 0, 'EUR', 0, 0, 0, 'RE-2026-0815')`,
    '200',
  ],
}

let workspaceCount = 0

interface Served {
  readonly service: RunningService
  /** Path of the workspace's resources. */
  readonly root: string
  /** Path of the workspace's file. */
  readonly path: string
  readonly key: string
  /** Requests a resource of the workspace. */
  readonly ask: (target: string) => Promise<Reply>
}

async function served(
  t: Test,
  rig: (typeof rigs)[number],
  options: Parameters<typeof RunningService.start>[2],
): Promise<Served> {
  return workspaceOf(t, await RunningService.start(t, rig, options))
}

/** The service with the rows as a new workspace. */
async function workspaceOf(t: Test, service: RunningService): Promise<Served> {
  workspaceCount += 1
  const workspaceId = `w-${workspaceCount}`
  await service.write(workspaceId, ROWS)
  const { key } = await service.newKey(workspaceId)
  const root = `/v1/${workspaceId}`
  const ask = (target: string): Promise<Reply> => service.ask(root + target, { key })
  // Loaded before the measurement.
  t.equal((await ask('/accounts')).status, 200)
  return { service, root, path: service.pathOf(workspaceId), key, ask }
}

/** Resolves when the service serves another snapshot than before. */
async function changed({ service, ask }: Served, change: () => void): Promise<void> {
  const before = (await ask('/accounts')).fields['etag']
  change()
  await service.until(async () => (await ask('/accounts')).fields['etag'] !== before)
}

function execute(path: string, sql: string): void {
  const database = new Database(path)
  database.pragma('foreign_keys = ON')
  database.exec(sql)
  database.close()
}

for (const rig of rigs) {
  test(`${rig.name}: changes between ranking and reply`, async (t) => {
    let held = new HeldRanking()
    const service = await RunningService.start(t, rig, {
      rankMatches: (...asked) => held.rank(...asked),
    })
    for (const [name, [sql, outcome]] of Object.entries(CHANGES)) {
      await t.test(name, async (t) => {
        held = new HeldRanking()
        const given = await workspaceOf(t, service)
        const pending = given.ask(TARGET)
        await held.isRanked
        await changed(given, () => execute(given.path, sql))
        held.open()
        const reply = await pending
        t.equal(outcomeOf(reply), outcome)
        if (outcome === '200') {
          t.match(bodyOf(reply), [{ id: 2 }, { id: 1 }], 'the ranked rows')
          t.equal(reply.fields['x-total-count'], '2')
        } else {
          t.equal(reply.fields['retry-after'], '1')
          t.match(reply.text, /Transaction [12], or its account, changed/)
        }
        const again = await given.ask(TARGET)
        t.equal(again.status, 200, 'repeated, it is answered')
        t.not(again.fields['etag'], reply.fields['etag'], 'a tag names the ranked state')
        t.same(
          given.service.log.filter((line) => line.startsWith('fault')),
          [],
        )
      })
    }
  })

  test(`${rig.name}: a vanished workspace is 409, unless nothing is found`, async (t) => {
    for (const [target, outcome] of [
      [TARGET, '409 data_changed'],
      ['/transactions/match?query=RE-2026-9999', '200'],
    ] as const) {
      const held = new HeldRanking()
      const { service, path, ask } = await served(t, rig, { rankMatches: held.rank })
      const pending = ask(target)
      await held.isRanked
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
      await service.until(() => service.log.some((line) => line.includes('removed from memory')))
      held.open()
      t.equal(outcomeOf(await pending), outcome)
    }
  })

  test(`${rig.name}: an endless ranking is 503 in time, and others continue`, async (t) => {
    const signals: AbortSignal[] = []
    const never: RankMatches = (_context, _request, { signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const { service, ask } = await served(t, rig, { matchBudgetMs: 30, rankMatches: never })
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(TARGET)))
    t.ok(signals.length <= 8, 'a match that waits past its budget is not ranked')
    const togetherCount = signals.length
    for (let i = 1; i <= 8; i++) {
      replies.push(await ask(TARGET))
      t.equal(signals.length, togetherCount + i, 'the earlier ones have released their slots')
    }
    for (const reply of replies) {
      t.equal(outcomeOf(reply), '503 budget_exceeded')
      t.equal(reply.fields['retry-after'], '1')
    }
    t.equal((await ask('/transactions')).status, 200)
    t.equal(outcomeOf(await ask('/transactions/match?query=x')), '400 invalid_parameter')
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })

  test(`${rig.name}: a scan that takes longer than its budget is 503`, async (t) => {
    // No machine scores this many rows in a millisecond.
    const rows = Array.from({ length: 20 * MATCH_HERE_ROWS_MAX }, (_, i) =>
      transactionRow(i + 1, 1, { purpose: `Rechnung RE-2026-${i + 1000} vom 03.05.2026` }),
    )
    const service = await RunningService.start(t, rig, { matchBudgetMs: 1 })
    await service.write('w', { ...ROWS, transactions: rows })
    const { key } = await service.newKey('w')
    t.equal((await service.ask('/v1/w/accounts', { key })).status, 200)
    // Every row, not only those that pass the filter.
    const target = `/v1/w${TARGET.replace('threshold=0.6', 'threshold=0')}`
    for (let i = 0; i < 20; i++) {
      t.equal(outcomeOf(await service.ask(target, { key })), '503 budget_exceeded')
    }
    t.equal((await service.ask('/v1/w/transactions', { key })).status, 200)
  })

  test(`${rig.name}: a client that disconnects ends the ranking, and does no harm`, async (t) => {
    const seen: AbortSignal[] = []
    let aborted: () => void = () => undefined
    const isAborted = new Promise<void>((resolve) => {
      aborted = resolve
    })
    const rankMatches: RankMatches = (_context, _request, { signal }) =>
      new Promise((_, reject) => {
        seen.push(signal)
        signal.addEventListener('abort', () => {
          reject(signal.reason)
          aborted()
        })
      })
    const { service, root, key, ask } = await served(t, rig, { rankMatches })
    const leaving = await WireClient.connect(service.client.port)
    leaving.write(requestText('GET', `${root}${TARGET}`, `Authorization: Bearer ${key}\r\n`))
    await service.until(() => seen.length === 1)
    leaving.socket.destroy()
    await isAborted
    t.equal((await ask('/accounts')).status, 200)
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })

  test(`${rig.name}: the budget also ends a wait for the workspace`, async (t) => {
    const document = Buffer.from(JSON.stringify(openApiDocument('http://kontor.test')))
    let arrive: (snapshot: Snapshot) => void = () => undefined
    const loading = new Promise<Snapshot>((resolve) => {
      arrive = resolve
    })
    const { port, faults } = await rig.listen(
      t,
      createAnswer(
        openOperationService({
          credentials: {
            forRest: () => ACCESS,
            noteUse: () => undefined,
            noteWorkspaceFile: () => undefined,
          },
          snapshots: { find: () => undefined, load: () => loading, loadIndexed: () => loading },
          openApi: async () => document,
          find: async (_, task) => findRows(task),
          makePart: async (task) => visiblePart(task),
          batchShares: openShares(),
          suggest: suggestHere(),
          match: { rank: scan, budgetMs: 20, ticks: () => performance.now(), shares: openShares() },
          changeWaits: new ChangeWaits(() => 0),
          tags: nodeTags(() => 'start'),
        }),
      ),
    )
    const client = new Client(port)
    t.teardown(() => client.close())
    const list = client.ask('/v1/w/accounts', { key: 'sk-test' })
    t.equal(
      outcomeOf(await client.ask(`/v1/w${TARGET}`, { key: 'sk-test' })),
      '503 budget_exceeded',
    )
    arrive(snapshotOf(ROWS))
    t.equal((await list).status, 200, 'others wait as long as before')
    t.same(faults, [])
  })
}

const ACCESS: Access = {
  credentialId: 'key:1',
  workspaceUid: null,
  workspaceId: 'w',
  scopes: new Set(['transactions:read', 'accounts:read']),
  accountIds: null,
  tag: 'test',
  expiresAtMs: Number.POSITIVE_INFINITY,
  keyScope: {
    workspaceId: 'w',
    type: 'apiKey',
    scopes: ['transactions:read', 'accounts:read'],
    accounts: null,
    name: 'test',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  key: null,
}
