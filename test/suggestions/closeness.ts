import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { closenessOf, editsMax, FAR } from '../../src/suggestions/closeness.js'
import { comparedKey, comparedText, distinctWords } from '../../src/suggestions/compared-text.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveCloseness } from '../fixtures/naive-suggestions.js'

/** Short words of few letters, so that many are near each other. */
const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', 'ß'), maxLength: 9 })
const texts = fc.array(words, { maxLength: 4 }).map((list) => list.join(' '))

/** A typed text and another one: any two, or with one or two pairs of letters swapped. */
const pairs = texts.chain((text) =>
  fc.tuple(
    fc.oneof(
      texts,
      fc
        .array(fc.nat({ max: text.length }), { minLength: 1, maxLength: 2 })
        .map((places) => places.reduce(swapped, text)),
    ),
    fc.constant(text),
  ),
)

function swapped(text: string, at: number): string {
  const [one = '', other = ''] = text.slice(at)
  return text.slice(0, at) + other + one + text.slice(at + 2)
}

test('the closeness is that of the nearest run of words, whole or as a beginning', async (t) => {
  const counts = new Map<number, number>()
  assertProperty(
    fc.property(pairs, ([typed, text]) => {
      const closeness = closenessOf(comparedText(typed), comparedText(text))
      assert.equal(closeness, naiveCloseness(typed, text))
      counts.set(closeness, (counts.get(closeness) ?? 0) + 1)
    }),
    { numRuns: 3_000 },
  )
  for (const closeness of [0, 1, 2, 3, 4, FAR]) t.ok(counts.get(closeness), `${closeness} occurs`)
})

test('slips of a letter, beginnings and spellings of umlauts', async (t) => {
  const cases: readonly (readonly [typed: string, text: string, closeness: number])[] = [
    ['stadtwerke', 'Stadtwerke', 0],
    ['stadtwe', 'Stadtwerke', 1],
    ['stadtwrke', 'Stadtwerke', 2],
    ['satdtwrke', 'Stadtwerke', 4],
    ['tannwieler', 'Tannweiler Holzbau GmbH', 2],
    ['tannwieler holz', 'Tannweiler Holzbau GmbH', 3],
    ['Mueller', 'Müller', 0],
    ['Muller', 'MÜLLER', 0],
    ['müller', 'Mueller', 0],
    ['strasse', 'Straße', 0],
    ['holzbau', 'Tannweiler Holzbau GmbH', 0],
    ['s.a r-l', 'Amazon EU S.à r.l.', 0],
    ['ab', 'ac', FAR],
  ]
  for (const [typed, text, closeness] of cases) {
    t.equal(closenessOf(comparedText(typed), comparedText(text)), closeness, `${typed}: ${text}`)
  }
})

test('short texts are allowed fewer edits', async (t) => {
  t.same([0, 1, 2, 3, 5, 6, 64].map(editsMax), [0, 0, 0, 1, 1, 2, 2])
})

test('compared words are runs of letters and digits, in both forms', async (t) => {
  t.same(comparedText('Müller & Söhne, GmbH'), {
    first: ['muller', 'sohne', 'gmbh'],
    second: ['mueller', 'soehne', 'gmbh'],
  })
  t.same(comparedText('– … !'), { first: [], second: [] })
  t.same(distinctWords(comparedText('Müller muller AG')), ['muller', 'ag', 'mueller'])
  t.equal(comparedKey(comparedText('E.ON AG')), comparedKey(comparedText('e-on ag')))
  t.not(comparedKey(comparedText('Müller')), comparedKey(comparedText('Muller')))
})
