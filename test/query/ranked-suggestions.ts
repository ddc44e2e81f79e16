import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { SLIPS, slipped } from '../../bench/typing-slips.js'
import { randomOf } from '../../src/demo/random.js'
import type { Suggestion } from '../../src/domain/suggestion.js'
import { findRows } from '../../src/free-text/search-task.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { lookedUpCount, rankedSuggestions } from '../../src/query/ranked-suggestions.js'
import { suggestedNames } from '../../src/query/suggested-names.js'
import { Suggester } from '../../src/query/suggester.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { comparedKey, comparedText } from '../../src/suggestions/compared-text.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveCloseness, naiveSuggestions } from '../fixtures/naive-suggestions.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf, lives, snapshotAfter } from '../fixtures/snapshots.js'
import { InlineSuggestions } from '../fixtures/suggesting.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

const NAMES = [
  ...['Müller Bau', 'Mueller Holz GmbH', 'Stadtwerke', 'STADTWERKE', 'Stadtwerk Süd', 'Anna Frey'],
  ...['Anna Freytag', 'Freya', 'Straßenbau', 'Strasser', 'Miete', 'Telefon', 'Giro', '1&1', '4711'],
]
const PURPOSES = [
  'Miete Mai',
  'Stadtwerke Abschlag',
  'RE-2024-17 Telefon',
  'Frey',
  'müller & co',
  '',
]

