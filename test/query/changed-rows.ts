import { test } from 'tap'
import {
  type AccountView,
  type ChangePosition,
  type ChangesPage,
  copyPage,
  followingPage,
} from '../../src/query/changed-rows.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { beginLog, extendLog } from '../../src/snapshot/change-log.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { accountRow, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'

type Logged = readonly [sequence: number, id: number, before: number, now: number]

/** The sample, in which 1 to 300 are of account 1, 301 of 2 and 302 of 3, after these changes. */
function sampleAfter(...changes: readonly Logged[]): Snapshot {
  const log = extendLog(beginLog(0), Float64Array.from(changes.flat()))
  const sequence = changes.at(-1)?.[0] ?? 0
  return { ...snapshotOf(SAMPLE), log, version: { uid: 'u', sequence, mark: 0 } }
}

/** Ids as they are sent; negative = deleted. */
function idsOf({ sent }: ChangesPage): number[] {
  return sent.map((change) =>
    'deletedId' in change ? -change.deletedId : (change.segment.ids[change.ordinal] ?? 0),
  )
}

function copyOf(snapshot: Snapshot, view: AccountView, limit: number): number[] {
  const codes = snapshot.accounts.filter(({ id }) => view?.has(id)).map(({ code }) => code)
  const bounds = view === null ? {} : { accountCodes: codes, visibleCodes: codes }
  const source = { snapshot, queryCache: new QueryCache(), view, bounds }
  const ids: number[] = []
  let from: ChangePosition | undefined
  for (;;) {
    const page = copyPage(source, from, limit)
    ids.push(...idsOf(page))
    if (!page.hasMore) return ids
    from = page.position
  }
}

test('a transaction is sent once a page, where the newest of its commits is', async (t) => {
  const snapshot = sampleAfter([1, 7, 1, 1], [2, 8, 1, 1], [4, 7, 1, 1], [5, 9, 1, 1])
  const page = followingPage(snapshot, null, 0, 9)
  t.same(idsOf(page), [8, 7, 9])
  t.match(page, { position: { sequence: 5, copiedFrom: 0 }, hasMore: false })
  const first = followingPage(snapshot, null, 0, 1)
  t.same(idsOf(first), [7])
  t.match(first, { position: { sequence: 1 }, hasMore: true })
  const second = followingPage(snapshot, null, 1, 2)
  t.same(idsOf(second), [8, 7], 'as it is now, though that was sent already')
  t.match(second, { position: { sequence: 4 }, hasMore: true })
  const all = followingPage(snapshot, null, 0, 3)
  t.match(all, { position: { sequence: 5 }, hasMore: false }, 'a full page may be the last')
})

test('a row that leaves the view is deleted, and others are not mentioned', async (t) => {
  // 301 has come from 1, 302 was never there, 400 and 401 were deleted from accounts 1 and 2.
  const moved: Logged[] = [
    [1, 301, 1, 2],
    [2, 302, 2, 3],
    [3, 400, 1, 0],
    [4, 401, 2, 0],
    [5, 402, 0, 1],
    [6, 402, 1, 0],
  ]
  const snapshot = sampleAfter(...moved)
  const sentTo = (view: AccountView): number[] => idsOf(followingPage(snapshot, view, 0, 250))
  t.same(sentTo(null), [301, 302, -400, -401, -402])
  t.same(sentTo(new Set([1])), [-301, -400, -402])
  t.same(sentTo(new Set([2])), [301, -302, -401])
  t.same(sentTo(new Set([3])), [302])
  t.same(sentTo(new Set([1, 2, 3])), [301, 302, -400, -401, -402])
  t.same(sentTo(new Set([9])), [])
  t.same(sentTo(new Set()), [])
})

test('changes out of view do not move a position, except in large steps', async (t) => {
  const own: Logged[] = [
    [1, 301, 2, 2],
    [2, 7, 1, 1],
  ]
  const view = new Set([2])
  const before = followingPage(sampleAfter(...own), view, 0, 250)
  const unseen = Array.from({ length: 30_000 }, (_, i): Logged => [i + 3, 8, 1, 1])
  const after = followingPage(sampleAfter(...own, ...unseen.slice(0, 20_000)), view, 0, 250)
  t.same(after, before)
  t.equal(after.position.sequence, 1)
  const later = followingPage(sampleAfter(...own, ...unseen), view, 1, 250)
  t.match(later, { sent: [], position: { sequence: 25_000 }, hasMore: false })
  const all = followingPage(sampleAfter(...own, ...unseen), null, 0, 250)
  t.equal(all.position.sequence, 30_002, 'a caller who sees everything is at the end')
})

test('a copy has each row in view once, whatever the size of its pages', async (t) => {
  const rows = {
    ...SAMPLE,
    accounts: [...SAMPLE.accounts, accountRow(4)],
    transactions: [...SAMPLE.transactions, transactionRow(2 ** 33, 2)],
  }
  const life = { deal: [0, 1, 1, 3], graves: [undefined, 2], isRenamed: false }
  for (const snapshot of [snapshotOf(rows), snapshotAfter(rows, life)]) {
    for (const view of [null, new Set([1]), new Set([2, 3]), new Set([4]), new Set<number>()]) {
      const expected = rows.transactions
        .filter(({ accountId }) => view?.has(accountId) ?? true)
        .map(({ id }) => id)
        .reverse()
      for (const limit of [1, 7, 250]) t.same(copyOf(snapshot, view, limit), expected)
    }
  }
})

test('a copy goes on with the changes since it began', async (t) => {
  const snapshot = sampleAfter([1, 7, 1, 1], [2, 302, 3, 3])
  const view = new Set([3])
  const codes = [snapshot.accounts[2]?.code ?? 0]
  const bounds = { accountCodes: codes, visibleCodes: codes }
  const source = { snapshot, queryCache: new QueryCache(), view, bounds }
  const page = copyPage(source, { sequence: 1, copiedFrom: 303 }, 5)
  t.same(idsOf(page), [302])
  t.match(page, { position: { sequence: 1, copiedFrom: 0 }, hasMore: true })
  const rest = copyPage(source, { sequence: 1, copiedFrom: 302 }, 5)
  t.same(idsOf(rest), [302], 'nothing is left to copy, so the page has changes')
  t.match(rest, { position: { sequence: 2, copiedFrom: 0 }, hasMore: false })
  t.match(copyPage(source, undefined, 5), { position: { sequence: 2 }, hasMore: false })
})
