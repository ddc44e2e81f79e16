import type { VNode } from '../../../browser/jsx.js'
import type { BarChart } from '../../../charts/bar-chart.js'
import { layOutChart } from '../../../charts/chart-layout.js'
import { BandLinks, type ChartLink, ColumnAxes, RowAxes } from './chart-parts.js'

interface BarDrawingProps {
  readonly chart: BarChart
  /** The content of the chart in words. */
  readonly label: string
  /** Where the bars lead, in their order; absent = nowhere. */
  readonly links?: readonly (ChartLink | undefined)[] | undefined
}

/** A chart as SVG: one picture to a screen reader, which its label describes; or its links. */
export function BarDrawing({ chart, label, links }: BarDrawingProps): VNode {
  const { width, height, bars, ticks, names, bands, plot } = layOutChart(chart)
  const axes = { ticks, names, plot }
  const role = links === undefined ? 'img' : 'group'
  return (
    <svg role={role} aria-label={label} viewBox={`0 0 ${width} ${height}`} {...{ width, height }}>
      {chart.shape === 'columns' ? <ColumnAxes {...axes} /> : <RowAxes {...axes} />}
      {bars.map(({ direction, ...box }) => (
        <rect key={`${direction} ${box.x} ${box.y}`} class={`${direction}-bar`} {...box} />
      ))}
      {links === undefined ? null : <BandLinks {...{ bands, links }} />}
    </svg>
  )
}
