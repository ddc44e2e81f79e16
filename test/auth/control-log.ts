import { test } from 'tap'
import { ControlLog } from '../../src/auth/control-log.js'
import { newControl } from '../fixtures/control.js'

test('the log is moved when it was written, one move at a time', async (t) => {
  const control = newControl(t)
  const write = (): void => void control.run('PRAGMA user_version')
  const moves: { readonly end: () => void; readonly fail: (error: Error) => void }[] = []
  const faults: unknown[] = []
  const log = new ControlLog({
    control,
    move: (path) => {
      t.equal(path, control.path)
      return new Promise<void>((end, fail) => moves.push({ end, fail }))
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
  t.equal(await lookTwice(), 0, 'nothing was written')
  write()
  t.equal(await lookTwice(), 1)
  write()
  t.equal(await lookTwice(), 1, 'one is under way')
  moves[0]?.end()
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(await lookTwice(), 2, 'what was written meanwhile is moved by the next')
  const fault = new Error('no')
  moves[1]?.fail(fault)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(faults, [fault])
  t.equal(await lookTwice(), 3, 'and one that failed is tried again')
  log.begin()
  let hasEnded = false
  const ended = log.end().then(() => {
    hasEnded = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(hasEnded, false, 'who ends waits for what is under way')
  moves[2]?.end()
  await ended
  t.equal(await lookTwice(), 3)
})
