import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { BarChart } from '../../src/charts/bar-chart.js'
import { type BarBox, layOutChart } from '../../src/charts/chart-layout.js'
import { assertProperty } from '../fixtures/assert-property.js'

const amounts = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: -4, max: 6 }))
  .map(([units, power]) => units * 10 ** power)
const charts: fc.Arbitrary<BarChart> = fc.record({
  shape: fc.constantFrom('columns' as const, 'rows' as const),
  bars: fc
    .array(fc.tuple(amounts, amounts), { maxLength: 40 })
    .map((pairs) =>
      pairs.map(([incoming, out], i) => ({ name: `bar ${i}`, incoming, outgoing: 0 - out })),
    ),
})

/** Begin and end of a bar along the axis of amounts, and across it. */
function extentsOf({ x, y, width, height }: BarBox, isColumn: boolean) {
  const [across, along] = [
    [x, x + width],
    [y, y + height],
  ]
  return isColumn ? { across, along } : { across: along, along: across }
}

function near(a: number, b: number): void {
  assert.ok(Math.abs(a - b) < 1e-6, `${a} and ${b}`)
}

test('bars are proportional to their amounts and do not overlap in the plot', async (t) => {
  let barCount = 0
  assertProperty(
    fc.property(charts, (chart) => {
      const { bars, ticks, plot, width, height } = layOutChart(chart)
      const isColumn = chart.shape === 'columns'
      const zero = ticks.find(({ text }) => text === '0')?.position ?? Number.NaN
      const size = chart.bars.flatMap(({ incoming, outgoing }) => [incoming, -outgoing])
      const greatest = Math.max(...size)
      const drawn = chart.bars.flatMap((bar) =>
        (['incoming', 'outgoing'] as const)
          .filter((direction) => bar[direction] !== 0)
          .map((direction) => ({ direction, amount: bar[direction] })),
      )
      // An amount too small for a double next to the greatest has no bar.
      if (drawn.some(({ amount }) => Math.abs(amount) < greatest / 1e12)) return
      assert.equal(bars.length, drawn.length)
      const lengths = bars.map((bar) => extentsOf(bar, isColumn).along)
      const longest = Math.max(...lengths.map(([from = 0, to = 0]) => to - from))
      bars.forEach((bar, i) => {
        const { direction, amount } = drawn[i] ?? { amount: Number.NaN }
        assert.equal(bar.direction, direction)
        const [from = 0, to = 0] = lengths[i] ?? []
        near((to - from) / longest, Math.abs(amount) / greatest)
        const isTowardsStart = isColumn === amount > 0
        near(isTowardsStart ? to : from, zero)
        assert.ok(bar.x >= plot.x - 1e-6 && bar.x + bar.width <= plot.x + plot.width + 1e-6)
        assert.ok(bar.y >= plot.y - 1e-6 && bar.y + bar.height <= plot.y + plot.height + 1e-6)
      })
      for (const direction of ['incoming', 'outgoing']) {
        const own = bars.filter((bar) => bar.direction === direction)
        const spans = own.map((bar) => extentsOf(bar, isColumn).across)
        spans.slice(1).forEach(([from = 0], i) => {
          assert.ok(from > (spans[i]?.[1] ?? 0))
        })
      }
      assert.ok(plot.x + plot.width < width && plot.y + plot.height < height)
      barCount += bars.length
    }),
  )
  t.ok(barCount > 500, `${barCount} bars`)
})

test('grid lines are at round amounts, evenly, from below all bars to above them', async () => {
  assertProperty(
    fc.property(charts, (chart) => {
      const { ticks, plot } = layOutChart(chart)
      assert.ok(ticks.length >= 2 && ticks.length <= 15, `${ticks.length} lines`)
      const positions = ticks.map(({ position }) => position)
      const [begin, end] =
        chart.shape === 'columns' ? [plot.y + plot.height, plot.y] : [plot.x, plot.x + plot.width]
      near(positions[0] ?? Number.NaN, begin)
      near(positions.at(-1) ?? Number.NaN, end)
      positions.forEach((position, i) => {
        near(position, begin + ((end - begin) * i) / (positions.length - 1))
      })
      assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length)
    }),
  )
})

function ticksOf(incoming: number, outgoing: number): string[] {
  const bars = [{ name: 'a', incoming, outgoing }]
  return layOutChart({ shape: 'rows', bars }).ticks.map(({ text }) => text)
}

test('axis labels are short', async (t) => {
  t.same(ticksOf(0, 0), ['0', '1'])
  t.same(ticksOf(0.0005, 0), ['0', '0.0001', '0.0002', '0.0003', '0.0004', '0.0005', '0.0006'])
  t.same(ticksOf(4, 0), ['0', '0.5', '1', '1.5', '2', '2.5', '3', '3.5', '4'])
  t.same(ticksOf(10_000, -4_900), ['−6K', '−4K', '−2K', '0', '2K', '4K', '6K', '8K', '10K'])
  t.same(ticksOf(1_250_000, 0), ['0', '200K', '400K', '600K', '800K', '1M', '1.2M', '1.4M'])
})

test('as many names as fit are shown, long ones are cut', async (t) => {
  const bars = Array.from({ length: 36 }, (_, i) => ({ name: `m${i}`, incoming: 1, outgoing: 0 }))
  const columns = layOutChart({ shape: 'columns', bars }).names
  t.same(
    columns.map(({ text }) => text),
    Array.from({ length: 9 }, (_, i) => `m${4 * i}`),
  )
  const name = 'Beratung, Fortbildung und Reisekosten'
  const rows = layOutChart({ shape: 'rows', bars: [{ name, incoming: 1, outgoing: 0 }] }).names
  t.same(
    rows.map(({ text }) => text),
    ['Beratung, Fortbildung u…'],
  )
})
