import type { ComponentChildren, VNode } from '../../../browser/jsx.js'
import type { Box } from '../../../charts/chart-layout.js'
import type { AxisLabel } from '../../../charts/ticks.js'
import { linkTo } from '../../dashboard-context.js'
import { usePageContext } from '../../layout/page-context.js'

interface AxesProps {
  readonly ticks: readonly AxisLabel[]
  readonly names: readonly AxisLabel[]
  readonly plot: Box
}

/** Amounts at the left, names below. */
export function ColumnAxes({ ticks, names, plot }: AxesProps): VNode {
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
export function RowAxes({ ticks, names, plot }: AxesProps): VNode {
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

/** A group of a chart as a link to its transactions. */
export interface ChartLink {
  /** A path as in routes.ts, and a query. */
  readonly to: string
  readonly label: string
}

interface BandLinksProps {
  /** In the order of the links. */
  readonly bands: readonly Box[]
  /** undefined = the group has none. */
  readonly links: readonly (ChartLink | undefined)[]
}

/** Links over the parts of a plot. */
export function BandLinks({ bands, links }: BandLinksProps): VNode {
  const context = usePageContext()
  return (
    <g class="bands">
      {bands.map((band, i) => {
        const link = links[i]
        if (link === undefined) return null
        return (
          <a key={link.to} href={linkTo(context, link.to)} aria-label={link.label}>
            <title>{link.label}</title>
            <rect {...band} />
          </a>
        )
      })}
    </g>
  )
}

interface ChartScrollProps {
  readonly title: string
  /** Whether it is scrolled to its end at first, where the latest months are. */
  readonly isFromEnd: boolean
  readonly children: ComponentChildren
}

/** A drawing scrolls on a narrow screen, so it must be reachable by keyboard. */
export function ChartScroll({ title, isFromEnd, children }: ChartScrollProps): VNode {
  const names = isFromEnd ? 'chart-scroll from-end' : 'chart-scroll'
  return (
    <div class={names} {...{ role: 'region', tabIndex: 0, 'aria-label': `${title}, chart` }}>
      {children}
    </div>
  )
}
