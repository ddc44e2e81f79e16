import { listWorkspaces } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countText } from '../../../count-text.js'
import type { RequestSummary } from '../../../http/request-metrics.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { WORKSPACES_PER_PAGE } from '../../elements/paged-list.js'
import { Panel } from '../../elements/panel.js'
import { Stat, Stats } from '../../elements/stat.js'
import { type Column, Table } from '../../elements/table.js'
import type { DashboardPage } from '../../page.js'
import type { DashboardParts } from '../../parts.js'
import type { View } from '../../reply.js'
import { REFRESH_SECONDS } from '../../reply.js'
import { summaryOf, type WorkspaceSummary } from '../../workspace-summary.js'
import { ConditionBadge } from '../workspaces/condition-badge.js'
import { activityTabs } from './activity-tabs.js'
import { RateChart } from './rate-chart.js'

/** The live figures of the service. */
export const ACTIVITY_PAGE: DashboardPage = { path: '/dashboard/activity', show: showActivity }

async function showActivity({ parts }: DashboardContext): Promise<View> {
  const all = (await listWorkspaces(parts)).map((id) => summaryOf(parts, id))
  const resident = all.filter(({ content }) => content !== undefined)
  return {
    title: 'Activity',
    lead:
      'Requests of programs by REST and MCP, and the state of the server. This page refreshes ' +
      'itself.',
    refreshSeconds: REFRESH_SECONDS,
    body: (
      <>
        {activityTabs(parts, 'live')}
        <RequestFigures parts={parts} />
        <Panel title="Requests per second, last ten minutes">
          <RateChart rates={parts.metrics.rates()} />
        </Panel>
        <Panel title="Memory">
          <MemoryFigures parts={parts} />
          {resident.length === 0 ? (
            <p class="soft">No workspace is in memory: each is loaded on its first request.</p>
          ) : (
            <Table
              caption="Memory of each workspace"
              columns={COLUMNS}
              rows={byBytes(resident).slice(0, WORKSPACES_PER_PAGE)}
            />
          )}
        </Panel>
      </>
    ),
  }
}

function byBytes(all: readonly WorkspaceSummary[]): WorkspaceSummary[] {
  return [...all].sort((a, b) => (b.content?.bytes ?? 0) - (a.content?.bytes ?? 0))
}

interface FiguresProps {
  readonly parts: DashboardParts
}

function RequestFigures({ parts }: FiguresProps): VNode {
  const summary = parts.metrics.summary()
  const delay = parts.loopDelay.summary()
  return (
    <Stats>
      <Stat
        label="Requests per second"
        value={rateText(summary.perSecond)}
        note={`${countText(summary.count)} in the last minute`}
      />
      <LatencyStat summary={summary} />
      <Stat
        label="Errors"
        value={countText(summary.failedCount)}
        note={`and ${countText(summary.refusedCount)} rejected (4xx) in the last minute`}
      />
      <Stat
        label="Event loop delay"
        value={delay === undefined ? '–' : msText(delay.p99Ms)}
        note={delay === undefined ? 'no data yet' : `p99; max ${msText(delay.maxMs)}`}
      />
    </Stats>
  )
}

function LatencyStat({ summary: { percentiles } }: { readonly summary: RequestSummary }): VNode {
  if (percentiles === undefined) {
    return <Stat label="Latency" value="–" note="no requests in the last minute" />
  }
  const { p50, p95, p99, max } = percentiles
  const note = `p95 ${msText(p95)}, p99 ${msText(p99)}, max ${msText(max)}`
  return <Stat label="Latency, median" value={msText(p50)} note={note} />
}

function MemoryFigures({ parts }: FiguresProps): VNode {
  const { rss, heapUsed } = process.memoryUsage()
  const share = parts.snapshots.residentBytes / parts.memoryBudgetBytes
  return (
    <Stats>
      <Stat
        label="Workspaces"
        value={bytesText(parts.snapshots.residentBytes)}
        note={`${Math.round(share * 100)} % of the memory budget`}
      />
      <Stat label="Process" value={bytesText(rss)} note="resident memory of the process" />
      <Stat label="JavaScript heap" value={bytesText(heapUsed)} note="part of the process memory" />
    </Stats>
  )
}

const COLUMNS: readonly Column<WorkspaceSummary>[] = [
  { heading: 'Workspace', isRowHeading: true, cell: ({ workspaceId }) => workspaceId },
  { heading: 'State', cell: ({ condition }) => <ConditionBadge condition={condition} /> },
  {
    heading: 'Transactions',
    kind: 'number',
    cell: ({ content }) => countText(content?.rowCount ?? 0),
  },
  { heading: 'Memory', kind: 'number', cell: ({ content }) => bytesText(content?.bytes ?? 0) },
]

/** A rate with its significant digits. */
function rateText(perSecond: number): string {
  return perSecond >= 10
    ? countText(Math.round(perSecond))
    : String(Math.round(perSecond * 10) / 10)
}

/** A time in the unit that suits it: `12 µs`, `3.4 ms`, `1.2 s`. */
export function msText(ms: number): string {
  const short = (value: number): string =>
    String(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10)
  if (ms < 1) return `${short(ms * 1_000)} µs`
  return ms < 1_000 ? `${short(ms)} ms` : `${short(ms / 1_000)} s`
}
