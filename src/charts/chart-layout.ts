import type { Bar, BarChart } from './bar-chart.js'

/** Positions of all parts of a chart, in pixels from its upper left corner. */
export interface ChartLayout {
  readonly width: number
  readonly height: number
  readonly bars: readonly BarBox[]
  /** Lines across the plot at round amounts, in ascending order; one of them is at 0. */
  readonly ticks: readonly AxisLabel[]
  /** Names of the bars, in their order; for columns, as many as fit next to each other. */
  readonly names: readonly AxisLabel[]
  /** The part of the chart that bars and lines take. */
  readonly plot: Box
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A bar of non-zero length. */
export interface BarBox extends Box {
  readonly direction: 'incoming' | 'outgoing'
}

export interface AxisLabel {
  /** From the left on a horizontal axis, from above on a vertical one. */
  readonly position: number
  readonly text: string
}

/**
 * Lays a chart out. Columns grow upwards from 0 for incoming amounts and downwards for outgoing
 * ones, rows to the right and to the left.
 */
export function layOutChart({ shape, bars }: BarChart): ChartLayout {
  const isColumns = shape === 'columns'
  const amounts = ticksOver(bars)
  const [least = 0, greatest = 0] = [amounts[0], amounts.at(-1)]
  const plot = isColumns
    ? { ...COLUMNS_AT, width: RIGHT - COLUMNS_AT.x, height: COLUMNS_HEIGHT }
    : { ...ROWS_AT, width: RIGHT - ROWS_AT.x, height: ROW_HEIGHT * Math.max(1, bars.length) }
  const scale = (isColumns ? plot.height : plot.width) / (greatest - least)
  const along = (amount: number): number =>
    isColumns ? plot.y + (greatest - amount) * scale : plot.x + (amount - least) * scale
  const step = (isColumns ? plot.width : plot.height) / Math.max(1, bars.length)
  const begin = isColumns ? plot.x : plot.y
  return {
    width: plot.x + plot.width + MARGIN,
    height: plot.y + plot.height + NAMES_HEIGHT,
    bars: bars.flatMap((bar, i) => {
      const across = { at: begin + (i + GAP_SHARE / 2) * step, breadth: step * (1 - GAP_SHARE) }
      return boxesOf(bar, isColumns, across, along)
    }),
    ticks: amounts.map((amount) => ({ position: along(amount), text: amountText(amount) })),
    names: namesOf(bars, isColumns, (i) => begin + (i + 0.5) * step),
    plot,
  }
}

/** The incoming and the outgoing bar of a group, unless their length is 0. */
function boxesOf(
  bar: Bar,
  isColumns: boolean,
  { at, breadth }: { readonly at: number; readonly breadth: number },
  along: (amount: number) => number,
): BarBox[] {
  return (['incoming', 'outgoing'] as const).flatMap((direction) => {
    const [from, to] = [along(0), along(bar[direction])]
    const [begin, length] = [Math.min(from, to), Math.abs(to - from)]
    if (length === 0) return []
    return isColumns
      ? [{ direction, x: at, y: begin, width: breadth, height: length }]
      : [{ direction, x: begin, y: at, width: length, height: breadth }]
  })
}

function namesOf(
  bars: readonly Bar[],
  isColumns: boolean,
  positionOf: (place: number) => number,
): AxisLabel[] {
  const stride = isColumns ? Math.ceil(bars.length / COLUMN_NAMES_MAX) : 1
  return bars.flatMap(({ name }, i) => {
    if (i % stride !== 0) return []
    const isLong = !isColumns && name.length > ROW_NAME_MAX
    return [
      { position: positionOf(i), text: isLong ? `${name.slice(0, ROW_NAME_MAX - 1)}…` : name },
    ]
  })
}

/** Round amounts, ascending, from the greatest one at or below all bars to the least one above. */
function ticksOver(bars: readonly Bar[]): number[] {
  const least = bars.reduce((amount, { outgoing }) => Math.min(amount, outgoing), 0)
  const greatest = bars.reduce((amount, { incoming }) => Math.max(amount, incoming), 0)
  const step = roundStep((greatest - least) / TICK_COUNT)
  const [first, last] = [Math.floor(least / step), Math.max(1, Math.ceil(greatest / step))]
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** The greatest of 1, 2 and 5 times a power of ten that is at most the length; 1 for length 0. */
function roundStep(length: number): number {
  if (length === 0) return 1
  const power = 10 ** Math.floor(Math.log10(length))
  const factor = [5, 2].find((one) => one * power <= length) ?? 1
  return factor * power
}

function amountText(amount: number): string {
  // -0 prints as a text of its own, and a hyphen is no minus sign.
  return AMOUNTS.format(amount + 0).replace('-', '−')
}

const AMOUNTS = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

// Pixels: the width of a page next to its navigation; a phone scrolls.
const RIGHT = 840
const COLUMNS_HEIGHT = 240
const ROW_HEIGHT = 28
const MARGIN = 20
/** Below the plot: a line of text. */
const NAMES_HEIGHT = 28
const COLUMNS_AT = { x: 60, y: 10 }
const ROWS_AT = { x: 180, y: 4 }

/** Share of a bar's room that stays empty. */
const GAP_SHARE = 0.15
/** Approximate minimum of round amounts. */
const TICK_COUNT = 5
/** Maximum names of columns, as `2026-01`, next to each other. */
const COLUMN_NAMES_MAX = 10
/** Maximum letters of a name; the table next to the chart has the whole name. */
const ROW_NAME_MAX = 24
