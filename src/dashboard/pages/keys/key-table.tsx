import type { ApiKey } from '../../../admin/api-keys.js'
import type { VNode } from '../../../browser/jsx.js'
import { AccountsText, KeyStateBadge, ScopesText, WhenText } from '../../elements/grant-texts.js'
import { Link } from '../../elements/link.js'
import { type Column, Table } from '../../elements/table.js'

/** The keys of a workspace. */
export function workspaceKeysPath(workspaceId: string): string {
  return `/dashboard/workspaces/${workspaceId}/keys`
}

/** The page of one key. */
export function keyPath({ workspaceId, id }: Pick<ApiKey, 'workspaceId' | 'id'>): string {
  return `${workspaceKeysPath(workspaceId)}/${id}`
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  /** Whether the keys are of several workspaces. */
  readonly namesWorkspace?: boolean
}

/** API keys, a row each. */
export function KeyTable({ keys, namesWorkspace = false }: KeyTableProps): VNode {
  const workspace: Column<ApiKey> = {
    heading: 'Workspace',
    cell: ({ workspaceId }) => <Link to={workspaceKeysPath(workspaceId)}>{workspaceId}</Link>,
  }
  const [name, ...rest] = COLUMNS
  const columns = namesWorkspace ? [name, workspace, ...rest] : [name, ...rest]
  return <Table caption="API keys" columns={columns} rows={keys} />
}

const COLUMNS: readonly [Column<ApiKey>, ...Column<ApiKey>[]] = [
  {
    heading: 'Key',
    isRowHeading: true,
    cell: (key) => (
      <>
        <Link to={keyPath(key)}>
          <bdi>{key.name}</bdi>
        </Link>{' '}
        <span class="soft">{key.id}</span>
      </>
    ),
  },
  {
    heading: 'State',
    cell: (key) => (
      <span class="words">
        <KeyStateBadge state={key.state} />
        {key.replacedBy === null ? null : <span class="soft">replaced by {key.replacedBy}</span>}
      </span>
    ),
  },
  { heading: 'Scopes', cell: ({ scopes }) => <ScopesText scopes={scopes} /> },
  { heading: 'Accounts', cell: ({ accountIds }) => <AccountsText ids={accountIds} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <WhenText ms={expiresAt} none="never" /> },
  {
    heading: 'Last used',
    cell: ({ lastUsedAt }) => <WhenText ms={lastUsedAt} none="never" />,
  },
]
