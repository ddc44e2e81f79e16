// Copies that callers keep by the changes of a workspace, while other programs write to it, and the
// service compacts, reloads and is restarted: whenever a copy is complete, it has the rows that the
// list has.
import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import type { Transaction } from '../../src/domain/transaction.js'
import { SEGMENT_LIMITS } from '../../src/snapshot/segment-size.js'
import { SnapshotUpdater } from '../../src/snapshot/snapshot-updater.js'
import { ChangeWatch } from '../../src/store/sqlite/change-watch.js'
import { type Connection, Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  type Change,
  carryOut,
  changes,
  rowsOfFile,
  writePastTriggers,
} from '../fixtures/changes.js'
import { InlineTasks } from '../fixtures/inline-tasks.js'
import { naiveTransaction } from '../fixtures/naive.js'
import { Replica } from '../fixtures/replica.js'
import { addressOf } from '../fixtures/stored-workspace.js'
import { type WorkspaceRows, workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

const LAYOUT = '0123456789abcdef'.repeat(2)

/** A workspace that is served, and programs that write to it. */
class Served {
  readonly tasks = new InlineTasks()
  readonly #cache: { readonly path: string; readonly layout: string }
  readonly writer: Connection
  readonly file: WorkspaceFile
  /** Accounts that each transaction has ever had. */
  readonly accountsOf = new Map<number, Set<number>>()
  #updater: SnapshotUpdater | undefined
  #nowMs = 0
  #generation = 0
  reloadCount = 0
  compactionCount = 0

  private constructor(
    readonly path: string,
    rowCount: number,
  ) {
    this.#cache = { path: `${path}.frozen`, layout: LAYOUT }
    this.writer = new Database(path)
    this.writer.pragma('foreign_keys = ON')
    // The file need not outlive the machine.
    this.writer.pragma('synchronous = OFF')
    this.file = WorkspaceFile.openForReading(path)
    this.tasks.segmentLimits = { ...SEGMENT_LIMITS, rowCount }
  }

  static async of(path: string, rows: WorkspaceRows, segmentRows: number): Promise<Served> {
    await writeWorkspace(path, rows)
    const served = new Served(path, segmentRows)
    served.#note()
    await served.start()
    return served
  }

  get updater(): SnapshotUpdater {
    assert.ok(this.#updater, 'the service is running')
    return this.#updater
  }

  async start(): Promise<void> {
    const { path, tasks } = this
    const cache = this.#cache
    const address = addressOf(path)
    const watch = new ChangeWatch(path)
    const loaded = await tasks.load({ workspaceId: 'w', address, cache })
    this.#updater = new SnapshotUpdater(loaded, watch, {
      ...{ address, tasks, cache, clock: () => this.#nowMs },
      nextGeneration: () => ++this.#generation,
      onMade: (kind) => {
        if (kind === 'compacted') this.compactionCount += 1
      },
      onPublished: () => undefined,
      onFollowed: () => undefined,
      onReload: () => {
        this.reloadCount += 1
      },
      onBehind: (reason) => assert.fail(reason),
      onCaughtUp: () => undefined,
      onCacheFailed: (reason) => assert.fail(reason),
      onLost: (reason) => assert.fail(reason),
    })
  }

  write(change: Change): void {
    carryOut(this.writer, change)
    this.#note()
  }

  /** Polls until the file is served; now and then a copy in the cache is due as well. */
  async settle(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      this.#nowMs += 1_000
      this.updater.poll()
      for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    const { sequence } = this.file.version()
    assert.equal(this.updater.snapshot.version.sequence, sequence)
  }

  /** @param keepsCache false = as after an upgrade of the program */
  async restart(keepsCache: boolean): Promise<void> {
    this.updater.close()
    if (!keepsCache) rmSync(this.#cache.path, { force: true })
    await this.start()
  }

  close(): void {
    this.updater.close()
    this.file.close()
    this.writer.close()
    for (const suffix of ['', '-wal', '-shm', '.frozen']) {
      rmSync(`${this.path}${suffix}`, { force: true })
    }
  }

  #note(): void {
    const sql = 'SELECT id, account_id FROM transactions'
    for (const [id, accountId] of this.writer.prepare(sql).raw().all() as [number, number][]) {
      const accounts = this.accountsOf.get(id)
      if (accounts === undefined) this.accountsOf.set(id, new Set([accountId]))
      else accounts.add(accountId)
    }
  }
}

type Act =
  | { readonly kind: 'write'; readonly changes: readonly Change[] }
  | { readonly kind: 'read'; readonly replica: number; readonly limit: number }
  | { readonly kind: 'compare'; readonly replica: number; readonly limit: number }
  | { readonly kind: 'follow' }
  | { readonly kind: 'restart'; readonly keepsCache: boolean }
  | { readonly kind: 'write past the log'; readonly value: number }
  | { readonly kind: 'trim the log' }

const reads = {
  replica: fc.nat({ max: 5 }),
  limit: fc.constantFrom(1, 2, 7, 250),
}

/** Most of a copy's life is to be spent with changes of its rows. */
const usual = changes.filter(({ name }) => !/forget to check|delete (half|an account)/.test(name))

/** What expires cursors is rare, for the same reason. */
const expiring: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>({ kind: 'restart', keepsCache: false }),
  fc.constant<Act>({ kind: 'trim the log' }),
  fc.nat({ max: 999 }).map((value): Act => ({ kind: 'write past the log', value })),
  fc.nat().map((a): Act => ({ kind: 'write', changes: [{ name: 'forget to check', a, b: 0 }] })),
)

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      changes: fc.array(usual, { minLength: 1, maxLength: 24 }),
    }),
  },
  {
    weight: 1,
    arbitrary: changes.map((change): Act => ({ kind: 'write', changes: [change] })),
  },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('read' as const), ...reads }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('compare' as const), ...reads }) },
  { weight: 12, arbitrary: fc.constant<Act>({ kind: 'follow' }) },
  { weight: 2, arbitrary: fc.constant<Act>({ kind: 'restart', keepsCache: true }) },
  { weight: 1, arbitrary: expiring },
)

