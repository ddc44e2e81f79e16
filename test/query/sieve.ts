import fc from 'fast-check'
import { test } from 'tap'
import * as sieve from '../../src/query/sieve.js'

interface Case {
  readonly rowCount: number
  readonly passing: readonly number[]
  readonly order: Uint32Array
}

/** Sieves over up to five blocks of positions, with dense, sparse and empty stretches. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    rowCount: fc.integer({ min: 1, max: 4_500 }),
    seed: fc.integer({ min: 1, max: 0x7fffffff }),
    share: fc.constantFrom(0, 0.001, 0.1, 0.5, 0.97, 1),
    stretch: fc.constantFrom(1, 40, 1_500),
    isReversed: fc.boolean(),
  })
  .map(({ rowCount, seed, share, stretch, isReversed }) => {
    let state = seed
    const random = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state / 0x80000000
    }
    const rows = Array.from({ length: rowCount }, (_, row) => row)
    let isIn = false
    const passing = rows.filter((row) => {
      if (row % stretch === 0) isIn = random() < share
      return isIn
    })
    const weights = rows.map(random)
    const order = Uint32Array.from(
      isReversed ? rows.reverse() : rows.sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0)),
    )
    return { rowCount, passing, order }
  })

function sieveOfRows(rowCount: number, rows: readonly number[]): sieve.Sieve {
  const words = sieve.emptyWords(rowCount)
  sieve.letPass(words, Uint32Array.from(rows))
  return sieve.sieveOf(words)
}

test('a sieve holds the rows that were let pass', async (t) => {
  fc.assert(
    fc.property(cases, ({ rowCount, passing }) => {
      const built = sieveOfRows(rowCount, [...passing, ...passing])
      t.equal(built.count, passing.length)
      t.strictSame(Array.from(sieve.ordinalsOf(built)), passing)
      const words = sieve.fullWords(rowCount)
      const held = new Set(passing)
      const others = Array.from({ length: rowCount }, (_, row) => row).filter(
        (row) => !held.has(row),
      )
      sieve.holdBack(words, Uint32Array.from(others))
      t.strictSame(words, built.words, 'holding back the others leaves the same')
      const common = sieve.fullWords(rowCount)
      sieve.keepCommon(common, words)
      t.strictSame(common, words)
    }),
    { numRuns: 60 },
  )
})

test('a sifting answers any stretch as an array would, whatever was asked before', async (t) => {
  const asked = fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(cases, asked, fc.boolean(), ({ rowCount, passing, order }, questions, isPlain) => {
      const inOrder = isPlain ? Uint32Array.from({ length: rowCount }, (_, row) => row) : order
      const held = new Set(passing)
      const expected = Array.from(inOrder).filter((row) => held.has(row))
      const built = sieveOfRows(rowCount, passing)
      const sifting = sieve.siftingOf(built, isPlain ? undefined : order, rowCount)
      for (const [a, b] of questions) {
        const first = a % (expected.length + 1)
        const count = Math.min(b % 300, expected.length - first)
        const found = count === 0 ? [] : Array.from(sieve.passingOrdinals(sifting, first, count))
        t.strictSame(found, expected.slice(first, first + count))
        const end = b % (rowCount + 1)
        const before = Array.from(inOrder.subarray(0, end)).filter((row) => held.has(row)).length
        t.equal(sieve.passesBefore(sifting, end), before)
      }
    }),
    { numRuns: 120 },
  )
})
