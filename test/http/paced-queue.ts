import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import { PacedQueue } from '../../src/http/paced-queue.js'

test('one goes on in a turn, after what the sockets have brought, in order', async (t) => {
  const queue = new PacedQueue(0)
  let turn = 0
  let isCounting = true
  // Asked for before any of the others, so that it comes before them in each turn.
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

test('between two there is a rest, whether the next one waits or is yet to come', async (t) => {
  const restMs = 20
  const queue = new PacedQueue(restMs)
  const startsMs: number[] = []
  const waitTurn = async (): Promise<void> => {
    await queue.waitTurn()
    startsMs.push(performance.now())
  }
  await Promise.all([waitTurn(), waitTurn()])
  await waitTurn()
  // Whoever comes after the rest does not wait for another.
  await wait(restMs * 3)
  await waitTurn()
  const rests = startsMs.slice(1).map((startMs, i) => startMs - startsMs[i]!)
  // A timer counts from the beginning of its turn, in whole milliseconds.
  for (const rest of rests) t.ok(rest > restMs - 2, `${rest} ms`)
})