const rows = fc.array(
  fc.record({
    accountId: fc.constantFrom(1, 2, 3),
    counterpartName: fc.option(fc.constantFrom(...NAMES)),
    purpose: fc.option(fc.constantFrom(...PURPOSES)),
    categoryId: fc.option(fc.constantFrom(1, 2)),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

const workspaces = rows.map(
  (dealt): WorkspaceRows => ({
    accounts: [
      accountRow(1, { name: 'Giro' }),
      accountRow(2, { name: 'Stadtkonto' }),
      accountRow(3, { name: 'Giro' }),
    ],
    categories: [
      { id: 1, name: 'Miete', parentId: null },
      { id: 2, name: 'Strom', parentId: null },
    ],
    transactions: dealt.map((row, i) => transactionRow(i + 1, row.accountId, row)),
  }),
)

const queries = fc
  .tuple(fc.constantFrom(...NAMES, ...PURPOSES, 'Strom'), fc.nat(), fc.nat())
  .map(([text, seed, length]) => {
    const random = randomOf(seed)
    const typed = text.slice(0, 1 + (length % (text.length + 1)))
    return random.chance(600) ? (slipped(typed, random.pick(SLIPS), random) ?? typed) : typed
  })

async function suggestionsOf(
  suggester: Suggester,
  snapshot: Snapshot,
  accountIds: readonly number[] | undefined,
  text: string,
  limit: number,
): Promise<Suggestion[]> {
  const accountCodes =
    accountIds &&
    snapshot.accounts.filter(({ id }) => accountIds.includes(id)).map(({ code }) => code)
  const scope = { snapshot, accountCodes, queryCache: new QueryCache() }
  const query = { query: text, enough: limit, countMax: lookedUpCount(limit) }
  const candidates = await suggester.find(scope, query)
  const find = async (task: Parameters<typeof findRows>[0]) => findRows(task)
  return rankedSuggestions({ ...scope, find }, candidates, limit)
}

const keyOf = ({ kind, text }: Pick<Suggestion, 'kind' | 'text'>): string =>
  (kind === 'account' ? 'account ' : '') + comparedKey(comparedText(text))

test('suggestions are visible, counted exactly and ranked, none with a slip missing', async (t) => {
  const counts = { suggested: 0, near: 0 }
  const access = fc.constantFrom(undefined, [1], [2, 3], [])
  const asked = fc.array(fc.tuple(queries, access), { minLength: 3, maxLength: 6 })
  await assertProperty(
    fc.asyncProperty(workspaces, lives, asked, async (workspace, life, each) => {
      const snapshot = snapshotAfter(workspace, life)
      const suggester = new Suggester(new InlineSuggestions())
      for (const [text, accountIds] of each) {
        const suggested = await suggestionsOf(suggester, snapshot, accountIds, text, 20)
        const naive = naiveSuggestions(workspace, accountIds ?? [1, 2, 3], text)
        const known = new Map(naive.map((one) => [`${one.kind} ${one.text}`, one]))
        counts.suggested += suggested.length
        const ranks = suggested.map((one) => {
          const expected = known.get(`${one.kind} ${one.text}`)
          assert.ok(expected, `${text}: ${one.kind} ${one.text} is one of the visible texts`)
          assert.equal(one.count, expected.count, `${text}: ${one.text}`)
          return { ...one, closeness: naiveCloseness(text, one.text) }
        })
        assert.deepEqual(ranks, ranks.toSorted(byRank))
        const keys = new Set(suggested.map(keyOf))
        assert.equal(keys.size, suggested.length)
        for (const one of naive.filter(({ closeness }) => closeness <= 3)) {
          counts.near += 1
          assert.ok(keys.has(keyOf(one)), `${text}: ${one.kind} ${one.text} is suggested`)
        }
      }
    }),
    { numRuns: 200 },
  )
  t.ok(counts.suggested > 300 && counts.near > 300, JSON.stringify(counts))
})

type RankedText = Suggestion & { readonly closeness: number }

function byRank(a: RankedText, b: RankedText): number {
  const byText = Buffer.compare(Buffer.from(a.text), Buffer.from(b.text))
  return a.closeness - b.closeness || b.count - a.count || byText
}

test('the limit keeps the best, and equal ones are ordered by code point', async (t) => {
  const names = ['𐐀 Bau', 'ﬀ Bau', 'Alpha Zoo', 'Alpha Bau', 'Alpha Zoo']
  const snapshot = indexedSnapshotOf({
    accounts: [],
    categories: [],
    transactions: names.map((counterpartName, i) => transactionRow(i + 1, 1, { counterpartName })),
  })
  const suggester = new Suggester(new InlineSuggestions())
  const suggested = await suggestionsOf(suggester, snapshot, undefined, 'bau', 20)
  t.same(
    suggested.map(({ text }) => text),
    ['Alpha Bau', 'ﬀ Bau', '𐐀 Bau'],
  )
  t.same(await suggestionsOf(suggester, snapshot, undefined, 'alpha', 1), [
    { text: 'Alpha Zoo', kind: 'counterpart', count: 2 },
  ])
})

test('names are those of categories and visible accounts now', async (t) => {
  const snapshot = indexedSnapshotOf({
    accounts: [accountRow(1, { name: 'Giro' }), accountRow(2), accountRow(3, { name: 'Giro' })],
    categories: [{ id: 1, name: 'Miete', parentId: null }],
    transactions: [transactionRow(1, 1, { purpose: 'Mieten' }), transactionRow(2, 3)],
  })
  const codes = snapshot.accounts.map(({ code }) => code)
  const all = suggestedNames({ snapshot, accountCodes: undefined })
  t.same(all.account.get('Giro'), [codes[0], codes[2]])
  t.same([...all.category.keys()], ['Miete'])
  t.equal(suggestedNames({ snapshot, accountCodes: undefined }), all, 'kept')
  t.same(suggestedNames({ snapshot, accountCodes: [codes[1] ?? -1] }).account.size, 0)
  const suggester = new Suggester(new InlineSuggestions())
  t.same(await suggestionsOf(suggester, snapshot, undefined, 'giro', 8), [
    { text: 'Giro', kind: 'account', count: 2 },
  ])
  t.same(await suggestionsOf(suggester, snapshot, undefined, 'miete', 8), [
    { text: 'Miete', kind: 'category', count: 1 },
    { text: 'Mieten', kind: 'word', count: 1 },
  ])
  const renamed = { ...snapshot, categories: [] }
  t.same(await suggestionsOf(suggester, renamed, undefined, 'miete', 8), [
    { text: 'Mieten', kind: 'word', count: 1 },
  ])
})
