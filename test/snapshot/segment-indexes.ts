import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { rowSetOrdinals } from '../../src/free-text/row-set.js'
import { rowsWithTerm } from '../../src/free-text/rows-with-terms.js'
import { TextIndexBuilder } from '../../src/free-text/text-index-builder.js'
import {
  INDEXED_AT_ONCE_ROWS_MAX,
  indexesAtOnce,
  indexesOfSegment,
  textOfSegment,
} from '../../src/snapshot/segment-indexes.js'
import { NO_INDEXES } from '../../src/snapshot/snapshot.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { matchedWorkspaces, naiveFields } from '../fixtures/naive-match.js'
import { naiveMatchIndex } from '../fixtures/naive-match-index.js'
import { searchedTexts } from '../fixtures/naive-search.js'
import { accountRow, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

/** The searched texts of each row (docs/contract/lists.md, "Free-text search"), newest id first. */
function naiveIndex({ transactions }: WorkspaceRows): unknown {
  const builder = new TextIndexBuilder()
  for (const row of transactions.toReversed()) {
    builder.add(searchedTexts(row))
  }
  return builder.finish()
}

test('the indexes are those of the texts of the loaded rows', async () => {
  assertProperty(
    fc.property(matchedWorkspaces({ maxLength: 30 }), (rows) => {
      fc.pre(rows.transactions.length > 0)
      const segment = segmentOf(rows)
      const { text, match } = indexesOfSegment(segment)
      assert.deepEqual(text, naiveIndex(rows))
      assert.deepEqual(match, naiveMatchIndex(rows.transactions.toReversed().map(naiveFields)))
      assert.deepEqual(textOfSegment(segment), text)
      assert.deepEqual(indexesAtOnce(segment), { text, match })
    }),
    { numRuns: 100 },
  )
})

test('a large segment gets them later', async (t) => {
  const segment = { ...segmentOf(SAMPLE), rowCount: INDEXED_AT_ONCE_ROWS_MAX + 1 }
  t.same(indexesAtOnce(segment), NO_INDEXES)
})

test('other fields are not found', async (t) => {
  const known = {
    counterpartBic: 'COBADEFFXXX',
    sepaPurposeCode: 'SALA',
    originalCurrency: 'CHF',
    purpose: 'Miete "Mai"\\n',
  }
  const text = textOfSegment(
    segmentOf({
      accounts: [accountRow(1, { name: 'Girokonto', iban: 'DE89370400440532013000' })],
      categories: [{ id: 1, name: 'Wohnen', parentId: null }],
      transactions: [transactionRow(7, 1, { ...known, categoryId: 1 })],
    }),
  )
  const isFound = (word: string): boolean =>
    termsOf(word).every((term) => rowSetOrdinals(rowsWithTerm(text, term)).length === 1)
  for (const word of ['miete', '"mai"', '\\n', 'IET']) t.ok(isFound(word), word)
  for (const word of ['cobade', 'sala', 'chf', 'eur', 'girokonto', 'de89', 'wohnen', '2026']) {
    t.notOk(isFound(word), word)
  }
})
