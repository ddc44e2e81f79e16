import { test } from 'tap'
import { LoopDelay } from '../../src/http/loop-delay.js'

test('a blocked loop is reported as late', async (t) => {
  const delay = new LoopDelay(() => 0)
  t.teardown(() => delay.close())
  t.equal(delay.summary(), undefined)
  const buffer = new Int32Array(new SharedArrayBuffer(4))
  // Until the native timer has seen it: the first call of summary starts the measurement.
  while ((delay.summary()?.maxMs ?? 0) < 20) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    Atomics.wait(buffer, 0, 0, 60)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const { p99Ms = 0, maxMs = 0 } = delay.summary() ?? {}
  t.ok(maxMs >= p99Ms && maxMs >= 20)
})
