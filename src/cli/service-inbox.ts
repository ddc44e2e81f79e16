import type { Imports } from '../inbox/imports.js'
import { Inbox, type InboxNews } from '../inbox/inbox.js'
import { InboxWatch } from '../inbox/inbox-watch.js'
import { SETTLE_MS_DEFAULT } from '../inbox/stability.js'
import type { DataDirectory } from '../store/data-directory.js'
import type { Log } from './log.js'
import { shownText } from './logged-error.js'
import type { ServiceOptions } from './service-options.js'

/** The parts of a service that its import folders need. */
interface InboxOwner {
  readonly directory: DataDirectory
  readonly imports: Imports
  readonly bytesMax: number
}

/** The import folders of a service. */
export interface ServiceInbox {
  readonly inbox: Inbox
  /** Puts files that are being imported back; before the threads of imports are ended. */
  readonly close: () => Promise<void>
}

/** Watches the import folders of a service. @param path of the folder with a folder a workspace */
export function openServiceInbox(
  path: string,
  owner: InboxOwner,
  { clock, log }: Pick<ServiceOptions, 'clock' | 'log'>,
): ServiceInbox {
  const settleMs = SETTLE_MS_DEFAULT
  const ticks = (): number => performance.now()
  const onNews = (news: InboxNews): void => logNews(log, news)
  const inbox = new Inbox({ ...owner, path, settleMs, clock, ticks, onNews })
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
function logNews(log: Log, news: InboxNews): void {
  if (news.kind === 'notice') {
    const { path, reason } = news
    log('warn', 'inbox', news.event, {
      path: shownText(path),
      ...(reason === undefined ? {} : { reason: shownText(reason) }),
    })
    return
  }
  if (news.kind === 'result') {
    logResult(log, news)
    return
  }
  const { workspaceId, reason } = news
  log('warn', 'inbox', 'file will be imported again', { workspaceId, reason })
}

function logResult(
  log: Log,
  { workspaceId, bytes, result }: Extract<InboxNews, { readonly kind: 'result' }>,
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
