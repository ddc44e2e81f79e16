import { Sessions } from '../browser/sessions.js'
import { SignIn } from '../browser/sign-in.js'
import { AccountSums } from '../dashboard/account-sums.js'
import { createDashboardAnswers } from '../dashboard/dashboard.js'
import { DiagnosticReports } from '../dashboard/diagnostic-reports.js'
import { FirstRun } from '../dashboard/first-run.js'
import type { ChartSums } from '../dashboard/pages/explorer/chart-groups.js'
import type { OverviewSums } from '../dashboard/pages/overview/overview-sums.js'
import { PendingSums } from '../dashboard/pending-sums.js'
import { emptyUploadFolder, UploadLimit } from '../dashboard/upload.js'
import type { StoreNodes } from '../domain/nodes.js'
import type { Handler } from '../http/engine/exchange.js'
import type { LoopDelay } from '../http/loop-delay.js'
import type { RequestMetrics } from '../http/request-metrics.js'
import type { ReplyMetrics } from '../http/request-totals.js'
import type { ServiceState } from '../http/service-state.js'
import { withMetrics } from '../http/with-metrics.js'
import { Imports } from '../inbox/imports.js'
import { UPLOAD_BYTES_DEFAULT } from '../limits.js'
import type { WorkspaceCache } from '../snapshot/workspace-cache.js'
import type { ControlStore } from '../store/control-store.js'
import type { DataDirectory } from '../store/data-directory.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import { ImportPool } from '../threads/import-pool.js'
import { openIssuers } from './issuers.js'
import { openServiceInbox } from './service-inbox.js'
import type { ServiceOptions } from './service-options.js'

/** The parts that pages are made of. */
interface PageParts {
  readonly directory: DataDirectory
  readonly catalog: WorkspaceCatalog
  readonly control: ControlStore
  readonly nodes: StoreNodes | undefined
  readonly snapshots: WorkspaceCache
  readonly service: ServiceState
  readonly metrics: RequestMetrics
  /** Counts replies of pages, apart from those to programs. */
  readonly pageMetrics: ReplyMetrics
  readonly loopDelay: LoopDelay
  /** Restricts a handler to requests with a Host of this service. */
  readonly knowingHosts: (answer: Handler) => Handler
}

/** The pages for browsers. */
export interface ServicePages {
  /** The handler of a path; undefined for a path that is no page and belongs to none. */
  readonly answerOf: (path: string) => Handler | undefined
  /** See {@link FirstRun.open}. */
  readonly openFirstRun: () => Promise<string | undefined>
  /** Ends threads and imports; before control.db is closed, which records imports. */
  readonly close: () => Promise<void>
}

/**
 * The dashboard and the authorization servers. Operators sign in at both; a failed sign-in at one
 * counts at the other.
 */
export function openPages(parts: PageParts, options: ServiceOptions): ServicePages {
  const { directory, catalog, control, snapshots, service, metrics, loopDelay } = parts
  const { baseUrl, clock, memoryBudgetBytes } = options
  const counted = (answer: Handler | undefined): Handler | undefined =>
    answer === undefined ? undefined : withMetrics(parts.knowingHosts(answer), parts.pageMetrics)
  const isSecure = (): boolean => baseUrl().startsWith('https:')
  const sessions = new Sessions(control, clock, isSecure)
  const signIn = new SignIn({ control, clock, isSecure, sessions })
  const firstRun = new FirstRun({ control, clock, sessions, signIn })
  const issuers = openIssuers({ catalog, control, sessions, signIn }, options)
  emptyUploadFolder(directory.uploadsPath)
  const importPool = new ImportPool()
  const imports = new Imports({
    control,
    clock,
    run: (task, signal) => importPool.run(task, signal),
  })
  const uploadBytesMax = options.uploadBytesMax ?? UPLOAD_BYTES_DEFAULT
  const { inboxPath } = options
  const watched =
    inboxPath === undefined
      ? undefined
      : openServiceInbox(inboxPath, { catalog, imports, bytesMax: uploadBytesMax }, options)
  const sums = {
    accountSums: new AccountSums(),
    chartSums: new PendingSums<ChartSums>(),
    overviewSums: new PendingSums<OverviewSums>(),
  }
  const dashboard = createDashboardAnswers({
    ...{ directory, catalog, control, snapshots, service, memoryBudgetBytes },
    ...{ sessions, signIn, firstRun, baseUrl, clock, imports, metrics, loopDelay, ...sums },
    ...{ uploadBytesMax, uploadLimit: new UploadLimit(), inbox: watched?.inbox },
    nodes: parts.nodes,
    diagnosticReports: new DiagnosticReports(),
  })
  return {
    answerOf: (path) => counted(issuers(path)) ?? counted(dashboard(path)),
    openFirstRun: () => firstRun.open(),
    close: async () => {
      await watched?.close()
      await importPool.close()
      await imports.settled()
    },
  }
}
