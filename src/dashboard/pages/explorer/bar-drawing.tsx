import type { VNode } from '../../../browser/jsx.js'
import type { BarChart } from '../../../charts/bar-chart.js'
import { type AxisLabel, type Box, layOutChart } from '../../../charts/chart-layout.js'

interface BarDrawingProps {
  readonly chart: BarChart
  /** The content of the chart in words. */
  readonly label: string
}

/** A chart as SVG: one picture to a screen reader, which its label describes. */
export function BarDrawing({ chart, label }: BarDrawingProps): VNode {
  const { width, height, bars, ticks, names, plot } = layOutChart(chart)
  const axes = { ticks, names, plot }
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} {...{ width, height }}>
      {chart.shape === 'columns' ? <ColumnAxes {...axes} /> : <RowAxes {...axes} />}
      {bars.map(({ direction, ...box }) => (
        <rect key={`${direction} ${box.x} ${box.y}`} class={`${direction}-bar`} {...box} />
      ))}
    </svg>
  )
}

interface AxesProps {
  readonly ticks: readonly AxisLabel[]
  readonly names: readonly AxisLabel[]
  readonly plot: Box
}

/** Amounts at the left, names below. */
function ColumnAxes({ ticks, names, plot }: AxesProps): VNode {
  const { x, y, width, height } = plot
  return (
    <g class="axes">
      {ticks.map(({ position, text }) => (
        <g key={text}>
          <line class={classOf(text)} x1={x} y1={position} x2={x + width} y2={position} />
          <text {...{ x: x - LABEL_GAP, y: position, 'text-anchor': 'end', dy: MIDDLE }}>
            {text}
          </text>
        </g>
      ))}
      {names.map(({ position, text }) => (
        <text key={text} {...{ x: position, y: y + height, 'text-anchor': 'middle', dy: BELOW }}>
          {text}
        </text>
      ))}
    </g>
  )
}

/** Names at the left, amounts below. */
function RowAxes({ ticks, names, plot }: AxesProps): VNode {
  const { x, y, height } = plot
  return (
    <g class="axes">
      {ticks.map(({ position, text }) => (
        <g key={text}>
          <line class={classOf(text)} x1={position} y1={y} x2={position} y2={y + height} />
          <text {...{ x: position, y: y + height, 'text-anchor': 'middle', dy: BELOW }}>
            {text}
          </text>
        </g>
      ))}
      {names.map(({ position, text }) => (
        <text key={text} {...{ x: x - LABEL_GAP, y: position, 'text-anchor': 'end', dy: MIDDLE }}>
          {text}
        </text>
      ))}
    </g>
  )
}

function classOf(amountText: string): string | undefined {
  return amountText === '0' ? 'zero' : undefined
}

/** Pixels between the plot and the labels at its left. */
const LABEL_GAP = 8
/** From the middle of a text to its baseline. */
const MIDDLE = '0.35em'
/** From the plot to the baseline of a text below it. */
const BELOW = '1.4em'
