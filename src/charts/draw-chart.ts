import { transforms } from 'vega-dataflow'
import * as encoders from 'vega-encode'
import { parse } from 'vega-parser'
import * as dataTransforms from 'vega-transforms'
import { View } from 'vega-view'
import * as viewTransforms from 'vega-view-transforms'
import type { Bar, BarChart } from './bar-chart.js'

// What the package `vega` does, for the parts of it that bars and axes take: maps, forces, trees
// and clouds of words would be forty packages more.
Object.assign(transforms, dataTransforms, viewTransforms, encoders)

/**
 * The chart as an `svg` element that holds neither style nor script nor colours that mean anything:
 * a style sheet gives those, by the classes `incoming_marks` and `outgoing_marks` of the bars and
 * `role-axis` of what is beside them. It says nothing to a screen reader; what it shows has to
 * stand beside it in words.
 */
export async function drawChart(chart: BarChart): Promise<string> {
  const view = new View(parse(specOf(chart)), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

/** In Vega's own notation (vega.github.io/vega/docs). */
function specOf({ shape, bars }: BarChart): object {
  const isColumns = shape === 'columns'
  // Bars stand on the axis of names and grow along that of amounts.
  const [names, amounts] = isColumns ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const rangeOf = { x: [0, { signal: 'width' }], y: [0, { signal: 'height' }] }
  return {
    background: null,
    padding: 4,
    width: CHART_WIDTH,
    height: isColumns ? CHART_COLUMNS_HEIGHT : CHART_ROW_HEIGHT * Math.max(1, bars.length),
    style: 'cell',
    data: [{ name: 'bars', values: bars }],
    scales: [
      {
        ...{ name: names, type: 'band', domain: bars.map(({ name }) => name) },
        ...{ range: rangeOf[names], paddingInner: 0.1, paddingOuter: 0.05 },
      },
      {
        ...{ name: amounts, type: 'linear', domain: amountsOf(bars), nice: true, zero: true },
        range: isColumns ? [{ signal: 'height' }, 0] : rangeOf.x,
      },
    ],
    marks: [marksOf('incoming', names, amounts), marksOf('outgoing', names, amounts)],
    axes: axesOf(isColumns),
    config: {
      aria: false,
      axis: { labelFontSize: 13 },
      style: { cell: { stroke: null } },
    },
  }
}

/** The least and the greatest amount, 0 between them. */
function amountsOf(bars: readonly Bar[]): [number, number] {
  const least = bars.reduce((amount, { outgoing }) => Math.min(amount, outgoing), 0)
  const greatest = bars.reduce((amount, { incoming }) => Math.max(amount, incoming), 0)
  return [least, greatest]
}

type Scale = 'x' | 'y'

function marksOf(field: 'incoming' | 'outgoing', names: Scale, amounts: Scale): object {
  const breadth = names === 'x' ? 'width' : 'height'
  return {
    name: `${field}_marks`,
    type: 'rect',
    style: ['bar'],
    aria: false,
    from: { data: 'bars' },
    encode: {
      update: {
        fill: { value: '#4c78a8' },
        [names]: { scale: names, field: 'name' },
        [breadth]: { signal: `max(0.25, bandwidth('${names}'))` },
        [amounts]: { scale: amounts, field },
        [`${amounts}2`]: { scale: amounts, value: 0 },
      },
    },
  }
}

/** The lines of the grid, which have neither ticks nor labels, and both axes over them. */
function axesOf(isColumns: boolean): object[] {
  const bottom = { scale: 'x', orient: 'bottom', tickCount: 5, aria: false }
  const left = { scale: 'y', orient: 'left', tickCount: 5, aria: false }
  const bare = { domain: false, labels: false, ticks: false, maxExtent: 0, minExtent: 0 }
  const amounts = { format: '~s', labelOverlap: true }
  if (isColumns) {
    const labels = { labelAngle: 0, labelBaseline: 'top', labelOverlap: 'greedy' }
    return [
      { ...left, ...bare, grid: true, gridScale: 'x' },
      { ...bottom, ...labels },
      { ...left, ...amounts },
    ]
  }
  return [
    { ...bottom, ...bare, grid: true, gridScale: 'y' },
    { ...bottom, ...amounts, labelFlush: true },
    { ...left, labelLimit: LABEL_WIDTH },
  ]
}

// Pixels: what a page has beside its navigation, and what a phone shows by scrolling.
const CHART_WIDTH = 760
const CHART_COLUMNS_HEIGHT = 240
const CHART_ROW_HEIGHT = 28

/** Pixels; a longer name ends with dots, and stands whole in the table beside. */
const LABEL_WIDTH = 170
