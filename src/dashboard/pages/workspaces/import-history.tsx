import { type AuditEntry, searchAudit } from '../../../admin/audit-log.js'
import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countedText } from '../../../count-text.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Badge } from '../../elements/badge.js'
import { InstantText } from '../../elements/day-text.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import { auditQueryText } from '../activity/audit-query.js'
import { formatName } from './import-list.js'

/** Imports that the page of a workspace lists. */
const IMPORTS_LISTED_MAX = 20

/**
 * The last imports of a workspace by the dashboard, the command line and the import folder, from
 * the audit log, which has no names of files.
 */
export async function importHistory(
  context: DashboardContext,
  workspaceId: string,
): Promise<VNode | null> {
  const search = { workspaceId, action: 'workspace.import' } as const
  // The log has an index of actions: no row is examined that is not listed.
  const bounds = { limit: IMPORTS_LISTED_MAX, scannedMax: IMPORTS_LISTED_MAX + 1 }
  const { rows, nextBefore } = await searchAudit(context, search, bounds)
  if (rows.length === 0) return null
  return (
    <Panel
      title="Last imports"
      aside={
        <Link to={`/dashboard/activity/audit${auditQueryText(search)}`}>
          {nextBefore === undefined ? 'In the audit log' : 'All in the audit log'}
        </Link>
      }
    >
      <Table caption="Last imports" columns={COLUMNS} rows={rows} />
    </Panel>
  )
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { heading: 'Time', isRowHeading: true, cell: ({ at }) => <InstantText ms={at} /> },
  { heading: 'By', cell: ({ actor }) => <bdi>{byText(actor)}</bdi> },
  { heading: 'File', cell: ({ detail }) => fileText(detailOf(detail)) },
  {
    heading: 'Result',
    cell: ({ outcome, detail }) => (
      <span class="words">
        {outcome === 'ok' ? (
          <Badge variant="good">Done</Badge>
        ) : (
          <Badge variant="bad">Failed</Badge>
        )}{' '}
        {resultText(detailOf(detail))}
      </span>
    ),
  },
]

/** The actor of an import in words. */
function byText(actor: string): string {
  if (actor === 'inbox') return 'import folder'
  return actor === 'cli' ? 'command line' : actor.replace(/^operator:/, '')
}

type ImportDetail = Readonly<Record<string, unknown>>

function detailOf(json: string | null): ImportDetail {
  const value: unknown = json === null ? {} : JSON.parse(json)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function fileText({ format, bytes }: ImportDetail): string {
  const parts = [
    ...(typeof format === 'string' ? [formatName(format)] : []),
    ...(typeof bytes === 'number' ? [bytesText(bytes)] : []),
  ]
  return parts.length === 0 ? '–' : parts.join(', ')
}

/** The reason of an import that failed is its place, without any text of the file. */
function resultText(detail: ImportDetail): string {
  const { reason } = detail
  if (typeof reason === 'string') return reason
  const count = (name: string): number => {
    const value = detail[name]
    return typeof value === 'number' ? value : 0
  }
  const parts = [countedText(count('added'), 'new transaction')]
  for (const [name, one, many] of COUNTS) {
    if (count(name) > 0) parts.push(countedText(count(name), one, many))
  }
  return parts.join(', ')
}

const COUNTS = [
  ['unchanged', 'was already there', 'were already there'],
  ['updated', 'was updated', 'were updated'],
  ['changed', 'was changed', 'were changed'],
  ['kept', 'row was kept', 'rows were kept'],
  ['skipped', 'entry was skipped', 'entries were skipped'],
] as const
