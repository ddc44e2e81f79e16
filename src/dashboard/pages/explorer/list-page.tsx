import type { ComponentChildren, VNode } from '../../../browser/jsx.js'
import { countedText, countText } from '../../../count-text.js'
import type { Suggestion } from '../../../domain/suggestion.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import type { CurrencySum } from '../../../query/sums.js'
import { termsOf } from '../../../text/normal-forms.js'
import { csvDownloads } from '../../csv-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { EmptyState } from '../../elements/empty-state.js'
import { CURRENCIES_SHOWN_MAX, MoreCurrencies } from '../../elements/listed-currencies.js'
import { Panel } from '../../elements/panel.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { CallPanel } from './call-panel.js'
import { EXPORTED_ROWS_MAX } from './csv-columns.js'
import { explorerPath } from './explorer-paths.js'
import { explorerView, FaultNotice } from './explorer-view.js'
import { EXPLORED_ROWS_DEFAULT, FilterForm } from './filter-form.js'
import { type FilterValues, urlWith } from './filter-values.js'
import { callFiltered } from './filtered-call.js'
import { type RestAnswer, sumsOfAnswer } from './operator-call.js'
import { listRequest } from './rest-request.js'
import { RowsPage } from './rows-page.js'
import { DidYouMean, meantBy } from './suggestions.js'
import { transactionColumns } from './transaction-cells.js'

/** The list of a workspace's transactions, filtered and searched. */
export const LIST_PAGE: DashboardPage = {
  path: explorerPath(':workspaceId'),
  show: showList,
}

async function showList(context: DashboardContext): Promise<View> {
  const call = await callFiltered(context, pageRequest)
  if ('body' in call) return call
  const { values, snapshot, request, answer, faults } = call
  const { workspaceId } = snapshot
  const found =
    answer === undefined
      ? undefined
      : {
          ...{ answer, request, values },
          sums: await sumsOfAnswer(context, request, answer),
          meant: answer.page?.total === 0 ? await meantBy(context, workspaceId, values) : [],
        }
  return explorerView({
    ...{ workspaceId, view: 'list', values, faults },
    lead: 'The transactions of this workspace, as the API returns them.',
    scripts: ['suggest.js'],
    body: (
      <>
        <FaultNotice query={context.query} />
        <FilterForm
          {...{ values, faults, snapshot }}
          path={explorerPath(workspaceId)}
          text={{ label: 'Search for', hint: HINT }}
          button="Search"
          isSorted
          suggestions={explorerPath(workspaceId, 'suggestions')}
        />
        {found === undefined ? null : <Found workspaceId={workspaceId} {...found} />}
      </>
    ),
  })
}

function pageRequest(values: FilterValues): OperationRequest {
  const limit = values.limit ?? String(EXPLORED_ROWS_DEFAULT)
  return listRequest({ ...values, limit, customSchema: undefined })
}

const HINT = 'Words or parts of words, in names, purposes, references, IBANs and categories.'

interface FoundProps {
  readonly workspaceId: string
  readonly values: FilterValues
  readonly request: OperationRequest
  readonly answer: RestAnswer
  readonly sums: readonly CurrencySum[]
  /** What may be meant, if nothing was found. */
  readonly meant: readonly Suggestion[]
}

function Found({ workspaceId, values, request, answer, sums, meant }: FoundProps): VNode {
  const { limit, total } = answer.page ?? { limit: 0, total: 0 }
  const terms = termsOf(values.query ?? '')
  const csv = urlWith(explorerPath(workspaceId, 'csv'), values, UNPAGED)
  const json = urlWith(explorerPath(workspaceId, 'json'), values, {
    limit: String(limit),
    customSchema: undefined,
  })
  if (total === 0) {
    return (
      <>
        <NothingFound>
          <DidYouMean {...{ workspaceId, values }} suggestions={meant} />
        </NothingFound>
        <CallPanel {...{ workspaceId, request }} />
      </>
    )
  }
  return (
    <>
      <Panel title={countedText(total, 'transaction')} id="found">
        <Table
          caption="Sums by currency"
          columns={SUM_COLUMNS}
          rows={sums.slice(0, CURRENCIES_SHOWN_MAX)}
        />
        <MoreCurrencies count={sums.length} />
      </Panel>
      <Panel title="Transactions">
        <RowsPage
          {...{ answer, values }}
          caption="Transactions"
          columns={transactionColumns(workspaceId, terms)}
          path={explorerPath(workspaceId)}
        />
      </Panel>
      <CallPanel
        {...{ workspaceId, request }}
        downloads={[...csvDownloads(csvText(total), csv), { text: 'This page as JSON', to: json }]}
      />
    </>
  )
}

const UNPAGED = { offset: undefined, limit: undefined, customSchema: undefined }

/** The link text of a download of that many transactions. */
export function csvText(total: number): string {
  if (total <= EXPORTED_ROWS_MAX) return `All ${countText(total)} as CSV`
  return `The first ${countText(EXPORTED_ROWS_MAX)} as CSV`
}

const SUM_COLUMNS: readonly Column<CurrencySum>[] = [
  { heading: 'Currency', isRowHeading: true, cell: ({ currency }) => currency },
  { heading: 'Transactions', kind: 'number', cell: ({ count }) => countText(count) },
  { heading: 'In', kind: 'number', cell: ({ incoming }) => <SumText sum={incoming} /> },
  { heading: 'Out', kind: 'number', cell: ({ outgoing }) => <SumText sum={outgoing} /> },
  {
    heading: 'Total',
    kind: 'number',
    cell: ({ incoming, outgoing }) => <SumText sum={incoming + outgoing} />,
  },
]

function NothingFound({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <EmptyState title="No transactions found">
      {children}
      <p>
        A search finds transactions that contain every word exactly as typed and pass every filter.
        For a reference with possible typos, use Match.
      </p>
    </EmptyState>
  )
}
