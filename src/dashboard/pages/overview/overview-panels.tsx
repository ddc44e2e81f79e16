import type { VNode } from '../../../browser/jsx.js'
import { countText } from '../../../count-text.js'
import { formatPeriod, parseDay } from '../../../instant.js'
import type { Group } from '../../../query/summary.js'
import { EmptyState } from '../../elements/empty-state.js'
import { Link } from '../../elements/link.js'
import { CURRENCIES_SHOWN_MAX, MoreCurrencies } from '../../elements/listed-currencies.js'
import { Panel } from '../../elements/panel.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import { Tabs } from '../../elements/tabs.js'
import { monthChart } from '../explorer/chart-bars.js'
import { ChartFigure } from '../explorer/chart-figure.js'
import { monthSums } from '../explorer/chart-groups.js'
import { explorerPath } from '../explorer/explorer-paths.js'
import { type FilterValues, urlWith } from '../explorer/filter-values.js'
import { workspacePagePath } from '../workspaces/workspace-table.js'
import { BalancePanel } from './balance-panel.js'
import { counterpartFilters, turnoverFilters, UNCATEGORIZED_FILTERS } from './overview-filters.js'
import type { BookedSums, OverviewSums } from './overview-sums.js'

interface OverviewPanelsProps {
  readonly workspaceId: string
  readonly sums: OverviewSums
  /** Of the transactions that came in lately. */
  readonly recent: { readonly filters: FilterValues; readonly note: VNode }
  /** The page that shows the panels, for the tabs of its currencies. */
  readonly path: string
}

/** What a bookkeeper looks at first; each figure leads to its transactions. */
export function OverviewPanels({ workspaceId, sums, recent, path }: OverviewPanelsProps): VNode {
  const { currencies, currency, booked, uncategorized } = sums
  const pathOf = (filters: FilterValues): string => urlWith(explorerPath(workspaceId), filters)
  const shown = new Set([...currencies.slice(0, CURRENCIES_SHOWN_MAX), currency])
  const tabs = [...shown].map((text) => ({
    text,
    to: urlWith(path, { currency: text }),
    isCurrent: text === currency,
  }))
  return (
    <>
      <div class="side-by-side">
        <Panel title="New transactions">
          {recent.note}
          <CurrencyTable
            {...{ pathOf, groups: sums.recent, filters: recent.filters }}
            caption="New transactions"
            nothing="Nothing came in."
          />
        </Panel>
        <Panel title="Without a category">
          <p class="soft">All transactions with neither a category nor a broad one.</p>
          <CurrencyTable
            {...{ pathOf, groups: uncategorized, filters: UNCATEGORIZED_FILTERS }}
            caption="Without a category"
            nothing="None is without a category."
          />
        </Panel>
      </div>
      {tabs.length < 2 ? null : <Tabs label="Currencies" tabs={tabs} />}
      <MoreCurrencies count={currencies.length} />
      {booked === undefined ? (
        <EmptyState title="No booked transactions yet">
          <p>
            Balances and months appear with the first transactions.{' '}
            <Link to={workspacePagePath(workspaceId)}>Import bank files</Link>
          </p>
        </EmptyState>
      ) : (
        <BookedPanels {...{ workspaceId, booked, currency, pathOf }} />
      )}
    </>
  )
}

interface BookedPanelsProps {
  readonly workspaceId: string
  readonly booked: BookedSums
  readonly currency: string
  readonly pathOf: (filters: FilterValues) => string
}

function BookedPanels(props: BookedPanelsProps): VNode {
  const { workspaceId, booked, currency, pathOf } = props
  const { latestMs, months, payers, payees, balance } = booked
  const latest = formatPeriod(latestMs, 'month')
  const monthPath = (month: string): string | undefined => {
    const monthMs = parseDay(`${month}-01`)
    return monthMs === undefined ? undefined : pathOf({ ...turnoverFilters(monthMs), currency })
  }
  const filters = { ...turnoverFilters(latestMs), currency }
  return (
    <>
      <BalancePanel {...{ workspaceId, currency, latestMs, balance, pathOf }} />
      <ChartFigure
        title={`In and out by month, ${currency}`}
        heading="Month"
        {...monthChart(monthSums(months))}
        omission="Without transfers between own accounts."
        pathOf={monthPath}
      />
      <div class="side-by-side">
        <Panel title={`Largest payers in ${latest}`}>
          <Counterparts {...{ pathOf, filters }} groups={payers} direction="incoming" />
        </Panel>
        <Panel title={`Largest payees in ${latest}`}>
          <Counterparts {...{ pathOf, filters }} groups={payees} direction="outgoing" />
        </Panel>
      </div>
    </>
  )
}

interface CurrencyTableProps {
  readonly caption: string
  readonly groups: readonly Group[]
  readonly filters: FilterValues
  readonly pathOf: (filters: FilterValues) => string
  /** Instead of an empty table. */
  readonly nothing: string
}

/** Sums by currency; the count of each leads to its transactions. */
function CurrencyTable(props: CurrencyTableProps): VNode {
  const { caption, groups, filters, pathOf, nothing } = props
  if (groups.length === 0) return <p>{nothing}</p>
  const columns: Column<Group>[] = [
    {
      heading: 'Transactions',
      isRowHeading: true,
      cell: ({ currency, count }) => (
        <Link to={pathOf({ ...filters, currency })}>
          {countText(count)} in {currency}
        </Link>
      ),
    },
    { heading: 'In', kind: 'number', cell: ({ incoming }) => <SumText sum={incoming} /> },
    { heading: 'Out', kind: 'number', cell: ({ outgoing }) => <SumText sum={outgoing} /> },
  ]
  return (
    <>
      <Table {...{ caption, columns }} rows={groups.slice(0, CURRENCIES_SHOWN_MAX)} />
      <MoreCurrencies count={groups.length} />
    </>
  )
}

interface CounterpartsProps {
  readonly groups: readonly Group[]
  readonly direction: 'incoming' | 'outgoing'
  /** Of the transactions of all counterparts. */
  readonly filters: FilterValues
  readonly pathOf: (filters: FilterValues) => string
}

function Counterparts({ groups, direction, filters, pathOf }: CounterpartsProps): VNode {
  const caption = direction === 'incoming' ? 'Largest payers' : 'Largest payees'
  if (groups.length === 0) return <p>None in this month.</p>
  const columns: Column<Group>[] = [
    {
      heading: 'Counterpart',
      isRowHeading: true,
      cell: ({ values: [counterpart] }) => {
        const own = counterpartFilters(counterpart)
        const name = counterpartName(counterpart)
        return own === undefined ? name : <Link to={pathOf({ ...filters, ...own })}>{name}</Link>
      },
    },
    { heading: 'Transactions', kind: 'number', cell: ({ count }) => countText(count) },
    {
      heading: direction === 'incoming' ? 'In' : 'Out',
      kind: 'number',
      cell: (group) => <SumText sum={group[direction]} />,
    },
  ]
  return <Table {...{ caption, columns }} rows={groups} />
}

function counterpartName(counterpart: Group['values'][number]): VNode | string {
  if (typeof counterpart !== 'object') return 'No counterpart'
  return <bdi>{counterpart.name ?? counterpart.iban}</bdi>
}
