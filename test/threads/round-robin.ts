import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { RoundRobin } from '../../src/threads/round-robin.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('callers take turns, and each is served in its own order', async (t) => {
  const queue = new RoundRobin<string>()
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(entry.charAt(0), entry)
  t.equal(queue.count, 6)
  t.equal(queue.countOf('a'), 3)
  const served = Array.from({ length: 7 }, () => queue.shift())
  t.same(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  t.equal(queue.count, 0)
  t.equal(queue.countOf('a'), 0)
})

/** Waiting tasks in order of arrival, and the order of the owners' turns. */
class NaiveQueue {
  entries: { readonly caller: string; readonly entry: object }[] = []
  ring: string[] = []

  push(caller: string, entry: object): void {
    this.entries.push({ caller, entry })
    this.#tidy()
  }

  shift(caller = this.ring[0]): object | undefined {
    const first = this.entries.find((one) => one.caller === caller)
    this.entries = this.entries.filter((one) => one !== first)
    this.ring = this.ring.filter((one) => one !== caller)
    this.#tidy()
    return first?.entry
  }

  next(isAccepted: (entry: object) => boolean): object | undefined {
    for (const caller of this.ring) {
      const own = this.entries.filter((one) => one.caller === caller)
      const found = own.find(({ entry }) => isAccepted(entry))
      if (found === undefined) continue
      this.toBack(caller)
      return found.entry
    }
    return undefined
  }

  toBack(caller: string): void {
    if (!this.ring.includes(caller)) return
    this.ring = [...this.ring.filter((one) => one !== caller), caller]
  }

  remove(entry: object): void {
    this.entries = this.entries.filter((one) => one.entry !== entry)
    this.#tidy()
  }

  #tidy(): void {
    const callers = [...new Set(this.entries.map(({ caller }) => caller))]
    this.ring = this.ring.filter((caller) => callers.includes(caller))
    this.ring.push(...callers.filter((caller) => !this.ring.includes(caller)))
  }
}

const caller = fc.constantFrom('a', 'b', 'c', 'd')
const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('push' as const), caller }),
    fc.record({ act: fc.constant('shift' as const) }),
    fc.record({ act: fc.constant('shiftOf' as const), caller }),
    fc.record({ act: fc.constant('remove' as const), place: fc.nat({ max: 20 }) }),
    fc.record({ act: fc.constant('next' as const), refused: fc.array(fc.nat({ max: 20 })) }),
    fc.record({ act: fc.constant('toBack' as const), caller }),
  ),
  { maxLength: 60 },
)

test('serving and counting equal those of a naive list', async () => {
  assertProperty(
    fc.property(steps, (acts) => {
      const queue = new RoundRobin<object>()
      const naive = new NaiveQueue()
      for (const step of acts) {
        if (step.act === 'push') {
          const entry = {}
          queue.push(step.caller, entry)
          naive.push(step.caller, entry)
        } else if (step.act === 'shift') assert.equal(queue.shift(), naive.shift())
        else if (step.act === 'shiftOf') {
          assert.equal(queue.shiftOf(step.caller), naive.shift(step.caller))
        } else if (step.act === 'next') {
          const refused = new Set(step.refused.map((place) => naive.entries[place]?.entry))
          const isAccepted = (entry: object): boolean => !refused.has(entry)
          assert.equal(queue.next(isAccepted), naive.next(isAccepted))
        } else if (step.act === 'toBack') {
          queue.toBack(step.caller)
          naive.toBack(step.caller)
        } else {
          const one = naive.entries[step.place % Math.max(1, naive.entries.length)]
          queue.remove(one?.caller ?? 'e', one?.entry ?? {})
          if (one !== undefined) {
            queue.remove(one.caller, one.entry)
            naive.remove(one.entry)
          }
        }
        assert.equal(queue.count, naive.entries.length)
        for (const name of ['a', 'b', 'c', 'd']) {
          const count = naive.entries.filter((one) => one.caller === name).length
          assert.equal(queue.countOf(name), count)
        }
      }
    }),
  )
})
