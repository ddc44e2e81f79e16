import type { Integration } from '../../../admin/integrations.js'
import type { VNode } from '../../../browser/jsx.js'
import { AccountsText, ActiveBadge, ScopesText } from '../../elements/grant-texts.js'
import { Link } from '../../elements/link.js'
import { type Column, Table } from '../../elements/table.js'
import { integrationPath, KIND_NAMES, workspaceIntegrationsPath } from './integration-paths.js'

const COLUMNS: readonly Column<Integration>[] = [
  {
    heading: 'Integration',
    isRowHeading: true,
    cell: (row) => <Link to={integrationPath(row)}>{row.name}</Link>,
  },
  {
    heading: 'Workspace',
    cell: ({ workspaceId }) => (
      <Link to={workspaceIntegrationsPath(workspaceId)}>{workspaceId}</Link>
    ),
  },
  { heading: 'Type', cell: ({ kind }) => KIND_NAMES[kind] },
  { heading: 'State', cell: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  { heading: 'Accounts', cell: ({ accountIds }) => <AccountsText ids={accountIds} /> },
]

/** Integrations, a row each. */
export function IntegrationTable({ all }: { readonly all: readonly Integration[] }): VNode {
  return <Table caption="Integrations" columns={COLUMNS} rows={all} />
}
