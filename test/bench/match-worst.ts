import { test } from 'tap'
import { randomQueries, WORST_QUERIES } from '../../bench/match-worst.js'
import { parseMatchQuery } from '../../src/wire/match-query.js'

test('each costly query is valid', async (t) => {
  const names = new Set(WORST_QUERIES.map(({ name }) => name))
  t.equal(names.size, WORST_QUERIES.length)
  for (const { name, query } of [...WORST_QUERIES, ...randomQueries(300, 7)]) {
    t.doesNotThrow(() => parseMatchQuery(`query=${encodeURIComponent(query)}`), name)
  }
})

test('random queries are determined by their seed', async (t) => {
  t.same(randomQueries(50, 7), randomQueries(50, 7))
  t.notSame(randomQueries(50, 7), randomQueries(50, 8))
})