/** The copies of a run: of everything, of keys for some accounts, and of a filter. */
function replicasOf(): Replica[] {
  return [
    new Replica(null, ''),
    new Replica(null, ''),
    new Replica([1], ''),
    new Replica([1, 2, 5], ''),
    new Replica([], ''),
    new Replica([2, 3, 4, 9], ''),
  ]
}

/** Names of accounts and categories are copied from their own operations. */
function withoutNames(transaction: Transaction): object {
  const { account: _, category: __, parentCategory: ___, ...rest } = transaction
  return rest
}

function assertCopied(replica: Replica, rows: WorkspaceRows): void {
  const seenIds = new Set(rows.accounts.map(({ id }) => id))
  const expected = rows.transactions
    .filter(({ accountId }) => replica.sees(accountId))
    // A row that outlives its account is seen by those alone who see every account.
    .filter(({ accountId }) => replica.accountIds === null || seenIds.has(accountId))
    .map((row) => withoutNames(naiveTransaction(row, rows)))
  const copied = [...replica.rows.values()].sort((a, b) => a.id - b.id).map(withoutNames)
  assert.deepEqual(copied, expected)
}

function readPage(served: Served, replica: Replica, limit: number): void {
  replica.read(served.updater.snapshot, limit, (id) => {
    const accounts = [...(served.accountsOf.get(id) ?? [])]
    assert.ok(
      accounts.some((accountId) => replica.sees(accountId)),
      `${id} was never in sight, so its end is no news`,
    )
  })
}

async function carryOutAct(served: Served, replicas: readonly Replica[], act: Act): Promise<void> {
  if (act.kind === 'write') for (const change of act.changes) served.write(change)
  else if (act.kind === 'follow') await served.settle()
  else if (act.kind === 'restart') await served.restart(act.keepsCache)
  else if (act.kind === 'write past the log') {
    await served.settle()
    const sql = `UPDATE transactions SET purpose = 'unlogged ${act.value}' WHERE id % 2 = 0`
    writePastTriggers(served.writer, sql)
    await served.settle()
  } else if (act.kind === 'trim the log') {
    served.writer.exec('DELETE FROM changes WHERE sequence % 2 = 0')
  } else {
    const replica = replicas[act.replica] ?? assert.fail('there are six')
    if (act.kind === 'read') readPage(served, replica, act.limit)
    else await compare(served, replica, act.limit)
  }
}

/** Reads to the end, and compares the copy with the file. */
async function compare(served: Served, replica: Replica, limit: number): Promise<void> {
  await served.settle()
  do readPage(served, replica, limit)
  while (!replica.isComplete)
  assertCopied(replica, rowsOfFile(served.file))
}

test('a complete copy has the rows of the list, whatever has happened', async (t) => {
  t.testdir()
  const totals = {
    runs: 0,
    changes: 0,
    expired: 0,
    pages: 0,
    reloads: 0,
    compactions: 0,
    followed: 0,
  }
  await assertProperty(
    fc.asyncProperty(
      workspaceRows({ maxLength: 60 }),
      fc.array(acts, { minLength: 40, maxLength: 90 }),
      fc.constantFrom(40, SEGMENT_LIMITS.rowCount),
      async (rows, life, segmentRows) => {
        totals.runs += 1
        const path = join(t.testdirName, `w${totals.runs}.db`)
        const served = await Served.of(path, rows, segmentRows)
        const replicas = replicasOf()
        try {
          await served.settle()
          for (const act of life) {
            await carryOutAct(served, replicas, act)
            if (act.kind === 'write') totals.changes += act.changes.length
          }
          for (const replica of replicas) {
            await compare(served, replica, 7)
            totals.expired += replica.expiredCount
            totals.pages += replica.pageCount
            totals.followed += replica.followedCount
          }
          totals.reloads += served.reloadCount
          totals.compactions += served.compactionCount
        } finally {
          served.close()
        }
      },
    ),
    { numRuns: 100 },
  )
  t.ok(totals.changes > 10_000, `${totals.changes} changes`)
  t.ok(totals.expired > 20, `${totals.expired} cursors have expired`)
  t.ok(totals.followed > 1_000, `${totals.followed} changes were sent to complete copies`)
  t.ok(totals.reloads > 20 && totals.compactions > 4, JSON.stringify(totals))
})
