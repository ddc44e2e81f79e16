import { Sessions } from '../browser/sessions.js'
import { SignIn } from '../browser/sign-in.js'
import { ChartRoom } from '../dashboard/chart-room.js'
import { createDashboardAnswers } from '../dashboard/dashboard.js'
import { FirstRun } from '../dashboard/first-run.js'
import type { Desk } from '../http/desk.js'
import type { Answer } from '../http/exchange.js'
import { ChartPool } from '../snapshot/chart-pool.js'
import type { CurrentSnapshots } from '../snapshot/current.js'
import type { ControlFile } from '../store/control-file.js'
import type { DataDirectory } from '../store/data-directory.js'
import { openIssuers } from './issuers.js'
import type { ServiceOptions } from './service.js'

/** What pages are made of. */
interface PageParts {
  readonly directory: DataDirectory
  readonly control: ControlFile
  readonly snapshots: CurrentSnapshots
  readonly desk: Desk
}

/** What people see in a browser. */
export interface ServicePages {
  /** By path, the answer; undefined for what is no page and belongs to none. */
  readonly answerOf: (path: string) => Answer | undefined
  /** See {@link FirstRun.open}. */
  readonly openFirstRun: () => string | undefined
  /** Ends the threads that pages have. */
  readonly close: () => Promise<void>
}

/**
 * The dashboard, and the authorization servers: people sign in at both, and who fails at one has
 * failed at the other.
 */
export function openPages(parts: PageParts, options: ServiceOptions): ServicePages {
  const { directory, control, snapshots, desk } = parts
  const { baseUrl, clock, memoryBudgetBytes } = options
  const isSecure = (): boolean => baseUrl().startsWith('https:')
  const sessions = new Sessions(control, clock, isSecure)
  const signIn = new SignIn({ control, clock, isSecure, sessions })
  const firstRun = new FirstRun({ control, clock, sessions })
  const issuers = openIssuers(directory, { control, sessions, signIn }, options)
  const chartPool = new ChartPool()
  const charts = new ChartRoom(chartPool)
  const dashboard = createDashboardAnswers({
    ...{ directory, control, snapshots, desk, memoryBudgetBytes },
    ...{ sessions, signIn, firstRun, baseUrl, clock, charts },
  })
  return {
    answerOf: (path) => issuers(path) ?? dashboard(path),
    openFirstRun: () => firstRun.open(),
    close: () => chartPool.close(),
  }
}
