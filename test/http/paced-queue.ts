import { setImmediate as endOfTurn } from 'node:timers/promises'
import { test } from 'tap'
import { PacedQueue } from '../../src/http/paced-queue.js'

test('one caller continues per tick, after the socket events, in order', async (t) => {
  const queue = new PacedQueue(0)
  let turn = 0
  let isCounting = true
  // Queued before all others, so that it runs first in each tick.
  const count = (): void => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const log: { name: string; turn: number }[] = []
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await queue.waitTurn()
      log.push({ name, turn })
    }),
  )
  isCounting = false
  t.same(
    log.map(({ name }) => name),
    ['a', 'b', 'c'],
  )
  t.equal(log[0]?.turn, 1, 'not at once')
  t.equal(new Set(log.map((entry) => entry.turn)).size, 3)
})

test('there is a pause between two callers, waiting or not', async (t) => {
  // Timers that fire when the test says so.
  const timers: { run: () => void; ms: number }[] = []
  const queue = new PacedQueue(20, (run, ms) => timers.push({ run, ms }))
  const started: string[] = []
  const waitTurn = async (name: string): Promise<void> => {
    await queue.waitTurn()
    started.push(name)
  }
  const restOver = async (): Promise<void> => {
    const timer = timers.shift()
    t.equal(timer?.ms, 20)
    timer?.run()
    await endOfTurn()
  }
  const all = [waitTurn('one'), waitTurn('two')]
  await endOfTurn()
  await endOfTurn()
  t.strictSame([started, timers.length], [['one'], 1], 'the second one waits for the pause')
  await restOver()
  t.strictSame(started, ['one', 'two'])
  all.push(waitTurn('three'))
  await endOfTurn()
  t.strictSame(
    [started, timers.length],
    [['one', 'two'], 1],
    'and so does one that arrives during it',
  )
  await restOver()
  t.strictSame(started, ['one', 'two', 'three'])
  await restOver()
  t.equal(timers.length, 0, 'no pause starts when no caller has waited')
  all.push(waitTurn('four'))
  await endOfTurn()
  t.strictSame(started, ['one', 'two', 'three', 'four'], 'after the pause, the next one continues')
  await Promise.all(all)
})
