import { test } from 'tap'
import { type AwaitedChange, ChangeWaits, type WaitingCaller } from '../../src/http/change-waits.js'
import { CHANGES_WAITING_MAX } from '../../src/limits.js'
import type { AccountView } from '../../src/query/changed-rows.js'
import { beginLog, extendLog } from '../../src/snapshot/change-log.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

const BASE = snapshotOf(SAMPLE)

/** The snapshot after a change of a transaction of these accounts. */
function after(before: Snapshot, accountBefore: number, accountNow: number): Snapshot {
  const sequence = before.version.sequence + 1
  const log = extendLog(before.log, Float64Array.of(sequence, 7, accountBefore, accountNow))
  return { ...before, log, version: { ...before.version, sequence } }
}

const LONG_MS = 2 ** 30

/** A caller that may disconnect. */
class Caller implements WaitingCaller {
  aborted = false
  end: (() => void) | undefined

  whenAborted(end: (() => void) | undefined): void {
    this.end = end
  }

  abort(): void {
    this.aborted = true
    this.end?.()
  }
}

function awaited(view: AccountView, given: Partial<AwaitedChange> = {}): AwaitedChange {
  const caller = new Caller()
  return { workspaceId: 'w', credentialId: 'key:1', view, ms: LONG_MS, caller, ...given }
}

/** A wait that notes its end. */
class Waiter {
  isDone = false
  readonly leftMs: Promise<number>

  constructor(waits: ChangeWaits, asked: AwaitedChange) {
    this.leftMs = waits.wait(asked)
    void this.leftMs.then(() => {
      this.isDone = true
    })
  }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('a wait ends with a change of an account in view', async (t) => {
  let nowMs = 0
  const waits = new ChangeWaits(() => nowMs)
  const views: AccountView[] = [null, new Set([1]), new Set([2]), new Set([1, 3]), new Set()]
  const waiters = views.map((view) => new Waiter(waits, awaited(view)))
  const elsewhere = new Waiter(waits, awaited(null, { workspaceId: 'x' }))
  const done = (): boolean[] => waiters.map(({ isDone }) => isDone)
  await turns(20)
  t.same(done(), [false, false, false, false, false])
  t.equal(waits.count, 6)
  nowMs = 1_000
  const moved = after(BASE, 2, 3)
  waits.announce(BASE, moved)
  await turns(20)
  t.same(done(), [true, false, true, true, false])
  t.equal(await waiters[0]?.leftMs, LONG_MS - 1_000)
  waits.announce(moved, { ...moved, generation: 9 })
  await turns(20)
  t.same(done(), [true, false, true, true, false], 'no transaction has changed')
  waits.announce(moved, { ...moved, log: beginLog(moved.version.sequence) })
  await turns(20)
  t.same(done(), [true, true, true, true, true], 'their cursors have expired')
  t.notOk(elsewhere.isDone)
  t.equal(waits.count, 1)
  waits.close()
  t.equal(await elsewhere.leftMs, 0)
})

test('a wait ends when its time is over', async (t) => {
  let nowMs = 5
  const waits = new ChangeWaits(() => nowMs)
  const waiting = new Waiter(waits, awaited(null, { ms: 1 }))
  nowMs = 6
  t.equal(await waiting.leftMs, 0)
  t.equal(waits.count, 0)
  t.equal(await waits.wait(awaited(null, { ms: 0 })), 0)
})

test('a caller that disconnects leaves', async (t) => {
  const waits = new ChangeWaits(() => 0)
  const caller = new Caller()
  const waiting = new Waiter(waits, awaited(null, { caller }))
  await turns(2)
  t.equal(waits.count, 1)
  caller.abort()
  t.equal(waits.count, 0)
  t.equal(await waiting.leftMs, 0)
  t.equal(caller.end, undefined)
  t.equal(await waits.wait(awaited(null, { caller })), 0)
})

test('a caller that disconnects while it is in the queue leaves, too', async (t) => {
  const waits = new ChangeWaits(() => 0)
  const callers = Array.from({ length: CHANGES_WAITING_MAX }, () => new Caller())
  const waiters = callers.map((caller) => new Waiter(waits, awaited(null, { caller })))
  waits.announce(BASE, after(BASE, 1, 1))
  t.equal(waits.count, 0)
  for (const caller of callers) caller.abort()
  waits.announce(BASE, after(BASE, 1, 1))
  const left = await Promise.all(waiters.map(({ leftMs }) => leftMs))
  t.same(new Set(left), new Set([0]))
  const again = new Waiter(waits, awaited(null))
  await turns(2)
  t.equal(waits.count, 1, 'nor do they count for the limit')
  waits.close()
  await again.leftMs
})

test('a stop ends all waits, and those that begin later', async (t) => {
  const waits = new ChangeWaits(() => 0)
  const waiting = new Waiter(waits, awaited(new Set([9])))
  waits.close()
  t.equal(await waiting.leftMs, 0)
  t.equal(await waits.wait(awaited(null)), 0)
})

test('callers are resumed one in a tick', async (t) => {
  const waits = new ChangeWaits(() => 0)
  const waiters = Array.from({ length: 100 }, () => new Waiter(waits, awaited(null)))
  await turns(1)
  waits.announce(BASE, after(BASE, 1, 1))
  const doneCount = (): number => waiters.filter(({ isDone }) => isDone).length
  let before = doneCount()
  while (doneCount() < waiters.length) {
    await turns(1)
    t.ok(doneCount() - before <= 2, `${doneCount() - before} in one tick`)
    before = doneCount()
  }
})

test('the waits of a credential are limited', async (t) => {
  const waits = new ChangeWaits(() => 0)
  const waiters = Array.from(
    { length: CHANGES_WAITING_MAX },
    () => new Waiter(waits, awaited(new Set([1]))),
  )
  await t.rejects(waits.wait(awaited(null)), { code: 'workspace_unavailable' })
  const other = new Waiter(waits, awaited(null, { credentialId: 'key:2' }))
  waits.close()
  await Promise.all([...waiters, other].map(({ leftMs }) => leftMs))
  t.equal(await waits.wait(awaited(null)), 0, 'those that have ended do not count')
})
