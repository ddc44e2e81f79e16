import { test } from 'tap'
import { bitSetOf } from '../../src/ordinals/bit-set.js'
import { Suggester } from '../../src/query/suggester.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../fixtures/snapshots.js'
import { InlineSuggestions } from '../fixtures/suggesting.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

function workspaceOf(names: readonly string[], categoryName = 'Büro'): WorkspaceRows {
  return {
    accounts: [accountRow(1, { name: 'Giro' }), accountRow(2, { name: 'Sparbuch' })],
    categories: [{ id: 1, name: categoryName, parentId: null }],
    // Odd ids belong to account 1, even ones to account 2.
    transactions: names.map((counterpartName, i) =>
      transactionRow(i + 1, 1 + (i % 2), { counterpartName }),
    ),
  }
}

const QUERY = { enough: 8, countMax: 8 }

async function found(
  suggester: Suggester,
  snapshot: Snapshot,
  query: string,
  accountCodes?: readonly number[],
): Promise<string[]> {
  const candidates = await suggester.find({ snapshot, accountCodes }, { ...QUERY, query })
  return candidates.map(({ text }) => text)
}

test('a snapshot is read once, and later ones as far as they have other segments', async (t) => {
  const tasks = new InlineSuggestions()
  const grown: string[] = []
  const suggester = new Suggester(tasks, (id) => grown.push(id))
  const first = indexedSnapshotOf(workspaceOf(['Alpha', 'Beta']))
  t.same(await found(suggester, first, 'alpa'), ['Alpha'])
  t.same(await found(suggester, first, 'beta'), ['Beta'])
  t.equal(tasks.learnedRowCount, 2)
  t.same(grown, ['w'])
  t.ok(suggester.bytesOf('w') > 0)
  const more = indexedSnapshotOf(workspaceOf(['Gamma'], 'Gamelan'))
  const second = {
    ...first,
    categories: more.categories,
    segments: [...first.segments, ...more.segments],
  }
  t.same(await found(suggester, second, 'gam'), ['Gamelan', 'Gamma'])
  t.equal(tasks.learnedRowCount, 3)
  suggester.drop('w')
  t.equal(suggester.bytesOf('w'), 0)
  t.same(await found(suggester, second, 'alpha'), ['Alpha'])
  t.equal(tasks.learnedRowCount, 6, 'after it was dropped it is read again')
})

test('an index of some accounts has the texts of their live rows alone', async (t) => {
  const tasks = new InlineSuggestions()
  const suggester = new Suggester(tasks)
  const snapshot = indexedSnapshotOf(workspaceOf(['Alpha', 'Alphabet', 'Alphorn', 'Alpaka']))
  const codes = snapshot.accounts.map(({ code }) => code)
  const [one, two] = [[codes[0] ?? -1], [codes[1] ?? -1]]
  t.same((await found(suggester, snapshot, 'alp', one)).sort(), ['Alpha', 'Alphorn'])
  t.same((await found(suggester, snapshot, 'alp', two)).sort(), ['Alpaka', 'Alphabet'])
  t.equal(tasks.learnedRowCount, 4, 'each row is read for its own account')
  t.same(await found(suggester, snapshot, 'giro', one), ['Giro'])
  t.same(await found(suggester, snapshot, 'giro', two), [])
  t.same(await found(suggester, snapshot, 'alp', []), [])
  const [live] = snapshot.segments
  if (live === undefined) throw new Error('one segment')
  const other = indexedSnapshotOf(workspaceOf(['Alster', 'Alm']))
  // Ordinal 0 is the newest row, Alm of account 2.
  const segments = other.segments.map((each) => ({
    ...each,
    alive: bitSetOf(Uint32Array.of(0b10)),
  }))
  const deleted = { ...other, segments, accounts: snapshot.accounts }
  t.same(await found(suggester, deleted, 'al', two), ['Alpaka', 'Alphabet'])
})

test('an index that its thread has lost is made again', async (t) => {
  const tasks = new InlineSuggestions()
  const suggester = new Suggester(tasks)
  const snapshot = indexedSnapshotOf(workspaceOf(['Alpha', 'Beta']))
  t.same(await found(suggester, snapshot, 'alpha'), ['Alpha'])
  tasks.end()
  t.same(await found(suggester, snapshot, 'alpha'), ['Alpha'])
  t.equal(tasks.learnedRowCount, 4)
  tasks.find = async () => undefined
  await t.rejects(found(suggester, snapshot, 'alpha'), { message: /has ended several times/ })
  tasks.find = async () => {
    suggester.drop('w')
    return undefined
  }
  await t.rejects(found(suggester, snapshot, 'alpha'), { code: 'workspace_unavailable' })
})

test('queries that come together share one reading, and a failure ends with it', async (t) => {
  const tasks = new InlineSuggestions()
  const suggester = new Suggester(tasks)
  const snapshot = indexedSnapshotOf(workspaceOf(['Alpha', 'Beta']))
  const asked = await Promise.all(['alpha', 'beta'].map((text) => found(suggester, snapshot, text)))
  t.same(asked, [['Alpha'], ['Beta']])
  t.equal(tasks.learnedRowCount, 2)
  suggester.drop('w')
  const { settle } = tasks
  tasks.settle = () => Promise.reject(new Error('out of memory'))
  await t.rejects(found(suggester, snapshot, 'alpha'), { message: 'out of memory' })
  tasks.settle = settle
  t.same(await found(suggester, snapshot, 'alpha'), ['Alpha'])
})

test('the least recently used of more than eight indexes is dropped', async (t) => {
  const tasks = new InlineSuggestions()
  const suggester = new Suggester(tasks)
  const rows = workspaceOf(['Alpha'])
  const accounts = Array.from({ length: 9 }, (_, i) => accountRow(i + 1))
  const transactions = accounts.map(({ id }) =>
    transactionRow(id, id, { counterpartName: 'Alpha' }),
  )
  const snapshot = indexedSnapshotOf({ ...rows, accounts, transactions })
  const codes = snapshot.accounts.map(({ code }) => code)
  for (const code of codes) t.same(await found(suggester, snapshot, 'alpha', [code]), ['Alpha'])
  t.equal(tasks.learnedRowCount, 9)
  await found(suggester, snapshot, 'alpha', [codes[8] ?? -1])
  t.equal(tasks.learnedRowCount, 9)
  await found(suggester, snapshot, 'alpha', [codes[0] ?? -1])
  t.equal(tasks.learnedRowCount, 10)
})
