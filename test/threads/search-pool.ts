import { test } from 'tap'
import { findRows } from '../../src/free-text/search-task.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { SearchPool } from '../../src/threads/search-pool.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'

test('a thread finds the same rows as this one', async (t) => {
  const pool = new SearchPool()
  t.teardown(() => pool.close())
  const { text } = indexesOfSegment(segmentOf(SAMPLE))
  t.same(pool.load, { threadCount: 0, queueCount: 0 })
  const further = [[Uint32Array.of(3, 5), Uint32Array.of(7)], []]
  for (const words of ['nirgends', 'e', 'e 1', 'nirgends e']) {
    const terms = termsOf(words)
    const task = {
      kind: 'index',
      text,
      terms,
      further: terms.map((_, place) => further[place] ?? []),
    } as const
    t.same(await pool.find(task), findRows(task), words)
  }
  t.equal(pool.taskCount, 4)
  t.same(pool.load, { threadCount: 1, queueCount: 0 })
  t.same(findRows({ kind: 'index', text, terms: termsOf('nirgends'), further }), {
    kind: 'ordinals',
    ordinals: Uint32Array.of(3, 5, 7),
  })
})
