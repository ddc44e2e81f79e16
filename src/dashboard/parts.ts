import type { AdminContext } from '../admin/admin-context.js'
import type { Sessions } from '../browser/sessions.js'
import type { SignIn } from '../browser/sign-in.js'
import type { StoreNodes } from '../domain/nodes.js'
import type { LoopDelay } from '../http/loop-delay.js'
import type { RequestMetrics } from '../http/request-metrics.js'
import type { ServiceState } from '../http/service-state.js'
import type { Imports } from '../inbox/imports.js'
import type { Inbox } from '../inbox/inbox.js'
import type { EpochMs } from '../instant.js'
import type { WorkspaceCache } from '../snapshot/workspace-cache.js'
import type { AccountSums } from './account-sums.js'
import type { DiagnosticReports } from './diagnostic-reports.js'
import type { FirstRun } from './first-run.js'
import type { ChartSums } from './pages/explorer/chart-groups.js'
import type { OverviewSums } from './pages/overview/overview-sums.js'
import type { PendingSums } from './pending-sums.js'
import type { UploadLimit } from './upload.js'

/**
 * The parts that the dashboard replies from. Its pages read snapshots, control data and the ids
 * of workspaces, never their tables: those reads would block every other request.
 */
export interface DashboardParts extends Pick<AdminContext, 'catalog' | 'control' | 'directory'> {
  readonly snapshots: Pick<
    WorkspaceCache,
    'stateOf' | 'load' | 'loadIndexed' | 'find' | 'residentBytes'
  >
  /** Runs operations of the contract on the path of REST requests. */
  readonly service: ServiceState
  /** Bytes that the workspaces in memory may take together. */
  readonly memoryBudgetBytes: number
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly firstRun: FirstRun
  readonly imports: Imports
  readonly uploadLimit: UploadLimit
  /** The import folders; undefined = the service watches none. */
  readonly inbox?: Pick<Inbox, 'stateOf'> | undefined
  /** Bytes of files that are sent at once. */
  readonly uploadBytesMax: number
  /** The servers of the database; undefined = the store is a data directory. */
  readonly nodes: StoreNodes | undefined
  readonly diagnosticReports: DiagnosticReports
  /** Of the requests of programs: REST and MCP, not pages. */
  readonly metrics: Pick<RequestMetrics, 'summary' | 'rates'>
  readonly loopDelay: Pick<LoopDelay, 'summary'>
  /** Sums of balances. */
  readonly accountSums: AccountSums
  /** Sums of the charts, while they are being computed. */
  readonly chartSums: PendingSums<ChartSums>
  /** Likewise, of the overviews. */
  readonly overviewSums: PendingSums<OverviewSums>
  /** The URL of the service in browsers, without a trailing slash. */
  readonly baseUrl: () => string
  readonly clock: () => EpochMs
}
