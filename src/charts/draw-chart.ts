import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { Bar, BarChart } from './bar-chart.js'

/**
 * The chart as an `svg` element that holds neither style nor script nor colours that mean anything:
 * a style sheet gives those, by the classes `incoming_marks` and `outgoing_marks` of the bars and
 * `role-axis` of what is beside them. It says nothing to a screen reader; what it shows has to
 * stand beside it in words.
 */
export async function drawChart(chart: BarChart): Promise<string> {
  const { spec } = compile(specOf(chart))
  const view = new View(parse(spec), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

function specOf({ shape, bars }: BarChart): TopLevelSpec {
  const isColumns = shape === 'columns'
  const names = bars.map(({ name }) => name)
  const band = { field: 'name', type: 'ordinal', sort: names, title: null } as const
  const labels = isColumns
    ? ({ labelAngle: 0, labelOverlap: 'greedy' } as const)
    : ({ labelLimit: LABEL_WIDTH } as const)
  const length = { type: 'quantitative', title: null, axis: { format: '~s' } } as const
  const layerOf = (field: keyof Bar): object => ({
    name: field,
    mark: { type: 'bar', aria: false },
    encoding: isColumns
      ? { x: { ...band, axis: labels }, y: { ...length, field } }
      : { y: { ...band, axis: labels }, x: { ...length, field } },
  })
  const spec: unknown = {
    background: null,
    padding: 4,
    width: CHART_WIDTH,
    height: isColumns ? CHART_COLUMNS_HEIGHT : CHART_ROW_HEIGHT * Math.max(1, bars.length),
    data: { values: bars },
    layer: [layerOf('incoming'), layerOf('outgoing')],
    config: { aria: false, view: { stroke: null }, axis: { labelFontSize: 13, tickCount: 5 } },
  }
  // The library's own type knows each of several hundred forms; this is one of them.
  return spec as TopLevelSpec
}

// Pixels: what a page has beside its navigation, and what a phone shows by scrolling.
const CHART_WIDTH = 760
const CHART_COLUMNS_HEIGHT = 240
const CHART_ROW_HEIGHT = 28

/** Pixels; a longer name ends with dots, and stands whole in the table beside. */
const LABEL_WIDTH = 170
