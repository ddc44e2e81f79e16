import type { VNode } from '../../../browser/jsx.js'
import { type BalanceSum, balanceSums } from '../../account-list.js'
import { countText } from '../../elements/count-text.js'
import { Link } from '../../elements/link.js'
import { Money } from '../../elements/money.js'
import { type Column, Table } from '../../elements/table.js'
import type { WorkspaceSummary } from '../../workspace-summary.js'
import { ConditionBadge } from './condition-badge.js'

const COLUMNS: readonly Column<WorkspaceSummary>[] = [
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
    cell: ({ content }) => <Sums sums={balanceSums(content?.accounts ?? [])} />,
  },
]

/** Workspaces, a row each. */
export function WorkspaceTable({ all }: { readonly all: readonly WorkspaceSummary[] }): VNode {
  return <Table caption="Workspaces" columns={COLUMNS} rows={all} />
}

/** The page of all workspaces. */
export const WORKSPACES_PATH = '/dashboard/workspaces'

/** The page of a workspace. */
export function workspacePagePath(workspaceId: string): string {
  return `${WORKSPACES_PATH}/${workspaceId}`
}

/** Sums of balances, a currency under the other. */
export function Sums({ sums }: { readonly sums: readonly BalanceSum[] }): VNode {
  if (sums.length === 0) return <>–</>
  return (
    <div class="sums">
      {sums.map(({ currency, sum }) => (
        <div key={currency}>
          {sum === undefined ? (
            `too large (${currency})`
          ) : (
            <Money amount={sum} currency={currency} />
          )}
        </div>
      ))}
    </div>
  )
}
