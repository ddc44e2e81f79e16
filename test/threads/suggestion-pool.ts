import { test } from 'tap'
import { SuggestionPool } from '../../src/threads/suggestion-pool.js'
import { transactionRow } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'
import { InlineSuggestions } from '../fixtures/suggesting.js'

const NAMES = ['Tannweiler', 'Stadtwerke', 'Versicherung', 'Gehalt']

test('a thread keeps indexes, and finds the same texts as this one', async (t) => {
  const pool = new SuggestionPool()
  t.teardown(() => pool.close())
  t.same(pool.load, { threadCount: 0, queueCount: 0 })
  const here = new InlineSuggestions()
  const transactions = NAMES.map((counterpartName, i) =>
    transactionRow(i + 1, 1, { counterpartName }),
  )
  const rows = segmentOf({ accounts: [], categories: [], transactions })
  const query = { indexId: 1, enough: 8, countMax: 8 }
  for (const tasks of [pool, here]) {
    t.equal(await tasks.find({ ...query, query: 'gehlat' }), undefined)
    const learned = { indexId: 1, rows, ordinals: undefined, alive: undefined, from: 0, to: 4 }
    await tasks.learn(learned)
    await tasks.learnNames({ indexId: 1, kind: 'category', names: ['Löhne'] })
    t.equal((await tasks.settle(1))?.isSettled, true)
  }
  for (const text of ['gehlat', 'tannwieler', 'versichrung', 'stadtwrke', 'lohne', 'nirgends']) {
    const found = await pool.find({ ...query, query: text })
    t.same(found, await here.find({ ...query, query: text }))
    t.equal(found?.length, text === 'nirgends' ? 0 : 1, text)
  }
  t.equal(pool.taskCount, 7)
  await pool.drop([1])
  t.equal(await pool.find({ ...query, query: 'gehlat' }), undefined)
})
