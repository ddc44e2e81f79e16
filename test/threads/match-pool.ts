// Matches scored by real threads: the same result for any number of them and any block size, and a
// pool that works as before after any request.
import { test } from 'tap'
import { parseReference } from '../../src/match/reference.js'
import { type ScanTask, scanBlocks, scanProgress, stopScan } from '../../src/match/scan.js'
import { rankWith } from '../../src/query/match-rank.js'
import type { MatchRequest, Ranking } from '../../src/query/match-ranking.js'
import { matchWindow } from '../../src/query/match-window.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { MatchPool } from '../../src/threads/match-pool.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'

const ROWS = 6_000

const snapshot = indexedSnapshotOf({
  ...SAMPLE,
  transactions: Array.from({ length: ROWS }, (_, i) =>
    transactionRow(i + 1, 1, {
      purpose: `Rechnung RE-2026-${(i * 7) % 2_000} vom 03.05.2026`,
      bookedAt: (i % 400) * 86_400_000,
    }),
  ),
})

const ticks = (): number => performance.now()

function request(text: string, scoreMin: number, offset = 0): MatchRequest {
  const reference = parseReference(text)
  return { reference, filters: {}, bounds: {}, scoreMin, offset, limit: 50, explain: false }
}

function shown({ total, matches }: Ranking): unknown {
  return {
    total,
    matches: matches.map(({ segment, ordinal, score }) => [segment.ids[ordinal], score]),
  }
}

test('1, 2, 4 and 8 threads and blocks of any size rank alike', async (t) => {
  const asked = [
    request('RE-2026-1234', 6_000),
    request('RE-2026-1234', 0),
    request('RE-2026-1234', 0, 5_960),
    request('2026', 1, 20),
    request('Rechnung', 3_000),
  ]
  const time = { deadlineTicks: Number.POSITIVE_INFINITY, signal: new AbortController().signal }
  const context = { snapshot, queryCache: new QueryCache() }
  const here = rankWith({
    ticks,
    hereRowsMax: ROWS,
    scanOnThreads: () => Promise.reject(new Error('needs no thread')),
  })
  const wanted = await Promise.all(asked.map(async (one) => shown(await here(context, one, time))))
  for (const threadCount of [1, 2, 4, 8]) {
    const pool = new MatchPool(threadCount)
    t.teardown(() => pool.close())
    for (const blockRows of [64, 1_000, 4_096]) {
      const rank = rankWith({ ticks, blockRows, scanOnThreads: (task) => pool.scan(task) })
      const got = await Promise.all(asked.map(async (one) => shown(await rank(context, one, time))))
      t.same(got, wanted, `${threadCount} threads, blocks of ${blockRows}`)
    }
  }
})

const rows = matchWindow(snapshot, new QueryCache(), { filters: {}, bounds: {} }, ROWS).rows

function taskOf(deadlineTicks: number): ScanTask {
  const progress = scanProgress()
  const kept = { scoreMin: 1, keptMax: 10, areCounted: true, blockRows: 512 }
  return { query: '2026', rows, ...kept, deadlineTicks, progress }
}

test('past the deadline a thread gives up, a thousand times, and still works', async (t) => {
  const pool = new MatchPool(2)
  t.teardown(() => pool.close())
  for (let round = 0; round < 10; round++) {
    const late = Array.from({ length: 100 }, () => pool.scan(taskOf(ticks() - 1)))
    for (const parts of await Promise.all(late)) t.ok(parts.every((part) => part === undefined))
  }
  const parts = await pool.scan(taskOf(Number.POSITIVE_INFINITY))
  const whole = scanBlocks(taskOf(Number.POSITIVE_INFINITY), ticks)
  const hitCount = parts.reduce((sum, part) => sum + (part?.hitCount ?? 0), 0)
  t.equal(hitCount, whole?.hitCount)
})

