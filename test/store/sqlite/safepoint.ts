import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { Safepoint } from '../../../src/store/sqlite/safepoint.js'

const MODULE = new URL('../../../src/store/sqlite/safepoint.js', import.meta.url).href

interface CallingThreads {
  /** Calls of each thread. */
  readonly calls: Int32Array
  readonly ids: () => readonly number[]
}

/** Starts threads that count their calls, of which each has another inside it. */
async function callingThreads(
  t: Test,
  safepoint: Safepoint,
  count: number,
): Promise<CallingThreads> {
  const calls = new Int32Array(new SharedArrayBuffer(4 * count))
  const script = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(${JSON.stringify(MODULE)}).then(({ Safepoint }) => {
      const safepoint = Safepoint.ofThread()
      parentPort.postMessage('begins')
      for (;;) {
        safepoint.beginCall()
        safepoint.beginCall()
        Atomics.add(workerData.calls, workerData.at, 1)
        safepoint.endCall()
        Atomics.add(workerData.calls, workerData.at, 1)
        safepoint.endCall()
      }
    })`
  const ids: number[] = []
  for (let at = 0; at < count; at++) {
    const workerData = { ...safepoint.workerData, calls, at }
    const worker = new Worker(script, { eval: true, workerData })
    t.teardown(() => worker.terminate())
    await once(worker, 'message')
    ids.push(worker.threadId)
  }
  return { calls, ids: () => ids }
}

test('a halt ends when no thread is in a call; none begins one before the release', async (t) => {
  const safepoint = new Safepoint()
  const { calls, ids } = await callingThreads(t, safepoint, 2)
  for (let round = 0; round < 5; round++) {
    const before = [...calls]
    while (calls.some((count, at) => count === before[at])) await pause(1)
    await safepoint.halt(ids)
    const halted = [...calls]
    t.ok(halted.every((count) => count % 2 === 0))
    await pause(20)
    t.same([...calls], halted)
    safepoint.release()
  }
})

test('a halt waits for a limited time, and for threads that are alive', async (t) => {
  const safepoint = new Safepoint()
  const script = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(MODULE)}).then(({ Safepoint }) => {
      Safepoint.ofThread().beginCall()
      parentPort.postMessage('is in a call')
      setInterval(() => undefined, 1_000)
    })`
  const worker = new Worker(script, { eval: true, workerData: safepoint.workerData })
  t.teardown(() => worker.terminate())
  await once(worker, 'message')
  const begunMs = performance.now()
  await safepoint.halt(() => [worker.threadId], 50)
  t.ok(performance.now() - begunMs >= 50, 'it waits for the call')
  await worker.terminate()
  await safepoint.halt(() => [worker.threadId])
  safepoint.release()
  safepoint.beginCall()
  safepoint.endCall()
  t.pass('calls go on after the release')
})

test('only a thread that was started with a safepoint has one', async (t) => {
  t.equal(Safepoint.ofThread(), undefined)
  for (const data of [null, undefined, 7, {}]) t.equal(Safepoint.ofThread(data), undefined)
  t.ok(Safepoint.ofThread(new Safepoint().workerData))
})
