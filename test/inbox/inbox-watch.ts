import { test } from 'tap'
import { InboxWatch, type InboxWatchParts, SWEEP_MS, WAKE_MS } from '../../src/inbox/inbox-watch.js'

const SETTLE_MS = 5_000

/** A watch whose timer and events the test runs by hand. */
function byHand(more: Partial<InboxWatchParts> = {}) {
  const state = { paths: ['/in'], isUnsettled: false, lookCount: 0 }
  const planned: { run: () => void; ms: number }[] = []
  const watched = new Map<string, () => void>()
  const faults: unknown[] = []
  const watch = new InboxWatch({
    inbox: {
      scan: async () => {
        state.lookCount += 1
      },
      get paths() {
        return state.paths
      },
      get isUnsettled() {
        return state.isUnsettled
      },
    },
    settleMs: SETTLE_MS,
    onFault: (error) => faults.push(error),
    watchFolder: (path, onChange) => {
      watched.set(path, onChange)
      return () => watched.delete(path)
    },
    schedule: (run, ms) => {
      const plan = { run, ms }
      planned.push(plan)
      return () => planned.splice(planned.indexOf(plan), 1)
    },
    ...more,
  })
  /** Runs the planned scan. @returns its delay */
  const runNext = async (): Promise<number> => {
    const [next] = planned.splice(0)
    next?.run()
    await new Promise((resolve) => setImmediate(resolve))
    return next?.ms ?? Number.NaN
  }
  const delays = (): number[] => planned.map(({ ms }) => ms)
  return { watch, state, watched, faults, runNext, delays }
}

test('an inbox is scanned at once, and then every ten seconds', async (t) => {
  const { watch, state, watched, runNext, delays } = byHand()
  watch.begin()
  t.equal(await runNext(), 0)
  t.equal(state.lookCount, 1)
  t.same([...watched.keys()], ['/in'])
  t.same(delays(), [SWEEP_MS])
  t.equal(await runNext(), SWEEP_MS)
  t.equal(state.lookCount, 2)
  await watch.end()
  t.same(delays(), [])
  t.same([...watched.keys()], [])
})

test('events bring the next scan forward, however many they are', async (t) => {
  const { watch, state, watched, runNext, delays } = byHand()
  watch.begin()
  await runNext()
  for (let i = 0; i < 100; i++) watched.get('/in')?.()
  t.same(delays(), [WAKE_MS])
  state.paths = ['/in', '/in/a']
  await runNext()
  t.same([...watched.keys()], ['/in', '/in/a'])
  state.paths = ['/in']
  await runNext()
  t.same([...watched.keys()], ['/in'])
  await watch.end()
})

test('unfinished files are scanned again soon', async (t) => {
  const { watch, state, runNext, delays } = byHand()
  state.isUnsettled = true
  watch.begin()
  await runNext()
  const [delay = 0] = delays()
  t.ok(delay >= SETTLE_MS && delay < SWEEP_MS, `${delay} ms`)
  await watch.end()
})

test('events during a scan are not lost, and a fault does not end the watch', async (t) => {
  let finish: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  const fault = new Error('a bug')
  const { watch, faults, watched, runNext, delays } = byHand({
    inbox: {
      paths: ['/in'],
      isUnsettled: false,
      scan: async () => {
        watched.get('/in')?.()
        await gate
        throw fault
      },
    },
  })
  watch.begin()
  const first = runNext()
  finish()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  t.same(faults, [fault])
  t.same(delays(), [SWEEP_MS], 'nothing was watched before the first scan')
  await runNext()
  t.same(delays(), [WAKE_MS])
  const ended = watch.end()
  t.same(delays(), [])
  await ended
})

test('the file system reports new files, where it can', async (t) => {
  const folder = t.testdir()
  let lookCount = 0
  const watch = new InboxWatch({
    inbox: {
      paths: [folder, `${folder}/none`],
      isUnsettled: false,
      scan: async () => {
        lookCount += 1
      },
    },
    settleMs: SETTLE_MS,
    onFault: (error) => t.fail(String(error)),
  })
  watch.begin()
  while (lookCount === 0) await new Promise((resolve) => setImmediate(resolve))
  await watch.end()
  t.equal(lookCount, 1)
})
