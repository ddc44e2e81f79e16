import { type AuditEntry, searchAudit } from '../../../admin/audit-log.js'
import type { VNode } from '../../../browser/jsx.js'
import { countText } from '../../../count-text.js'
import { AUDIT_ACTIONS } from '../../../domain/audit.js'
import type { Form as SentForm } from '../../../wire/form.js'
import { csvDownloads } from '../../csv-text.js'
import { type DashboardContext, linkTo } from '../../dashboard-context.js'
import { Badge } from '../../elements/badge.js'
import { InstantText } from '../../elements/day-text.js'
import { ChoiceField, Field } from '../../elements/field.js'
import { Link } from '../../elements/link.js'
import { Panel } from '../../elements/panel.js'
import { type Column, Table } from '../../elements/table.js'
import type { FormFaults } from '../../form-reading.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { activityTabs } from './activity-tabs.js'
import {
  AUDIT_CSV_ROWS_MAX,
  AUDIT_ROWS_PER_PAGE,
  AUDIT_SCANNED_MAX,
  auditQueryText,
  readAuditQuery,
} from './audit-query.js'

/** The audit log: sign-ins, creations, changes and refusals. */
export const AUDIT_PAGE: DashboardPage = { path: '/dashboard/activity/audit', show: showAudit }

async function showAudit(context: DashboardContext): Promise<View> {
  const { search, faults } = readAuditQuery(context.query)
  const bounds = { limit: AUDIT_ROWS_PER_PAGE, scannedMax: AUDIT_SCANNED_MAX }
  const { rows, nextBefore } = await searchAudit(context, search, bounds)
  const older = auditQueryText({ ...search, beforeSequence: nextBefore })
  const fromStart = auditQueryText({ ...search, beforeSequence: undefined })
  const downloads = csvDownloads('Download as CSV', `/dashboard/activity/audit.csv${fromStart}`)
  return {
    title: 'Audit log',
    lead: 'Access, changes and refusals, with actor and time. Entries cannot be changed here.',
    body: (
      <>
        {activityTabs(context.parts, 'audit')}
        <Panel title="Search">
          <SearchForm context={context} faults={faults} />
        </Panel>
        <Panel title="Entries" aside={downloads.map(({ text, to }) => <Link to={to}>{text}</Link>)}>
          {rows.length === 0 ? (
            <p class="soft">
              {nextBefore === undefined
                ? 'No matching entries found.'
                : 'No matching entries among the newest; continue with Older.'}
            </p>
          ) : (
            <Table caption="Audit log" columns={COLUMNS} rows={rows} />
          )}
          <nav class="pages" aria-label="Pages">
            {search.beforeSequence === undefined ? (
              <span />
            ) : (
              <Link to={`/dashboard/activity/audit${fromStart}`}>← Newest</Link>
            )}
            <span />
            {nextBefore === undefined ? (
              <span class="soft">No older entries.</span>
            ) : (
              <Link to={`/dashboard/activity/audit${older}`}>Older →</Link>
            )}
          </nav>
          <p class="soft">
            A page searches at most {countText(AUDIT_SCANNED_MAX)} entries; a download contains at
            most {countText(AUDIT_CSV_ROWS_MAX)}.
          </p>
        </Panel>
      </>
    ),
  }
}

interface SearchFormProps {
  readonly context: DashboardContext
  readonly faults: FormFaults
}

/** Sent with GET: a search is a link. */
function SearchForm({ context, faults }: SearchFormProps): VNode {
  const { query } = context
  return (
    <form method="get" action={linkTo(context, '/dashboard/activity/audit')} class="log-filters">
      <Field
        name="actor"
        label="Actor"
        value={query.value('actor')}
        placeholder="operator:ada"
        maxLength={200}
      />
      <ChoiceField name="action" label="Action" options={ACTIONS} value={query.value('action')} />
      <Field name="workspace" label="Workspace" value={query.value('workspace')} />
      <ChoiceField
        name="outcome"
        label="Outcome"
        options={OUTCOMES}
        value={query.value('outcome')}
      />
      <DayField name="since" label="From" {...{ query, faults }} />
      <DayField name="until" label="To" {...{ query, faults }} />
      <div class="row">
        <button type="submit" class="key">
          Search
        </button>
      </div>
    </form>
  )
}

interface DayFieldProps {
  readonly name: string
  readonly label: string
  readonly query: SentForm
  readonly faults: FormFaults
}

function DayField({ name, label, query, faults }: DayFieldProps): VNode {
  return <Field {...{ name, label }} type="date" value={query.value(name)} error={faults[name]} />
}

const ACTIONS = [
  { value: '', text: 'any' },
  ...AUDIT_ACTIONS.map((action) => ({ value: action, text: action })),
]

const OUTCOMES = [
  { value: '', text: 'any' },
  { value: 'ok', text: 'ok' },
  { value: 'refused', text: 'refused' },
]

const COLUMNS: readonly Column<AuditEntry>[] = [
  { heading: 'Time', cell: ({ at }) => <InstantText ms={at} /> },
  {
    heading: 'Action',
    isRowHeading: true,
    cell: ({ action, outcome }) => (
      <span class="words">
        <code>{action}</code> <Badge variant={outcome === 'ok' ? 'good' : 'bad'}>{outcome}</Badge>
      </span>
    ),
  },
  {
    heading: 'Actor',
    cell: ({ actor, fromAddress }) => (
      <span class="words">
        <bdi>{actor}</bdi> {fromAddress === null ? null : <span class="soft">{fromAddress}</span>}
      </span>
    ),
  },
  {
    heading: 'Subject',
    cell: ({ subject, workspaceId, detail }) => (
      <div class="subject">
        <bdi>{subject ?? '–'}</bdi>
        {workspaceId === null ? null : <span class="soft"> in {workspaceId}</span>}
        {detail === null ? null : <code class="soft">{detail}</code>}
      </div>
    ),
  },
]
