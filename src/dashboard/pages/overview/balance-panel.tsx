import type { VNode } from '../../../browser/jsx.js'
import type { LineChart } from '../../../charts/line-chart.js'
import { layOutLine } from '../../../charts/line-layout.js'
import { countedText, countText } from '../../../count-text.js'
import { type EpochMs, formatPeriod } from '../../../instant.js'
import { formatSum } from '../../../money.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import { BandLinks, type ChartLink, ChartScroll, ColumnAxes } from '../explorer/chart-parts.js'
import type { FilterValues } from '../explorer/filter-values.js'
import { workspacePagePath } from '../workspaces/workspace-table.js'
import { dailyBalances, type MonthBalance } from './daily-balances.js'
import { monthFilters, OVERVIEW_MONTHS } from './overview-filters.js'
import type { BalanceSums } from './overview-sums.js'

interface BalancePanelProps {
  readonly workspaceId: string
  readonly currency: string
  readonly latestMs: EpochMs
  readonly balance: BalanceSums | undefined
  /** The list of the transactions that filters select. */
  readonly pathOf: (filters: FilterValues) => string
}

/** The balance over time, as a line and as a table of months. */
export function BalancePanel(props: BalancePanelProps): VNode {
  const { workspaceId, currency, latestMs, balance, pathOf } = props
  const title = `Balance, ${currency}`
  if (balance === undefined) {
    return (
      <Panel title={title}>
        <p class="soft">
          The line appears once a bank has reported a balance; if some accounts have none, only for
          up to 50 accounts.
        </p>
      </Panel>
    )
  }
  const { reported, accountCount, filters } = balance
  const { days, months } = dailyBalances(reported, balance.days, latestMs, OVERVIEW_MONTHS)
  const listOf = ({ monthMs }: MonthBalance): string =>
    pathOf({ ...filters, ...monthFilters(monthMs) })
  const chart = {
    amounts: days.map((sum) => Number(formatSum(sum))),
    months: months.map((month) => ({ name: nameOf(month), dayCount: month.dayCount })),
  }
  const links = months.map((month) => ({
    to: listOf(month),
    label: `Transactions of ${nameOf(month)}`,
  }))
  const accounts = countedText(accountCount, 'account')
  const present = (
    <Link to={workspacePagePath(workspaceId)}>
      <SumText sum={reported} currency={currency} />
    </Link>
  )
  return (
    <Panel title={title} aside={present}>
      <figure class="chart">
        <ChartScroll title={title} isFromEnd>
          <LineDrawing {...{ chart, links }} label={textOf(months)} />
        </ChartScroll>
        <figcaption class="soft">
          At the end of each day: the last balances that the banks reported, of {accounts}, minus
          everything booked after that day.
        </figcaption>
      </figure>
      <details>
        <summary>Data</summary>
        <Table caption={title} columns={columnsOf(listOf)} rows={months} />
      </details>
    </Panel>
  )
}

interface LineDrawingProps {
  readonly chart: LineChart
  readonly label: string
  /** Of the months, in their order. */
  readonly links: readonly ChartLink[]
}

function LineDrawing({ chart, label, links }: LineDrawingProps): VNode {
  const { width, height, line, area, ticks, names, bands, plot } = layOutLine(chart)
  return (
    <svg
      {...{ role: 'group', width, height }}
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
    >
      <path class="balance-area" d={area} />
      <ColumnAxes {...{ ticks, names, plot }} />
      <path class="balance-line" d={line} />
      <BandLinks {...{ bands, links }} />
    </svg>
  )
}

function nameOf({ monthMs }: MonthBalance): string {
  return formatPeriod(monthMs, 'month')
}

/** The content of the chart, for screen readers. */
function textOf(months: readonly MonthBalance[]): string {
  const [first, last] = [months[0], months.at(-1)].map((month) => month && nameOf(month))
  return `A line of the balance by day, ${first} to ${last}. The table below has the amounts.`
}

function columnsOf(listOf: (month: MonthBalance) => string): Column<MonthBalance>[] {
  return [
    {
      heading: 'Month',
      isRowHeading: true,
      cell: (month) => <Link to={listOf(month)}>{nameOf(month)}</Link>,
    },
    { heading: 'Transactions', kind: 'number', cell: ({ count }) => countText(count) },
    { heading: 'Change', kind: 'number', cell: ({ change }) => <SumText sum={change} /> },
    { heading: 'At its end', kind: 'number', cell: ({ closing }) => <SumText sum={closing} /> },
  ]
}
