import { test } from 'tap'
import { TurnBudget } from '../../../src/http/engine/turn-budget.js'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('any number of requests begins while the turn has time', (t) => {
  const turns = new TurnBudget(() => 0)
  for (let i = 0; i < 1_000; i++) if (!turns.take()) t.fail(`request ${i} must wait`)
  t.end()
})

test('without time left a turn begins the least number of requests', async (t) => {
  let nowMs = 0
  const turns = new TurnBudget(() => {
    nowMs += 10
    return nowMs
  })
  const begunCount = (): number => {
    let count = 0
    while (turns.take()) count += 1
    return count
  }
  const first = begunCount()
  t.ok(first >= 16 && first <= 48, `${first} requests began`)
  t.ok(turns.takeExtra(), 'a request that cannot wait begins')
  let extraCount = 1
  while (turns.takeExtra()) extraCount += 1
  t.ok(extraCount < 64, 'but not all of them')
  await nextTurn()
  t.equal(begunCount(), first)
})

test('waiting requests begin caller by caller, at the end of turns', async (t) => {
  let nowMs = 0
  const turns = new TurnBudget(() => {
    nowMs += 1
    return nowMs
  })
  const begun: string[] = []
  for (let i = 0; i < 20; i++) turns.wait('hostile', () => begun.push('hostile'))
  turns.wait('honest', () => begun.push('honest'))
  t.same(begun, [], 'none begins at once')
  await nextTurn()
  t.same(begun.slice(0, 3), ['hostile', 'honest', 'hostile'])
  t.ok(begun.length < 21, 'the rest waits for another turn')
  for (let i = 0; i < 20; i++) await nextTurn()
  t.equal(begun.length, 21)
  t.not(turns.nameCaller(), turns.nameCaller())
})

test('a turn that accepts a connection is short', async (t) => {
  let nowMs = 0
  const turns = new TurnBudget(() => {
    nowMs += 1
    return nowMs
  })
  const begunCount = (): number => {
    let count = 0
    while (turns.take()) count += 1
    return count
  }
  const usual = begunCount()
  await nextTurn()
  turns.accept()
  const accepting = begunCount()
  t.ok(accepting > 0 && accepting <= usual / 4, `${accepting} requests began, else ${usual}`)
  t.ok(turns.mayPipeline(1), 'a client may pipeline some')
  t.notOk(turns.mayPipeline(16), 'but fewer')
  await nextTurn()
  t.equal(begunCount(), usual, 'the next turn is as long as any')
})

test('a turn parses few pipelined requests of all connections together', async (t) => {
  let nowMs = 0
  const turns = new TurnBudget(() => nowMs)
  t.ok(turns.mayPipeline(1_000), 'any number while it has time')
  nowMs = 10
  let keptCount = 0
  const keepAll = (): void => {
    let waitingCount = 0
    for (; turns.mayPipeline(waitingCount); waitingCount += 1) {
      turns.keepPipelined()
      keptCount += 1
    }
    if (waitingCount < 1) t.fail('one request of each connection may wait')
  }
  for (let connection = 0; connection < 300; connection++) keepAll()
  t.ok(keptCount < 1_000, `${keptCount} requests of 300 connections`)
  await nextTurn()
  t.ok(turns.mayPipeline(31), 'the next turn begins from none')
})
