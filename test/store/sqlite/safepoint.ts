import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { Safepoint } from '../../../src/store/sqlite/safepoint.js'

const MODULE = new URL('../../../src/store/sqlite/safepoint.js', import.meta.url).href

/** Starts threads that count their calls, of which each has another inside it. */
async function callingThreads(t: Test, safepoint: Safepoint, count: number): Promise<Int32Array> {
  const calls = new Int32Array(new SharedArrayBuffer(4 * count))
  const script = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(${JSON.stringify(MODULE)}).then(({ Safepoint }) => {
      const safepoint = Safepoint.ofThread()
      parentPort.postMessage('begins')
      for (;;) {
        safepoint.enter()
        safepoint.enter()
        Atomics.add(workerData.calls, workerData.at, 1)
        safepoint.leave()
        Atomics.add(workerData.calls, workerData.at, 1)
        safepoint.leave()
      }
    })`
  for (let at = 0; at < count; at++) {
    const workerData = { ...safepoint.workerData, calls, at }
    const worker = new Worker(script, { eval: true, workerData })
    t.teardown(() => worker.terminate())
    await once(worker, 'message')
  }
  return calls
}

test('a halt ends when no thread is in a call; none begins one before the release', async (t) => {
  const safepoint = new Safepoint()
  const calls = await callingThreads(t, safepoint, 2)
  for (let round = 0; round < 5; round++) {
    const before = [...calls]
    while (calls.some((count, at) => count === before[at])) await pause(1)
    await safepoint.halt()
    const halted = [...calls]
    t.ok(halted.every((count) => count % 2 === 0))
    await pause(20)
    t.same([...calls], halted)
    safepoint.release()
  }
})

test('a halt does not wait for ever for a call that never ends', async (t) => {
  const safepoint = new Safepoint()
  safepoint.enter()
  await safepoint.halt(10)
  safepoint.leave()
  await safepoint.halt()
  safepoint.release()
  safepoint.enter()
  safepoint.leave()
  t.pass('calls go on after the release')
})

test('only a thread that was started with a safepoint has one', async (t) => {
  t.equal(Safepoint.ofThread(), undefined)
  for (const data of [null, undefined, 7, {}]) t.equal(Safepoint.ofThread(data), undefined)
  t.ok(Safepoint.ofThread(new Safepoint().workerData))
})
