import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'tap'
import { TickQueue } from '../../src/http/tick-queue.js'

test('one caller continues per tick of the loop, in order of arrival', async (t) => {
  const queue = new TickQueue()
  let turn = 0
  // Queued before all others, so that it runs first in each tick.
  const count = (): void => {
    turn += 1
    if (turn < 5) setImmediate(count)
  }
  setImmediate(count)
  const log: string[] = []
  const callers = ['a', 'b', 'c'].map(async (name) => {
    await queue.waitTurn('key:1')
    log.push(`${name}${turn}`)
  })
  await Promise.all(callers)
  t.same(log, ['a0', 'b2', 'c3'])
})

test('frequent callers take turns with occasional ones', async (t) => {
  const queue = new TickQueue()
  const log: string[] = []
  const callers = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(async (call) => {
    await queue.waitTurn(`key:${call.charAt(0)}`)
    log.push(call)
  })
  await Promise.all(callers)
  t.same(log, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'], 'a1 found the queue empty')
})

test('a caller that arrives alone is called at once, the next ones in later ticks', async (t) => {
  const queue = new TickQueue()
  const log: string[] = []
  for (const name of ['a', 'b', 'c']) queue.callInTurn('key:1', () => log.push(name))
  t.same(log, ['a'])
  const counts: number[] = []
  while (log.length < 3) {
    await nextTurn()
    counts.push(log.length)
  }
  t.same(log, ['a', 'b', 'c'])
  t.ok(counts.includes(2), 'one in a tick')
})

test('a queue with rests pauses after so many callers', async (t) => {
  const rests: (() => void)[] = []
  const queue = new TickQueue(2, (run) => rests.push(run))
  const log: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    queue.callInTurn('key:1', () => log.push(name))
  }
  const states: string[] = []
  for (let i = 0; i < 3; i++) {
    while (rests.length === 0 && log.length < 6) await nextTurn()
    for (let tick = 0; tick < 5; tick++) await nextTurn()
    states.push(log.join(''))
    rests.pop()?.()
  }
  t.same(states, ['abc', 'abcde', 'abcdef'], 'a found the queue empty')
})

test('a single caller does not wait', async (t) => {
  const queue = new TickQueue()
  for (let i = 0; i < 3; i++) {
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await queue.waitTurn('key:1')
    t.notOk(hasTurned)
    await nextTurn()
    await nextTurn()
  }
})
