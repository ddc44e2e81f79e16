import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { test } from 'tap'
import { type Share, Shares } from '../../src/http/shares.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a credential over its limit of waiting callers is refused, others are not', async (t) => {
  const shares = new Shares({ slotCount: 1, waitingMax: 2 })
  const first = shares.take('a')
  t.equal(first?.begun, undefined)
  const [second, third] = [shares.take('a'), shares.take('a')]
  t.equal(shares.take('a'), undefined)
  const other = shares.take('b')
  t.equal(other?.begun, undefined, 'a caller with a free slot does not wait')
  const another = shares.take('b')
  t.equal(shares.waitingCount, 3)
  third?.release()
  t.equal(shares.waitingCount, 2, 'a client that disconnects frees its place')
  first?.release()
  await second?.begun
  second?.release()
  other?.release()
  await another?.begun
  t.equal(shares.waitingCount, 0)
})

test('waiting work starts after the socket events', async (t) => {
  const shares = new Shares({ slotCount: 1, waitingMax: 9 })
  const log: string[] = []
  const work = (name: string): Promise<void> =>
    shares.run('a', async () => {
      log.push(name)
      setImmediate(() => log.push('turn'))
    })
  await Promise.all([work('1'), work('2'), work('3')])
  await nextTurn()
  t.same(log, ['1', 'turn', '2', 'turn', '3', 'turn'])
})

test('work holds a slot until it succeeds or fails', async (t) => {
  const shares = new Shares({ slotCount: 1, waitingMax: 1 })
  const weather = new Error('weather')
  await t.rejects(
    shares.run('a', () => Promise.reject(weather)),
    weather,
  )
  await nextTurn()
  const [one, two, three] = [7, 8, 9].map((value) => shares.run('a', async () => value))
  await t.rejects(async () => three, {
    code: 'workspace_unavailable',
    message: /^Too many requests of this credential are waiting; /,
  })
  t.same(await Promise.all([one, two]), [7, 8])
  t.equal(await shares.run('a', async () => 10), 10)
})

/** Holders of slots and waiting callers, in plain lists scanned each time. */
class NaiveShares {
  holding: { readonly id: number; readonly caller: string }[] = []
  waiting: { readonly id: number; readonly caller: string }[] = []
  readonly #ring: string[] = []

  constructor(
    private readonly slotCount: number,
    private readonly waitingMax: number,
  ) {}

  /** @returns whether the caller gets a slot */
  take(id: number, caller: string): boolean {
    const hasNone = this.holding.every((one) => one.caller !== caller)
    if (this.holding.length < this.slotCount || hasNone) {
      this.holding.push({ id, caller })
      return true
    }
    if (this.waiting.filter((one) => one.caller === caller).length >= this.waitingMax) return false
    this.waiting.push({ id, caller })
    if (!this.#ring.includes(caller)) this.#ring.push(caller)
    return true
  }

  release(id: number): void {
    const held = this.holding.find((one) => one.id === id)
    this.holding = this.holding.filter((one) => one !== held)
    this.waiting = this.waiting.filter((one) => one.id !== id)
    this.#dropIdle()
    if (held === undefined) return
    if (this.holding.length < this.slotCount) this.#next(this.#ring[0])
    else if (this.holding.every(({ caller }) => caller !== held.caller)) this.#next(held.caller)
  }

  #next(caller: string | undefined): void {
    const next = this.waiting.find((one) => one.caller === caller)
    if (next === undefined) return
    this.waiting = this.waiting.filter((one) => one !== next)
    this.holding.push(next)
    this.#ring.splice(this.#ring.indexOf(next.caller), 1)
    this.#ring.push(next.caller)
    this.#dropIdle()
  }

  #dropIdle(): void {
    for (let i = this.#ring.length - 1; i >= 0; i--) {
      if (!this.waiting.some((one) => one.caller === this.#ring[i])) this.#ring.splice(i, 1)
    }
  }
}

const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('take' as const), caller: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ act: fc.constant('release' as const), place: fc.nat({ max: 20 }) }),
  ),
  { maxLength: 40 },
)

test('slots rotate as in a naive list of waiting callers', async () => {
  const bounds = { slotCount: fc.integer({ min: 1, max: 3 }), waitingMax: fc.nat({ max: 4 }) }
  await assertProperty(
    fc.asyncProperty(steps, fc.record(bounds), async (acts, { slotCount, waitingMax }) => {
      const shares = new Shares({ slotCount, waitingMax })
      const naive = new NaiveShares(slotCount, waitingMax)
      const taken = new Map<number, Share>()
      const begun = new Set<number>()
      for (const [id, step] of acts.entries()) {
        if (step.act === 'take') {
          const share = shares.take(step.caller)
          assert.equal(share !== undefined, naive.take(id, step.caller))
          if (share === undefined) continue
          taken.set(id, share)
          if (share.begun === undefined) begun.add(id)
          else void share.begun.then(() => begun.add(id))
        } else {
          const ids = [...taken.keys()]
          const id = ids[step.place % Math.max(1, ids.length)]
          if (id === undefined) continue
          taken.get(id)?.release()
          taken.get(id)?.release()
          taken.delete(id)
          begun.delete(id)
          naive.release(id)
          await nextTurn()
        }
        assert.deepEqual([...begun].sort(), naive.holding.map(({ id }) => id).sort())
        assert.equal(shares.waitingCount, naive.waiting.length)
      }
    }),
  )
})
