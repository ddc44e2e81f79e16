import type { VNode } from '../../../browser/jsx.js'
import { countText } from '../../../count-text.js'
import type { BalanceSum } from '../../account-sums.js'
import { Link } from '../../elements/link.js'
import { CURRENCIES_SHOWN_MAX, MoreCurrencies } from '../../elements/listed-currencies.js'
import { SumText } from '../../elements/sum-text.js'
import { type Column, Table } from '../../elements/table.js'
import type { SummedWorkspace } from '../../workspace-summary.js'
import { ConditionBadge } from './condition-badge.js'

const COLUMNS: readonly Column<SummedWorkspace>[] = [
  {
    heading: 'Workspace',
    isRowHeading: true,
    cell: ({ workspaceId }) => <Link to={workspacePagePath(workspaceId)}>{workspaceId}</Link>,
  },
  {
    heading: 'State',
    cell: ({ condition }) => <ConditionBadge condition={condition} />,
  },
  {
    heading: 'Accounts',
    kind: 'number',
    cell: ({ content }) => (content === undefined ? '–' : countText(content.accounts.length)),
  },
  {
    heading: 'Transactions',
    kind: 'number',
    cell: ({ content }) => (content === undefined ? '–' : countText(content.rowCount)),
  },
  {
    heading: 'Balance',
    kind: 'number',
    cell: ({ balances }) => <Sums sums={balances} />,
  },
]

/** Workspaces, a row each. */
export function WorkspaceTable({ all }: { readonly all: readonly SummedWorkspace[] }): VNode {
  return <Table caption="Workspaces" columns={COLUMNS} rows={all} />
}

/** The page of all workspaces. */
export const WORKSPACES_PATH = '/dashboard/workspaces'

/** The page of a workspace. */
export function workspacePagePath(workspaceId: string): string {
  return `${WORKSPACES_PATH}/${workspaceId}`
}

/** Sums of balances, a currency under the other; of many currencies, the first. */
export function Sums({ sums }: { readonly sums: readonly BalanceSum[] }): VNode {
  if (sums.length === 0) return <>–</>
  return (
    <div class="sums">
      {sums.slice(0, CURRENCIES_SHOWN_MAX).map(({ currency, sum }) => (
        <div key={currency}>
          <SumText sum={sum} currency={currency} />
        </div>
      ))}
      <MoreCurrencies count={sums.length} />
    </div>
  )
}
