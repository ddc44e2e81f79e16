import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { randomOf, spread } from '../../src/demo/random.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a seed gives the same choices forever', async (t) => {
  const draw = (seed: number): number[] => {
    const random = randomOf(seed)
    return Array.from({ length: 6 }, () => random.below(1_000_000))
  }
  // Computed by an implementation in another language, with integers only.
  t.same(draw(1), [133426, 760942, 163698, 537442, 454165, 82430])
  t.same(draw(7), draw(7))
  t.notSame(draw(1), draw(2))
  t.notSame(draw(1), draw(2 ** 32 + 1), 'the upper half of a seed has an effect')
  t.throws(() => randomOf(-1))
  t.throws(() => randomOf(0.5))
})

test('choices stay within their bounds and reach them', async () => {
  assertProperty(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 5 }), (seed, count) => {
      const random = randomOf(seed)
      const seen = new Set(Array.from({ length: 300 }, () => random.below(count)))
      assert.equal(seen.size, count)
      assert.ok([...seen].every((value) => value >= 0 && value < count))
      const ends = new Set(Array.from({ length: 300 }, () => random.between(-1, 1)))
      assert.deepEqual([...ends].sort(), [-1, 0, 1].sort())
      assert.match(random.digits(count), new RegExp(`^[1-9]\\d{${count - 1}}$`))
    }),
    { numRuns: 50 },
  )
})

test('a chance has its stated frequency', async (t) => {
  const random = randomOf(3)
  const taken = Array.from({ length: 20_000 }, () => random.chance(250)).filter(Boolean).length
  t.ok(taken > 4_600 && taken < 5_400, `${taken} of 20,000`)
  t.equal(random.chance(0), false)
  t.equal(random.chance(1000), true)
  t.throws(() => random.pick([]))
})

test('weights are the relative frequencies of values', async (t) => {
  t.same(
    spread([
      [2, 'a'],
      [0, 'b'],
      [1, 'c'],
    ]),
    ['a', 'a', 'c'],
  )
})
