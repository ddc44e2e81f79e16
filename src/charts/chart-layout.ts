import type { Bar, BarChart } from './bar-chart.js'
import { type AxisLabel, amountText, columnNames, ticksBetween } from './ticks.js'

/** Positions of all parts of a chart, in pixels from its upper left corner. */
export interface ChartLayout {
  readonly width: number
  readonly height: number
  readonly bars: readonly BarBox[]
  /** Lines across the plot at round amounts, in ascending order; one of them is at 0. */
  readonly ticks: readonly AxisLabel[]
  /** Names of the bars, in their order; for columns, as many as fit next to each other. */
  readonly names: readonly AxisLabel[]
  /** The band of each group in the plot, in the order of the bars. */
  readonly bands: readonly Box[]
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

/**
 * Lays a chart out. Columns grow upwards from 0 for incoming amounts and downwards for outgoing
 * ones, rows to the right and to the left.
 */
export function layOutChart({ shape, bars }: BarChart): ChartLayout {
  const isColumns = shape === 'columns'
  const amounts = ticksOver(bars)
  const [least = 0, greatest = 0] = [amounts[0], amounts.at(-1)]
  const plot = isColumns
    ? COLUMNS_PLOT
    : { ...ROWS_AT, width: RIGHT - ROWS_AT.x, height: ROW_HEIGHT * Math.max(1, bars.length) }
  const scale = (isColumns ? plot.height : plot.width) / (greatest - least)
  const along = (amount: number): number =>
    isColumns ? plot.y + (greatest - amount) * scale : plot.x + (amount - least) * scale
  const step = (isColumns ? plot.width : plot.height) / Math.max(1, bars.length)
  const begin = isColumns ? plot.x : plot.y
  return {
    ...sizeAround(plot),
    bars: bars.flatMap((bar, i) => {
      const across = { at: begin + (i + GAP_SHARE / 2) * step, breadth: step * (1 - GAP_SHARE) }
      return boxesOf(bar, isColumns, across, along)
    }),
    ticks: amounts.map((amount) => ({ position: along(amount), text: amountText(amount) })),
    names: namesOf(bars, isColumns, (i) => begin + (i + 0.5) * step),
    bands: bars.map((_, i) =>
      isColumns
        ? { ...plot, x: begin + i * step, width: step }
        : { ...plot, y: begin + i * step, height: step },
    ),
    plot,
  }
}

/** Width and height of a chart of columns. */
export function columnsSize(): Pick<ChartLayout, 'width' | 'height'> {
  return sizeAround(COLUMNS_PLOT)
}

function sizeAround({ x, y, width, height }: Box): Pick<ChartLayout, 'width' | 'height'> {
  return { width: x + width + MARGIN, height: y + height + NAMES_HEIGHT }
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
  const names = bars.map(({ name }) => name)
  if (isColumns) return columnNames(names, positionOf)
  return names.map((name, i) => {
    const text = name.length > ROW_NAME_MAX ? `${name.slice(0, ROW_NAME_MAX - 1)}…` : name
    return { position: positionOf(i), text }
  })
}

function ticksOver(bars: readonly Bar[]): number[] {
  return ticksBetween(
    bars.reduce((amount, { outgoing }) => Math.min(amount, outgoing), 0),
    bars.reduce((amount, { incoming }) => Math.max(amount, incoming), 0),
  )
}

// Pixels: the width of a page next to its navigation; a phone scrolls.
const RIGHT = 840
const ROW_HEIGHT = 28
const MARGIN = 20
/** Below the plot: a line of text. */
const NAMES_HEIGHT = 28
const ROWS_AT = { x: 180, y: 4 }

/** The plot of columns. */
export const COLUMNS_PLOT: Box = { x: 60, y: 10, width: RIGHT - 60, height: 240 }

/** Share of a bar's band that stays empty. */
const GAP_SHARE = 0.15
/** Maximum letters of a name; the table next to the chart has the whole name. */
const ROW_NAME_MAX = 24
