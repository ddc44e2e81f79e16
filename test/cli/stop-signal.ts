import { test } from 'tap'
import { stopSignals } from '../../src/cli/stop-signal.js'

test('each signal is reported once, and none after release', async (t) => {
  const before = process.listenerCount('SIGTERM')
  const stop = stopSignals()
  const logged: string[] = []
  void stop.first.then(() => logged.push('first'))
  void stop.second.then(() => logged.push('second'))
  const send = async (signal: NodeJS.Signals): Promise<readonly string[]> => {
    process.emit(signal)
    await new Promise((resolve) => setImmediate(resolve))
    return logged
  }
  t.same(await send('SIGTERM'), ['first'])
  t.same(await send('SIGINT'), ['first', 'second'], 'whichever it is')
  t.same(await send('SIGTERM'), ['first', 'second'])
  t.equal(process.listenerCount('SIGTERM'), before + 1)
  stop.release()
  t.equal(process.listenerCount('SIGTERM'), before)
})
