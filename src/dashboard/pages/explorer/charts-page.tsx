import type { VNode } from '../../../browser/jsx.js'
import { countedText } from '../../../count-text.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { LIST_LIMIT_MAX } from '../../../limits.js'
import type { Group, GroupField } from '../../../query/summary.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import { csvDownloads } from '../../csv-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { EmptyState } from '../../elements/empty-state.js'
import { CURRENCIES_SHOWN_MAX, MoreCurrencies } from '../../elements/listed-currencies.js'
import { Notice } from '../../elements/notice.js'
import { Tabs } from '../../elements/tabs.js'
import type { DashboardPage } from '../../page.js'
import { SUMS_REFRESH_SECONDS } from '../../pending-sums.js'
import type { View } from '../../reply.js'
import { CallPanel } from './call-panel.js'
import { type ChartBars, categoryChart, monthChart } from './chart-bars.js'
import { ChartFigure } from './chart-figure.js'
import { type ChartSums, categorySums, monthSums } from './chart-groups.js'
import { explorerPath } from './explorer-paths.js'
import { explorerView, FaultNotice } from './explorer-view.js'
import { FilterForm } from './filter-form.js'
import { type FilterValues, urlWith } from './filter-values.js'
import { callFiltered } from './filtered-call.js'
import { csvText } from './list-page.js'
import { type RestAnswer, sumsOfAnswer } from './operator-call.js'
import { listRequest } from './rest-request.js'
import { summedGroups } from './summary-call.js'

/** Sums of the transactions that pass the filters, by month and by category. */
export const CHARTS_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId', 'charts'),
  show: showCharts,
}

async function showCharts(context: DashboardContext): Promise<View> {
  const call = await callFiltered(context, (values) => rowsRequest(values, 0))
  if ('body' in call) return call
  const { values, snapshot, request, answer, faults } = call
  const { workspaceId } = snapshot
  const figures =
    answer === undefined ? undefined : await figuresOf(context, values, request, answer)
  const isAddedUp = figures === undefined || figures.charts !== undefined
  const view = explorerView({
    ...{ workspaceId, view: 'charts', values, faults },
    lead: 'Exact totals of money in and money out over all transactions that match the filters.',
    body: (
      <>
        <FaultNotice query={context.query} />
        <FilterForm
          {...{ values, faults, snapshot }}
          path={explorerPath(workspaceId, 'charts')}
          text={{ label: 'Search for', hint: 'Leave it empty to include everything.' }}
          button="Show"
        />
        {figures === undefined ? null : <Figures {...{ workspaceId, values, figures }} />}
      </>
    ),
  })
  return isAddedUp ? view : { ...view, refreshSeconds: SUMS_REFRESH_SECONDS }
}

/**
 * The request for the transactions to add up, of all currencies: the filter by currency chooses the
 * one that is shown. @param limit 0 = the hits alone
 */
function rowsRequest(values: FilterValues, limit: number): OperationRequest {
  return addedRequest({ ...values, currency: undefined }, limit)
}

/** The request for the transactions that pass the filters. */
function addedRequest(values: FilterValues, limit: number): OperationRequest {
  const all = { sortBy: undefined, order: undefined, customSchema: undefined }
  return listRequest({ ...values, ...all, limit: String(limit), offset: undefined })
}

interface TitledChart extends ChartBars {
  readonly title: string
  /** The kind of group. */
  readonly heading: string
}

interface ChartFigures {
  readonly currencies: readonly string[]
  readonly currency: string
  /** Transactions of all currencies. */
  readonly total: number
  /** Transactions that pass the filter by currency as well. */
  readonly filteredCount: number
  /** Empty when there are no transactions; undefined = the sums are being computed. */
  readonly charts: readonly TitledChart[] | undefined
}

async function figuresOf(
  context: DashboardContext,
  values: FilterValues,
  request: OperationRequest,
  answer: RestAnswer,
): Promise<ChartFigures> {
  const sums = await sumsOfAnswer(context, request, answer)
  const currencies = sums.map(({ currency }) => currency)
  const requested = values.currency
  const isKnown = requested !== undefined && currencies.includes(requested)
  const currency = isKnown ? requested : (currencies[0] ?? '')
  const { snapshot, page } = answer
  const total = page?.total ?? 0
  const ofCurrency = sums.find((sum) => sum.currency === requested)?.count ?? 0
  const filteredCount = requested === undefined ? total : ofCurrency
  const about = { currencies, currency, total, filteredCount }
  if (currencies.length === 0) return { ...about, charts: [] }
  const key = `${currency} ${request.hitsKey}`
  const grouped = await context.parts.chartSums.soon(snapshot, key, () =>
    chartSumsOf(context, snapshot, { ...values, currency }),
  )
  if (grouped === undefined) return { ...about, charts: undefined }
  const months = monthChart(monthSums(grouped.months))
  const categories = categoryChart(categorySums(grouped.categories), (id) =>
    categoryNameOf(snapshot, id),
  )
  return {
    ...about,
    charts: [
      { title: `By month, ${currency}`, heading: 'Month', ...months },
      { title: `By broad category, ${currency}`, heading: 'Category', ...categories },
    ],
  }
}

async function chartSumsOf(
  context: DashboardContext,
  snapshot: Snapshot,
  values: FilterValues,
): Promise<ChartSums> {
  const by = (groupBy: GroupField): Promise<readonly Group[]> =>
    summedGroups(context, snapshot, values, { groupBy })
  return { months: await by('month'), categories: await by('parentCategory') }
}

function categoryNameOf({ categories }: Snapshot, id: number): string {
  return categories.find((entry) => entry.id === id)?.name ?? String(id)
}

interface FiguresProps {
  readonly workspaceId: string
  readonly values: FilterValues
  readonly figures: ChartFigures
}

function Figures({ workspaceId, values, figures }: FiguresProps): VNode {
  const { currencies, currency, charts, total, filteredCount } = figures
  const path = explorerPath(workspaceId, 'charts')
  const csv = urlWith(explorerPath(workspaceId, 'csv'), values, { customSchema: undefined })
  // The requested currency may be none of the most frequent ones.
  const shown = new Set([...currencies.slice(0, CURRENCIES_SHOWN_MAX), currency])
  const tabs = [...shown].map((text) => ({
    text,
    to: urlWith(path, values, { currency: text }),
    isCurrent: text === currency,
  }))
  return (
    <>
      {total === 0 ? null : <p>{countedText(total, 'transaction')} in all currencies.</p>}
      {tabs.length < 2 ? null : <Tabs label="Currencies" tabs={tabs} />}
      <MoreCurrencies count={currencies.length} />
      {charts === undefined ? <Notice>The totals are being computed.</Notice> : null}
      {total === 0 ? (
        <EmptyState title="No data">
          <p>No transactions match the filters.</p>
        </EmptyState>
      ) : (
        charts?.map((chart) => <ChartFigure key={chart.heading} {...chart} />)
      )}
      <CallPanel
        workspaceId={workspaceId}
        request={addedRequest(values, LIST_LIMIT_MAX)}
        note="It returns the transactions that match the filters, page by page."
        downloads={filteredCount === 0 ? [] : csvDownloads(csvText(filteredCount), csv)}
      />
    </>
  )
}
