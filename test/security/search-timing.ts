// The time of a search reveals nothing about hidden accounts. Before the fix, times revealed their
// words, and other callers' searches, with an area under the curve of 0.99. A bench measures times
// (`npm run bench -- hidden`); this test compares everything that time depends on: the number of
// reads must be the same whatever the hidden rows hold.
import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'tap'
import type { RowScan } from '../../src/free-text/rows-among.js'
import { findRows, type SearchTask } from '../../src/free-text/search-task.js'
import type { TextIndex } from '../../src/free-text/text-index.js'
import { listTransactions } from '../../src/query/list.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { type LongSearch, longSearches } from '../../src/query/search.js'
import { VisibleTexts } from '../../src/query/visible-texts.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { visiblePart } from '../../src/snapshot/visible-rows.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'

const ROWS = 3_000
const VISIBLE = [0]

/** Every third row is visible; the others have the given text, and a counterpart and categories. */
function snapshotWith(hidden: (i: number) => string): Snapshot {
  const transactions = Array.from({ length: ROWS }, (_, i) => {
    if (i % 3 === 0)
      return transactionRow(i + 1, 1, { purpose: `Rechnung ${i} Miete`, categoryId: 1 })
    return transactionRow(i + 1, 2, { purpose: hidden(i), categoryId: i % 2 === 0 ? 1 : 2 })
  })
  return indexedSnapshotOf({ ...SAMPLE, transactions })
}

/** The words of the hidden accounts occur in the first snapshot, and nowhere in the second. */
const WITH = snapshotWith((i) => `Gehalt Kündigung${i % 7} geheim`)
const WITHOUT = snapshotWith((i) => `nichts davon ${i % 11}`)

const TEXTS = [
  'Gehalt',
  'Kündigung3',
  'geheim gehalt',
  'nirgends',
  'Miete',
  'e',
  'Rechnung 3',
  'Büro',
]

async function selectionsWith(snapshot: Snapshot, partRowsMin: number): Promise<QueryCache> {
  const texts = new VisibleTexts(partRowsMin)
  texts.prepare(snapshot, VISIBLE, async (task) => visiblePart(task))
  await nextTurn()
  return new QueryCache(texts)
}

function searchesOf(snapshot: Snapshot, queryCache: QueryCache, text: string): LongSearch[] {
  const search = { terms: termsOf(text), visibleCodes: VISIBLE }
  return longSearches(snapshot, search, queryCache, -1)
}

test('in its own index a credential reads the same data whatever the hidden rows', async (t) => {
  for (const text of TEXTS) {
    const [one, other] = await Promise.all(
      [WITH, WITHOUT].map(async (snapshot) => {
        const searches = searchesOf(snapshot, await selectionsWith(snapshot, 1), text)
        return searches.map(({ task }): SearchTask => task)
      }),
    )
    assert(one?.[0]?.kind === 'index' && one[0].part !== undefined, 'a part exists')
    t.strictSame(one, other, text)
  }
})

/** Number of reads of each array while `run` runs. */
function looksAt(task: RowScan, run: (task: RowScan) => void): Record<string, number> {
  const counts: Record<string, number> = {}
  const counted = <Watched extends object>(name: string, array: Watched): Watched =>
    new Proxy(array, {
      get: (target, key) => {
        counts[name] = (counts[name] ?? 0) + 1
        return Reflect.get(target, key)
      },
    })
  const { wordBytes, wordOffsets, rowWords, rowWordOffsets, rows, rowOffsets } = task.text
  const text: TextIndex = {
    ...task.text,
    wordBytes: counted('wordBytes', wordBytes),
    wordOffsets: counted('wordOffsets', wordOffsets),
    rowWords: counted('rowWords', rowWords),
    rowWordOffsets: counted('rowWordOffsets', rowWordOffsets),
    rows: counted('rows', rows),
    rowOffsets: counted('rowOffsets', rowOffsets),
    equalGrams: counted('grams', task.text.equalGrams),
    firstGrams: counted('grams', task.text.firstGrams),
    secondGrams: counted('grams', task.text.secondGrams),
    commonRows: counted('grams', task.text.commonRows),
  }
  run({ ...task, text })
  return counts
}

test('without a part it reads its visible rows one by one, the same number of words', async (t) => {
  for (const text of TEXTS) {
    const looks = await Promise.all(
      [WITH, WITHOUT].map(async (snapshot) => {
        const queryCache = await selectionsWith(snapshot, Number.POSITIVE_INFINITY)
        const [search] = searchesOf(snapshot, queryCache, text)
        assert(search?.task.kind === 'scan')
        const { rowWords, ...counts } = looksAt(search.task, (task) => findRows(task))
        // A code takes a byte more or less by the frequency of its word, whatever the search.
        assert(rowWords !== undefined && rowWords > 0)
        return counts
      }),
    )
    t.strictSame(looks[0], looks[1], text)
    t.notOk(
      looks.some((counts) => 'rows' in counts || 'grams' in counts),
      'no index is read',
    )
  }
})

test('searches of others are not cached for it, nor the reverse', async (t) => {
  for (const partRowsMin of [1, Number.POSITIVE_INFINITY]) {
    const queryCache = await selectionsWith(WITH, partRowsMin)
    const terms = termsOf('Rechnung')
    const query = { order: 'desc', sortBy: 'amount', terms } as const
    const all = listTransactions(WITH, queryCache, query, {})
    const others = { accountCodes: [1], visibleCodes: [1] }
    listTransactions(WITH, queryCache, query, others)
    t.equal(searchesOf(WITH, queryCache, 'Rechnung').length, 1, 'not cached')
    const own = { accountCodes: VISIBLE, visibleCodes: VISIBLE }
    t.equal(listTransactions(WITH, queryCache, query, own).total, all.total)
    t.equal(searchesOf(WITH, queryCache, 'Rechnung').length, 0, 'cached for itself')
  }
})

test('a hidden counterpart takes as long as an absent one', async (t) => {
  const hidden = 'DE89370400440532013000'
  const transactions = Array.from({ length: 300 }, (_, i) => {
    if (i % 2 === 0) return transactionRow(i + 1, 1, { purpose: 'mine', counterpartIban: null })
    return transactionRow(i + 1, 2, { counterpartIban: hidden })
  })
  const snapshot = indexedSnapshotOf({ ...SAMPLE, transactions })
  for (const counterpartIban of [hidden, 'DE02120300000000202051']) {
    const queryCache = new QueryCache()
    const bounds = { accountCodes: VISIBLE, visibleCodes: VISIBLE, counterpartIban }
    const query = { order: 'desc', sortBy: '_id', terms: termsOf('mine') } as const
    t.equal(listTransactions(snapshot, queryCache, query, bounds).total, 0)
    const searches = searchesOf(snapshot, queryCache, 'mine')
    t.equal(searches.length, 0, 'the search ran all the same')
  }
})
