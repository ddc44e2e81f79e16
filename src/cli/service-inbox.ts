import type { Imports } from '../inbox/imports.js'
import { Inbox, type InboxEvent } from '../inbox/inbox.js'
import { InboxWatch } from '../inbox/inbox-watch.js'
import { SETTLE_MS_DEFAULT } from '../inbox/stability.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import type { Log } from './log.js'
import { shownText } from './logged-error.js'
import type { ServiceOptions } from './service-options.js'

/** The parts of a service that its import folders need. */
interface InboxOwner {
  readonly catalog: WorkspaceCatalog
  readonly imports: Imports
  readonly bytesMax: number
}

/** The import folders of a service. */
export interface ServiceInbox {
  readonly inbox: Inbox
  /** Puts files that are being imported back; before the threads of imports are ended. */
  readonly close: () => Promise<void>
}

/**
 * Watches the import folders of a service.
 * @param path of the folder that contains the workspace folders
 */
export function openServiceInbox(
  path: string,
  owner: InboxOwner,
  { clock, log }: Pick<ServiceOptions, 'clock' | 'log'>,
): ServiceInbox {
  const settleMs = SETTLE_MS_DEFAULT
  const ticks = (): number => performance.now()
  const onEvent = (event: InboxEvent): void => logEvent(log, event)
  const inbox = new Inbox({
    ...{ ...owner, path },
    ...{ settleMs, clock, ticks, onEvent },
  })
  const onFault = (error: unknown): void =>
    log('error', 'inbox', 'cannot look into the import folders', { err: error })
  const watch = new InboxWatch({ inbox, settleMs, onFault })
  watch.begin()
  const close = async (): Promise<void> => {
    await watch.end()
    await inbox.close()
  }
  return { inbox, close }
}

/** Logs an event without the name of its file, in which banks put account numbers. */
function logEvent(log: Log, event: InboxEvent): void {
  if (event.kind === 'notice') {
    const { event: notice, path, reason } = event
    log('warn', 'inbox', notice, {
      path: shownText(path),
      ...(reason === undefined ? {} : { reason: shownText(reason) }),
    })
    return
  }
  if (event.kind === 'result') {
    logResult(log, event)
    return
  }
  const { workspaceId, reason } = event
  log('warn', 'inbox', 'file will be imported again', { workspaceId, reason })
}

function logResult(
  log: Log,
  { workspaceId, bytes, result }: Extract<InboxEvent, { readonly kind: 'result' }>,
): void {
  if (result.kind !== 'done') {
    const reason = result.kind === 'failed' ? result.cause : 'cancelled'
    log('warn', 'inbox', 'file not imported', { workspaceId, bytes, reason })
    return
  }
  const { format, added, unchanged, skipped, warnings } = result
  const counts = { added, unchanged, skipped, warningCount: warnings.length }
  log('info', 'inbox', 'file imported', { workspaceId, format, bytes, ...counts })
}
