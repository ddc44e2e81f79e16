import type { VNode } from '../../../browser/jsx.js'
import { countText } from '../../../count-text.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import { BarDrawing } from './bar-drawing.js'
import type { ChartBars } from './chart-bars.js'
import type { GroupSum } from './chart-groups.js'
import { ChartScroll } from './chart-parts.js'

interface ChartFigureProps extends ChartBars {
  readonly title: string
  /** The kind of group. */
  readonly heading: string
  /** The list of a group's transactions, as a path of routes.ts; undefined = there is none. */
  readonly pathOf?: (key: string) => string | undefined
}

/** A chart with its title, a description in words, and its figures as a table. */
export function ChartFigure(props: ChartFigureProps): VNode {
  const { title, heading, chart, rows, omission, pathOf } = props
  const links = pathOf && chart.bars.map(({ name }) => linkOf(name, pathOf(name)))
  return (
    <Panel title={title}>
      <figure class="chart">
        <ChartScroll title={title} isFromEnd={chart.shape === 'columns'}>
          <BarDrawing chart={chart} label={textOf(heading, rows)} links={links} />
        </ChartScroll>
        <figcaption>
          <span class="chart-key">
            <span class="swatch incoming" /> In <span class="swatch outgoing" /> Out
          </span>
          {omission === undefined ? null : <span class="soft"> {omission}</span>}
        </figcaption>
      </figure>
      <details>
        <summary>Data</summary>
        <Table caption={title} columns={columnsOf(heading, pathOf)} rows={rows} />
      </details>
    </Panel>
  )
}

function linkOf(name: string, to: string | undefined) {
  return to === undefined ? undefined : { to, label: `Transactions of ${name}` }
}

/** The content of the chart, for screen readers. */
function textOf(heading: string, rows: readonly GroupSum<string>[]): string {
  const count = countText(rows.length)
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  const range = first === last ? first : `${first} to ${last}`
  const bars = `Bars of money in and money out by ${heading.toLowerCase()}`
  return `${bars}, ${count} of them: ${range}. The table below has the amounts.`
}

function columnsOf(
  heading: string,
  pathOf: ChartFigureProps['pathOf'],
): Column<GroupSum<string>>[] {
  const nameOf = (key: string): VNode | string => {
    const to = pathOf?.(key)
    return to === undefined ? key : <Link to={to}>{key}</Link>
  }
  return [
    { heading, isRowHeading: true, cell: ({ key }) => nameOf(key) },
    { heading: 'Transactions', kind: 'number', cell: ({ count }) => countText(count) },
    { heading: 'In', kind: 'number', cell: ({ incoming }) => <SumText sum={incoming} /> },
    { heading: 'Out', kind: 'number', cell: ({ outgoing }) => <SumText sum={outgoing} /> },
  ]
}
