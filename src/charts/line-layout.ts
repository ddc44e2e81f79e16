import { type Box, COLUMNS_PLOT, columnsSize } from './chart-layout.js'
import type { LineChart } from './line-chart.js'
import { type AxisLabel, amountText, columnNames, ticksBetween } from './ticks.js'

/** Positions of all parts of a line chart, in pixels from its upper left corner. */
export interface LineLayout {
  readonly width: number
  readonly height: number
  /** The line, as the commands of an SVG path: each day is a level. */
  readonly line: string
  /** The area between the line and 0, likewise. */
  readonly area: string
  /** Lines across the plot at round amounts, in ascending order; one of them is at 0. */
  readonly ticks: readonly AxisLabel[]
  /** Names of the months, as many as fit. */
  readonly names: readonly AxisLabel[]
  /** The band of each month, in their order. */
  readonly bands: readonly Box[]
  readonly plot: Box
}

/** Lays a line out over the same plot as columns, so that both can stand below each other. */
export function layOutLine({ amounts, months }: LineChart): LineLayout {
  const plot = COLUMNS_PLOT
  const ticks = ticksBetween(Math.min(0, ...amounts), Math.max(0, ...amounts))
  const [least = 0, greatest = 0] = [ticks[0], ticks.at(-1)]
  const yOf = (amount: number): number =>
    rounded(plot.y + ((greatest - amount) * plot.height) / (greatest - least))
  const starts = months.map((_, i) =>
    months.slice(0, i).reduce((days, { dayCount }) => days + dayCount, 0),
  )
  const dayCount = months.reduce((days, month) => days + month.dayCount, 0)
  const xOf = (day: number): number => rounded(plot.x + (day * plot.width) / Math.max(1, dayCount))
  const bands = months.map((month, i) => {
    const x = xOf(starts[i] ?? 0)
    const end = xOf((starts[i] ?? 0) + month.dayCount)
    return { x, y: plot.y, width: rounded(end - x), height: plot.height }
  })
  const line = lineOf(amounts.map(yOf), xOf)
  return {
    ...columnsSize(),
    line,
    area: line === '' ? '' : `${line}V${yOf(0)}H${xOf(0)}Z`,
    ticks: ticks.map((amount) => ({ position: yOf(amount), text: amountText(amount) })),
    names: columnNames(
      months.map(({ name }) => name),
      (i) => (bands[i]?.x ?? 0) + (bands[i]?.width ?? 0) / 2,
    ),
    bands,
    plot,
  }
}

/** @param levels one a day */
function lineOf(levels: readonly number[], xOf: (day: number) => number): string {
  const [first] = levels
  if (first === undefined) return ''
  const steps = levels.flatMap((level, day) =>
    day === 0 || level === levels[day - 1] ? [] : [`H${xOf(day)}V${level}`],
  )
  return `M${xOf(0)} ${first}${steps.join('')}H${xOf(levels.length)}`
}

/** A tenth of a pixel is seen by no one, and further digits are bytes of the page. */
function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
