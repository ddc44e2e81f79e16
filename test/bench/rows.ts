import { test } from 'tap'
import { measureRows, reportRows } from '../../bench/rows.js'

test('a smoke run of the rows bench copies the same bytes in every way', async (t) => {
  const figures = measureRows(2_000, 7, 10)
  t.equal(figures.length, 6)
  for (const { pageUs } of figures) t.ok(pageUs > 0)
  t.match(reportRows(figures), /\| fill \| [\d.]+ \|/)
})