test('scans that share the threads find the same as alone', async (t) => {
  // Slices that end at every read of the clock, so that each scan has many of them.
  const pool = new MatchPool(2, 0)
  t.teardown(() => pool.close())
  const small = (query: string): ScanTask => ({
    ...taskOf(Number.POSITIVE_INFINITY),
    ...{ query, blockRows: 512, progress: scanProgress() },
  })
  const queries = ['2026', 'RE-2026-1234', '05.2026', 'Rechnung 17']
  const wanted = queries.map((query) => scanBlocks(small(query), ticks))
  const asked = Array.from({ length: 40 }, (_, i) => i)
  const ended: string[] = []
  let partCount = 0
  const found = await Promise.all(
    asked.map(async (i) => {
      const credentialId = i < 30 ? 'key:1' : `key:${i}`
      const parts = await pool.scan(small(queries[i % queries.length] ?? ''), credentialId)
      ended.push(credentialId)
      partCount += parts.length
      return parts
    }),
  )
  t.ok(partCount > 300, `${partCount} slices`)
  for (const [i, parts] of found.entries()) {
    const keys = parts.flatMap((part) => [...(part?.keys ?? [])]).sort((a, b) => b - a)
    const best = wanted[i % queries.length]
    t.same(keys.slice(0, 10), [...(best?.keys ?? [])])
    t.equal(
      parts.reduce((sum, part) => sum + (part?.hitCount ?? 0), 0),
      best?.hitCount,
    )
  }
  const place = ended.findLastIndex((credentialId) => credentialId !== 'key:1')
  t.ok(place < 29, `${place} came before the last of those with one request`)
})

test('a free thread takes a scan without one before it helps with another', async (t) => {
  const pool = new MatchPool(2)
  t.teardown(() => pool.close())
  const asked = Array.from({ length: 30 }, () => pool.scan(taskOf(Number.POSITIVE_INFINITY)))
  const turnCounts = (await Promise.all(asked)).map((parts) => parts.length)
  // Both threads take the first scan, before there is another, and the last one.
  const helpedCount = turnCounts.filter((count) => count > 1).length
  t.ok(helpedCount <= 2, `turns: ${turnCounts}`)
})

for (const threadCount of [1, 2]) {
  test(`a short scan overtakes another caller's long ones, ${threadCount} threads`, async (t) => {
    const pool = new MatchPool(threadCount, 0)
    t.teardown(() => pool.close())
    const rowCount = 100_000
    const many = {
      ...rows,
      ordinals: Uint32Array.from({ length: rowCount }, (_, i) => i % ROWS),
      spans: Uint32Array.of(0, rowCount),
    }
    const long = (): ScanTask => ({ ...taskOf(Number.POSITIVE_INFINITY), rows: many })
    const ended: string[] = []
    const scan = async (task: ScanTask, credentialId: string): Promise<void> => {
      await pool.scan(task, credentialId)
      ended.push(credentialId)
    }
    const scans = [scan(long(), 'key:1'), scan(long(), 'key:1'), scan(long(), 'key:1')]
    scans.push(scan(taskOf(Number.POSITIVE_INFINITY), 'key:2'))
    await Promise.all(scans)
    t.same(ended, ['key:2', 'key:1', 'key:1', 'key:1'])
  })
}

test('an abandoned scan ends in its turn', async (t) => {
  const pool = new MatchPool(1)
  t.teardown(() => pool.close())
  const stopped = taskOf(Number.POSITIVE_INFINITY)
  const scans = [taskOf(Number.POSITIVE_INFINITY), stopped].map((task, i) =>
    pool.scan(task, `key:${i}`),
  )
  stopScan(stopped.progress)
  t.same(await scans[1], [undefined])
  t.equal((await scans[0])?.includes(undefined), false)
})

test('a pool can be closed at any time, and running scans are rejected', async (t) => {
  for (let round = 0; round < 5; round++) {
    const pool = new MatchPool(2)
    const scans = [1, 2].map((i) => pool.scan(taskOf(Number.POSITIVE_INFINITY), `key:${i}`))
    // While the threads start, or afterwards.
    if (round % 2 === 1) await scans[0]
    await pool.close()
    for (const parts of await Promise.all(scans)) t.ok(parts.length > 0)
    t.same(await pool.scan(taskOf(Number.POSITIVE_INFINITY)), [undefined])
  }
})
