import { statSync } from 'node:fs'
import { test } from 'tap'
import { checkpointControl, type WalState } from '../../../src/store/sqlite/checkpoint.js'
import { CheckpointScheduler } from '../../../src/store/sqlite/checkpoint-scheduler.js'
import { run } from '../../../src/store/work.js'
import { newControlFile } from '../../fixtures/control.js'
import { execute } from '../../fixtures/control-sql.js'

/** A write, of no row. */
const WRITE = 'DELETE FROM refusals'

const SHORT: WalState = { pageCount: 3, checkpointedCount: 3, isCheckpoint: true }

test('the WAL is checkpointed after writes, one checkpoint at a time', async (t) => {
  const control = newControlFile(t)
  const write = (): void => void execute(control, WRITE)
  const moves: {
    readonly end: (state: WalState) => void
    readonly fail: (error: Error) => void
  }[] = []
  const faults: unknown[] = []
  const log = new CheckpointScheduler({
    control,
    checkpoint: (path) => {
      t.equal(path, control.path)
      return new Promise<WalState>((end, fail) => moves.push({ end, fail }))
    },
    onFault: (error) => faults.push(error),
  })
  const lookTwice = async (): Promise<number> => {
    for (let i = 0; i < 2; i++) {
      log.look()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return moves.length
  }
  t.equal(await lookTwice(), 0, 'nothing has been written')
  write()
  t.equal(await lookTwice(), 1)
  write()
  t.equal(await lookTwice(), 1, 'one is running')
  moves[0]?.end(SHORT)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(await lookTwice(), 2, 'the next one checkpoints later writes')
  const fault = new Error('no')
  moves[1]?.fail(fault)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(faults, [fault])
  t.equal(await lookTwice(), 3, 'and retries a failed one')
  log.begin()
  let hasEnded = false
  const ended = log.end().then(() => {
    hasEnded = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(hasEnded, false, 'end waits for the running one')
  moves[2]?.end(SHORT)
  await ended
  t.equal(await lookTwice(), 3)
})

test('pages that a checkpoint left are checkpointed once writes stop', async (t) => {
  const control = newControlFile(t)
  const left: number[] = []
  const states = [2, 5, 5, 4, 6].map((checkpointedCount) => ({
    pageCount: 6,
    checkpointedCount,
    isCheckpoint: true,
  }))
  const log = new CheckpointScheduler({
    control,
    pagesLeftMax: 3,
    checkpoint: async (_path, pagesLeftMax) => {
      left.push(pagesLeftMax)
      return states.shift() ?? SHORT
    },
    onFault: (error) => t.fail(String(error)),
  })
  const look = async (): Promise<readonly number[]> => {
    log.look()
    await log.end()
    return left
  }
  execute(control, WRITE)
  t.same(await look(), [3])
  execute(control, WRITE)
  t.same(await look(), [3, 3])
  t.same(await look(), [3, 3, 0])
  t.same(await look(), [3, 3, 0], 'a long reader may block it, so attempts are limited')
  execute(control, WRITE)
  t.same(await look(), [3, 3, 0, 3])
  t.same(await look(), [3, 3, 0, 3, 0])
  t.same(await look(), [3, 3, 0, 3, 0])
})

test('a WAL that stays long is checkpointed again, then with callers held', async (t) => {
  const control = newControlFile(t)
  execute(control, WRITE)
  const states = [6, 6, 6].map((pageCount) => ({
    pageCount,
    checkpointedCount: 5,
    isCheckpoint: true,
  }))
  const held: boolean[] = []
  const left: number[] = []
  const log = new CheckpointScheduler({
    control,
    pagesMax: 5,
    pagesLeftMax: 3,
    checkpoint: async (_path, pagesLeftMax) => {
      left.push(pagesLeftMax)
      // The scheduler holds callers right after this call, so the test looks one tick later.
      await new Promise((resolve) => setImmediate(resolve))
      held.push(control.held !== undefined)
      return states.shift() ?? SHORT
    },
    onFault: (error) => t.fail(String(error)),
  })
  log.look()
  await log.end()
  t.same(held, [false, false, true])
  t.match(log, { pageCount: 6, leftCount: 1, checkpointCount: 3 })
  t.same(left, [3, 0, 0], 'the first may leave some')
  t.equal(control.held, undefined)
})

test('a failed checkpoint releases its callers', async (t) => {
  const control = newControlFile(t)
  const failing = Promise.reject(new Error('the disk is full'))
  const holding = control.holdWhile(failing)
  t.ok(control.held)
  await control.held
  await t.rejects(holding, { message: 'the disk is full' })
  t.equal(control.held, undefined)
})

test('a writer without a pause that waits when held lets the WAL reset', async (t) => {
  const control = newControlFile(t)
  execute(control, 'CREATE TABLE pages (text TEXT)')
  const sizes = new Set<number>()
  for (let i = 0; i < 12; i++) {
    await control.atomically(function* () {
      const text = 'x'.repeat(4_000)
      for (let row = 0; row < 50; row++) {
        yield* run('INSERT INTO pages (text) VALUES (@text)', { text })
      }
    })
    const checkpoint = async (path: string): Promise<WalState> => {
      // Writes as a caller that does not await the hold, but never during it.
      if (control.held === undefined) execute(control, 'INSERT INTO pages (text) VALUES (1)')
      return checkpointControl(path)
    }
    const log = new CheckpointScheduler({
      control,
      checkpoint,
      pagesMax: 60,
      onFault: (error) => t.fail(`${error}`),
    })
    log.look()
    await log.end()
    sizes.add(statSync(`${control.path}-wal`).size)
  }
  t.ok(sizes.size <= 3, `${[...sizes]} bytes: no growth`)
})

test('a stalled disk holds callers for a limited time only', async (t) => {
  const control = newControlFile(t)
  let end = (): void => undefined
  const stalling = new Promise<void>((resolve) => {
    end = resolve
  })
  const holding = control.holdWhile(stalling)
  // The bound keeps no process alive.
  const alive = setInterval(() => undefined, 1_000)
  await control.held
  clearInterval(alive)
  t.equal(control.held, undefined)
  end()
  await holding
})
