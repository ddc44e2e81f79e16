import type { VNode } from '../../../browser/jsx.js'
import type { BarChart } from '../../../charts/bar-chart.js'
import { countText } from '../../elements/count-text.js'
import { Panel } from '../../elements/panel.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import { BarDrawing } from './bar-drawing.js'
import type { ChartBars } from './chart-bars.js'
import type { GroupSum } from './chart-groups.js'

interface ChartFigureProps extends ChartBars {
  readonly title: string
  /** The kind of group. */
  readonly heading: string
}

/** A chart with its title, a description in words, and its figures as a table. */
export function ChartFigure({ title, heading, chart, rows, omission }: ChartFigureProps): VNode {
  return (
    <Panel title={title}>
      <figure class="chart">
        <Drawing title={title} chart={chart} text={textOf(heading, rows)} />
        <figcaption>
          <span class="chart-key">
            <span class="swatch incoming" /> In <span class="swatch outgoing" /> Out
          </span>
          {omission === undefined ? null : <span class="soft"> {omission}</span>}
        </figcaption>
      </figure>
      <details>
        <summary>Data</summary>
        <Table caption={title} columns={columnsOf(heading)} rows={rows} />
      </details>
    </Panel>
  )
}

interface DrawingProps {
  readonly title: string
  readonly chart: BarChart
  readonly text: string
}

/** It scrolls on a narrow screen, so it must be reachable by keyboard. */
function Drawing({ title, chart, text }: DrawingProps): VNode {
  return (
    <div class="chart-scroll" {...{ role: 'region', tabIndex: 0, 'aria-label': `${title}, chart` }}>
      <BarDrawing chart={chart} label={text} />
    </div>
  )
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

function columnsOf(heading: string): Column<GroupSum<string>>[] {
  return [
    { heading, isRowHeading: true, cell: ({ key }) => key },
    { heading: 'Transactions', kind: 'number', cell: ({ count }) => countText(count) },
    { heading: 'In', kind: 'number', cell: ({ incoming }) => <SumText sum={incoming} /> },
    { heading: 'Out', kind: 'number', cell: ({ outgoing }) => <SumText sum={outgoing} /> },
  ]
}
