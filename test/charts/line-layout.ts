import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { layOutLine } from '../../src/charts/line-layout.js'
import { assertProperty } from '../fixtures/assert-property.js'

/** The level of each day, by walking the commands of the path. */
function levelsOf(path: string, dayCount: number, left: number, dayWidth: number): number[] {
  const commands = [...path.matchAll(/([MHV])([-\d.]+)(?: ([-\d.]+))?/g)]
  const levels: number[] = []
  let [x, y] = [Number.NaN, Number.NaN]
  for (const [, letter, first = '', second = ''] of commands) {
    if (letter === 'M') [x, y] = [Number(first), Number(second)]
    else if (letter === 'V') y = Number(first)
    else {
      const days = Math.round((Number(first) - x) / dayWidth)
      for (let i = 0; i < days; i++) levels.push(y)
      x = Number(first)
    }
  }
  assert.equal(levels.length, dayCount)
  assert.ok(Math.abs(x - (left + dayCount * dayWidth)) < 0.1)
  return levels
}

const months = fc.array(fc.integer({ min: 28, max: 31 }), { minLength: 1, maxLength: 12 })
const charts = fc
  .tuple(months, fc.array(fc.integer({ min: -900_000, max: 2_000_000 }), { minLength: 1 }))
  .map(([dayCounts, amounts]) => ({
    amounts: amounts.slice(
      0,
      dayCounts.reduce((sum, count) => sum + count, 0),
    ),
    months: dayCounts.map((dayCount, i) => ({ name: `m${i}`, dayCount })),
  }))

test('each day has a level in proportion to its amount, from the line at 0', async () => {
  assertProperty(
    fc.property(charts, (chart) => {
      const { line, area, ticks, bands, plot } = layOutLine(chart)
      const dayCount = chart.months.reduce((sum, month) => sum + month.dayCount, 0)
      const levels = levelsOf(line, chart.amounts.length, plot.x, plot.width / dayCount)
      const zero = ticks.find(({ text }) => text === '0')?.position ?? Number.NaN
      const greatest = Math.max(...chart.amounts.map(Math.abs))
      const place = chart.amounts.findIndex((amount) => Math.abs(amount) === greatest)
      const scale = greatest === 0 ? 0 : (zero - (levels[place] ?? 0)) / (chart.amounts[place] ?? 0)
      chart.amounts.forEach((amount, day) => {
        const level = levels[day] ?? Number.NaN
        assert.ok(Math.abs(zero - level - amount * scale) <= 0.2, `day ${day}: ${level}`)
        assert.ok(level >= plot.y && level <= plot.y + plot.height)
      })
      assert.equal(area, `${line}V${zero}H${plot.x}Z`)
      bands.forEach(({ x, width }, i) => {
        const next = bands[i + 1]?.x ?? plot.x + plot.width
        assert.ok(Math.abs(x + width - next) < 0.11, `month ${i} ends where the next one begins`)
      })
    }),
  )
})

test('a chart without amounts has axes alone', async (t) => {
  const { line, area, ticks, names } = layOutLine({
    amounts: [],
    months: [{ name: '2026-01', dayCount: 31 }],
  })
  t.same([line, area], ['', ''])
  t.same(
    ticks.map(({ text }) => text),
    ['0', '1'],
  )
  t.same(
    names.map(({ text }) => text),
    ['2026-01'],
  )
})
