import { test } from 'tap'
import {
  CHARTED_CATEGORIES_MAX,
  CHARTED_MONTHS_MAX,
  categoryChart,
  monthChart,
} from '../../../../src/dashboard/pages/explorer/chart-bars.js'

function sum<Key>(key: Key, units: number) {
  return { key, count: 1, incoming: BigInt(units) * 100_000n, outgoing: -50_000n }
}

test('months without transactions keep their place', async (t) => {
  const { chart, rows, omission } = monthChart([sum('2025-11', 1), sum('2026-02', 2)])
  t.same(chart, {
    shape: 'columns',
    bars: [
      { name: '2025-11', incoming: 1, outgoing: -0.5 },
      { name: '2025-12', incoming: 0, outgoing: 0 },
      { name: '2026-01', incoming: 0, outgoing: 0 },
      { name: '2026-02', incoming: 2, outgoing: -0.5 },
    ],
  })
  t.equal(rows.length, 2)
  t.equal(omission, undefined)
})

test('a chart ends with the last months, and says so', async (t) => {
  const { chart, rows, omission } = monthChart([sum('1999-12', 1), sum('2026-01', 2), sum(null, 3)])
  t.equal(chart.bars.length, CHARTED_MONTHS_MAX)
  t.equal(chart.bars[0]?.name, '2023-02')
  t.same(
    rows.map(({ key }) => key),
    ['1999-12', '2026-01', 'No booking date'],
  )
  t.equal(omission, 'Not shown: months before 2023-02 and transactions without a booking date.')
  t.same(monthChart([sum(null, 1)]).chart.bars, [])
  t.same(monthChart([]).rows, [])
})

test('further categories are one bar, and equal names are distinguished', async (t) => {
  const sums = Array.from({ length: CHARTED_CATEGORIES_MAX + 3 }, (_, i) => sum(i + 1, 10))
  const { chart, rows } = categoryChart(sums, (id) => (id < 3 ? 'Büro' : `c${id}`))
  t.equal(chart.bars.length, CHARTED_CATEGORIES_MAX + 1)
  t.same(
    chart.bars.slice(0, 2).map(({ name }) => name),
    ['Büro', 'Büro (2)'],
  )
  t.same(chart.bars.at(-1), { name: '3 others', incoming: 30, outgoing: -1.5 })
  t.equal(rows.length, sums.length)
  t.same(categoryChart([sum(null, 1)], String).chart.bars[0]?.name, 'No category')
})
