import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { chooseCommon } from '../../src/free-text/common-terms.js'
import { buildGrams } from '../../src/free-text/grams.js'
import { type RowSet, rowSetOrdinals } from '../../src/free-text/row-set.js'
import { rowsWithAllTerms, rowsWithTerm, searchCost } from '../../src/free-text/rows-with-terms.js'
import { type TextIndex, wordCount } from '../../src/free-text/text-index.js'
import { type Term, termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, scanRows, type Texts, termsFor, textRows } from '../fixtures/search-texts.js'

const NONE = () => []

/** The same index with a bit set for as many short terms as there is room for. */
function withCommon(index: TextIndex): TextIndex {
  return { ...index, ...chooseCommon(index, 1) }
}

/** The same index with nearly every gram divided, as those of a large vocabulary are. */
function withDivided(index: TextIndex): TextIndex {
  const { firstFormsFrom, secondFormsFrom } = index
  return {
    ...index,
    equalGrams: buildGrams(index, 0, firstFormsFrom, 1),
    firstGrams: buildGrams(index, firstFormsFrom, secondFormsFrom, 1),
    secondGrams: buildGrams(index, secondFormsFrom, wordCount(index), 1),
  }
}

function ordinals(rows: RowSet): number[] {
  return Array.from(rowSetOrdinals(rows))
}

/** Rows with a few searches for each. */
function searches(rowCountMax: number): fc.Arbitrary<{ rows: Texts[]; asked: Term[][] }> {
  return textRows(rowCountMax).chain((rows) =>
    fc
      .array(fc.array(termsFor(rows), { minLength: 1, maxLength: 3 }), {
        minLength: 8,
        maxLength: 8,
      })
      .map((lists) => ({ rows, asked: lists.map((list) => list.flat()) })),
  )
}

for (const { rowCountMax, numRuns } of [
  { rowCountMax: 12, numRuns: 70 },
  { rowCountMax: 120, numRuns: 20 },
  { rowCountMax: 900, numRuns: 6 },
]) {
  test(`up to ${rowCountMax} rows with terms equal those of a scan`, async () => {
    assertProperty(
      fc.property(searches(rowCountMax), ({ rows, asked }) => {
        const index = indexOfRows(rows)
        const common = withCommon(index)
        const divided = withDivided(index)
        const others = { divided, both: withCommon(divided) }
        for (const terms of asked) {
          const wanted = scanRows(rows, terms)
          assert.deepEqual(ordinals(rowsWithAllTerms(index, terms, NONE)), wanted)
          assert.deepEqual(
            ordinals(rowsWithAllTerms(common, terms, NONE)),
            wanted,
            'with common sets',
          )
          for (const [name, other] of Object.entries(others)) {
            assert.deepEqual(ordinals(rowsWithAllTerms(other, terms, NONE)), wanted, name)
          }
          for (const term of terms) {
            const found = rowsWithTerm(common, term)
            assert.deepEqual(ordinals(found), scanRows(rows, [term]))
            const count = ordinals(found).length
            assert.equal(found.kind, count <= rows.length / 64 ? 'ordinals' : 'bits')
            assert.ok(searchCost(index, [term]) >= 0)
          }
        }
      }),
      { numRuns },
    )
  })
}

test('rows that have a term for another reason count as well', async () => {
  const furtherRows = fc.array(fc.array(fc.nat(), { maxLength: 40 }), { maxLength: 3 })
  assertProperty(
    fc.property(searches(400), furtherRows, ({ rows, asked }, further) => {
      const index = indexOfRows(rows)
      const lists = further.map((list) =>
        Uint32Array.from(new Set(list.map((row) => row % rows.length))).sort(),
      )
      for (const terms of asked) {
        // The further rows are those of the last term, wherever it is in the search.
        const last = terms.at(-1)
        const alsoOf = (term: Term) => (term === last ? lists : [])
        const also = new Set(lists.flatMap((list) => [...list]))
        const wanted = [...rows.keys()].filter((row) =>
          terms.every(
            (term) =>
              scanRows([rows[row] ?? []], [term]).length > 0 || (term === last && also.has(row)),
          ),
        )
        assert.deepEqual(ordinals(rowsWithAllTerms(index, terms, alsoOf)), wanted)
      }
    }),
    { numRuns: 15 },
  )
})

test('a search without terms finds every row', async (t) => {
  for (const rowCount of [0, 1, 32, 33, 100]) {
    const index = indexOfRows(Array.from({ length: rowCount }, () => ['a']))
    t.equal(ordinals(rowsWithAllTerms(index, [], NONE)).length, rowCount)
  }
})

test('a search of an index without rows or words finds nothing', async (t) => {
  t.strictSame(ordinals(rowsWithAllTerms(indexOfRows([]), termsOf('a bc def ghij ä'), NONE)), [])
  t.strictSame(ordinals(rowsWithTerm(indexOfRows([[null, '', ' \t']]), termsOf('a')[0]!)), [])
})

test('a search costs more the more it reads', async (t) => {
  const rows = Array.from({ length: 5000 }, (_, row) => [`gmbh ${row}`, row === 7 ? 'rare' : null])
  const index = indexOfRows(rows)
  const cost = (query: string) => searchCost(index, termsOf(query))
  t.equal(cost('absent'), 0)
  t.equal(cost(''), 0)
  t.ok(cost('rare') < cost('gmbh'))
  t.ok(cost('4711') < cost('1'))
  t.ok(cost('rare 1') < cost('1'), 'only the rows of the rare term are read')
  t.ok(cost('gmbh 1') > cost('gmbh'))
})

test('umlauts are found in every spelling', async (t) => {
  const rows = [['Müller'], ['MUELLER'], ['muller'], ['Mu\u0308ller'], ['du'], ['due'], ['dü']]
  const index = indexOfRows(rows)
  const found = (query: string) => ordinals(rowsWithAllTerms(index, termsOf(query), NONE))
  t.strictSame(found('Müller'), [0, 1, 2, 3])
  t.strictSame(found('MUELLER'), [0, 1, 3])
  t.strictSame(found('muller'), [0, 2, 3])
  t.strictSame(found('due'), [5, 6])
  t.strictSame(found('dü'), [4, 5, 6])
  t.strictSame(found('du'), [4, 5, 6])
})

test('the words of few rows are compared in the right form', async (t) => {
  const names = ['Müller', 'MUELLER', 'muller', 'Mu\u0308ller', 'Mulle', 'Mǖllër']
  // Each name with a number is a word of its own, so the name is in more words than 7 rows have.
  const rows = Array.from({ length: 4200 }, (_, row) => [
    `k${row % 600}k`,
    `${names[row % 6]}${row}`,
  ])
  const index = indexOfRows(rows)
  for (const name of ['müller', 'mueller', 'muller', 'mull', 'ü', 'ue', 'ler', 'nobody']) {
    for (const rare of ['k0k', 'k1k', 'k2k', 'k3k', 'k4k', 'k5k']) {
      const terms = termsOf(`${name} ${rare}`)
      t.strictSame(ordinals(rowsWithAllTerms(index, terms, NONE)), scanRows(rows, terms), `${name}`)
    }
  }
})
