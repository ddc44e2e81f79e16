import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { digestOf } from '../../../src/statements/import/digest.js'
import { DigestCounts } from '../../../src/statements/import/digest-counts.js'
import { assertProperty } from '../../fixtures/assert-property.js'

/** The twin: texts in a Map. */
function countsByMap(): (digest: string, space: number) => number {
  const counts = new Map<string, number>()
  return (digest, space) => {
    const key = `${space} ${digest}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count
  }
}

// A few words make digests that share prefixes, and some that are equal.
const word = fc.constantFrom('\0\0\0\0', '\0\0\0\x01', '\xff\xff\xff\xff', 'abcd')
const digest = fc.tuple(word, word, word, word).map((words) => words.join(''))
const space = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER))

test('counts equal those of a Map of texts, however similar the digests', async () => {
  assertProperty(
    fc.property(fc.array(fc.tuple(digest, space), { maxLength: 200 }), (calls) => {
      const counts = new DigestCounts()
      const expected = countsByMap()
      for (const [text, apart] of calls) {
        assert.equal(counts.add(text, apart), expected(text, apart))
      }
    }),
    { numRuns: 300 },
  )
})

test('counting continues while the table grows', async (t) => {
  const counts = new DigestCounts()
  const expected = countsByMap()
  let differing = 0
  for (let i = 0; i < 40_000; i++) {
    // Every third repeats an earlier one, near or far, in one of two spaces.
    const text = digestOf(String(i % 3 === 0 ? Math.floor(i / 7) : i))
    if (counts.add(text, i & 1) !== expected(text, i & 1)) differing += 1
  }
  t.equal(differing, 0)
})

test('one digest in very many spaces is counted separately in each', async (t) => {
  const counts = new DigestCounts()
  const text = digestOf('account fee')
  let earlierCount = 0
  for (let accountId = 1; accountId <= 20_000; accountId++) {
    earlierCount += counts.add(text, accountId)
  }
  t.equal(earlierCount, 0)
  t.equal(counts.add(text, 17), 1)
  t.equal(counts.add(text, 17), 2)
})

test('without a space the digest is counted in space 0', async (t) => {
  const counts = new DigestCounts()
  t.equal(counts.add(digestOf('x')), 0)
  t.equal(counts.add(digestOf('x'), 0), 1)
})
