import { test } from 'tap'
import type { BarChart } from '../../src/charts/bar-chart.js'
import { drawChart } from '../../src/charts/draw-chart.js'
import { CHARTS_KEPT_MAX } from '../../src/limits.js'
import { ChartPool } from '../../src/snapshot/chart-pool.js'

function chartOf(incoming: number): BarChart {
  return { shape: 'columns', bars: [{ name: '2026-01', incoming, outgoing: -5 }] }
}

test('a thread draws what is drawn here, once, and the last ones are kept', async (t) => {
  const pool = new ChartPool()
  t.teardown(() => pool.close())
  t.equal(pool.find(chartOf(1)), undefined)
  const both = await Promise.all([pool.draw(chartOf(1)), pool.draw(chartOf(1))])
  const here = await drawChart(chartOf(1))
  t.same(both, [here, here])
  t.equal(pool.find(chartOf(1)), here)
  t.equal(await pool.draw(chartOf(1)), here)
  for (let i = 2; i <= CHARTS_KEPT_MAX; i++) await pool.draw(chartOf(i))
  t.equal(pool.find(chartOf(1)), here, 'as many are kept, and this one was looked at last')
  await pool.draw(chartOf(0))
  t.equal(pool.find(chartOf(2)), undefined, 'the one that nobody asked for longest is not')
  t.equal(pool.find(chartOf(1)), here)
})
