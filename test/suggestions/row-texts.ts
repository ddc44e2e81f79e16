import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Suggestion } from '../../src/domain/suggestion.js'
import { bitSetOf } from '../../src/ordinals/bit-set.js'
import { RowTexts } from '../../src/suggestions/row-texts.js'
import { SuggestionIndex } from '../../src/suggestions/suggestion-index.js'
import { SuggestionIndexes } from '../../src/suggestions/suggestion-tasks.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { transactionRow } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'
import { texts, type WorkspaceRows } from '../fixtures/workspaces.js'

/** An index that notes what is added to it. */
class NotedTexts extends SuggestionIndex {
  readonly noted: string[] = []
  override addCounterpart(name: string): void {
    this.noted.push(`name ${name}`)
  }
  override addPurpose(purpose: string): void {
    this.noted.push(`purpose ${purpose}`)
  }
  override addAsciiCounterpart(bytes: Uint8Array, from: number, to: number): void {
    this.noted.push(`name ${Buffer.from(bytes.subarray(from, to)).toString('latin1')}`)
  }
  override addAsciiPurpose(bytes: Uint8Array, from: number, to: number): void {
    this.noted.push(`purpose ${Buffer.from(bytes.subarray(from, to)).toString('latin1')}`)
  }
}

const nasty = fc.constantFrom(...['","purpose":"x', '\\', '"', '"name":"', 'ä"', '},"createdAt":'])
const text = fc.option(fc.oneof(texts(), nasty, fc.constant('Miete Mai')))

test('the texts of a rendered row are its name and its purpose', async () => {
  const rows = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 })
  assertProperty(
    fc.property(rows, (dealt) => {
      const transactions = dealt.map(([counterpartName, purpose, other], i) =>
        transactionRow(i + 1, 1, {
          ...{ counterpartName, purpose, counterpartBankName: other, type: other },
        }),
      )
      const segment = segmentOf({ accounts: [], categories: [], transactions })
      const index = new NotedTexts()
      const rowTexts = new RowTexts(segment)
      for (let row = 0; row < segment.rowCount; row++) rowTexts.addTo(index, row)
      const expected = transactions
        .toReversed()
        .flatMap(({ counterpartName, purpose }) => [
          ...(counterpartName ? [`name ${counterpartName}`] : []),
          ...(purpose ? [`purpose ${purpose}`] : []),
        ])
      assert.deepEqual(index.noted, expected)
    }),
  )
})

const NAMES = ['Alpha', 'Alphabet', 'Alphorn', 'Alpaka']
const ROWS: WorkspaceRows = {
  accounts: [],
  categories: [],
  transactions: NAMES.map((counterpartName, i) => transactionRow(i + 1, 1, { counterpartName })),
}

function textsOf(found: readonly Pick<Suggestion, 'text'>[] | undefined): string[] | undefined {
  return found?.map((candidate) => candidate.text).sort()
}

test('an index learns the given live rows, and knows none after it was dropped', async (t) => {
  const segment = segmentOf(ROWS)
  const indexes = new SuggestionIndexes()
  const query = { indexId: 7, query: 'alp', enough: 8, countMax: 8 }
  t.equal(indexes.find(query), undefined)
  t.equal(indexes.settle(7), undefined)
  // Ordinals count from the newest id: 0 is Alpaka.
  const learn = { indexId: 7, rows: segment, ordinals: Uint32Array.of(0, 1, 3), from: 1, to: 3 }
  indexes.learn({ ...learn, alive: bitSetOf(Uint32Array.of(0b1101)) })
  t.equal(indexes.settle(7)?.isSettled, true)
  t.same(textsOf(indexes.find(query)), ['Alpha'])
  indexes.learn({ ...learn, ordinals: undefined, alive: undefined, from: 0, to: 4 })
  indexes.learnNames({ indexId: 7, kind: 'category', names: ['Alpen', '4711'] })
  t.ok((indexes.settle(7)?.byteCount ?? 0) > 100)
  t.same(textsOf(indexes.find(query)), [...NAMES, 'Alpen'].sort())
  indexes.drop([7])
  t.equal(indexes.find(query), undefined)
})
