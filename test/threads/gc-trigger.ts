import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { test } from 'tap'
import { GcTrigger } from '../../src/threads/gc-trigger.js'

test('garbage is collected beyond a limit', async (t) => {
  let count = 0
  const gcTrigger = new GcTrigger(100, () => {
    count += 1
  })
  gcTrigger.add(60)
  gcTrigger.add(40)
  t.equal(count, 0)
  gcTrigger.add(1)
  t.equal(count, 1)
  gcTrigger.add(100)
  t.equal(count, 1, 'counted from zero again')
  gcTrigger.add(1)
  t.equal(count, 2)
})

test('any garbage is collected after an idle time', async (t) => {
  let count = 0
  const collected = new Promise<void>((resolve) => {
    const gcTrigger = new GcTrigger(100, () => {
      count += 1
      resolve()
    })
    gcTrigger.add(60)
    gcTrigger.collectAfter(1)
    gcTrigger.collectAfter(1)
  })
  // The trigger's timer does not keep the process alive: this one does.
  const kept = setInterval(() => undefined, 1_000)
  await collected
  clearInterval(kept)
  t.equal(count, 1)
})

test('unreferenced memory is freed afterwards', async (t) => {
  const gcTrigger = new GcTrigger(0)
  const held = new WeakRef(new SharedArrayBuffer(1_000))
  // The target of a WeakRef stays alive until the end of the tick.
  await new Promise((resolve) => setImmediate(resolve))
  gcTrigger.add(1_000)
  t.equal(held.deref(), undefined)
})

test('threads that start at the same time all have their collector', async (t) => {
  const url = new URL('../../src/threads/gc-trigger.js', import.meta.url).href
  const code = `import(${JSON.stringify(url)}).then(({ GcTrigger }) => {
    for (let i = 0; i < 100; i++) new GcTrigger(0)
  })`
  const ends = Array.from({ length: 4 }, async () => {
    const [exitCode] = await once(new Worker(code, { eval: true, execArgv: [] }), 'exit')
    return exitCode
  })
  t.same(await Promise.all(ends), [0, 0, 0, 0])
})
