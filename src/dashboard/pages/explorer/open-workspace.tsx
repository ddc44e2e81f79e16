import { setTimeout as pause } from 'node:timers/promises'
import { hasWorkspace } from '../../../admin/workspaces.js'
import { credentialOf } from '../../../browser/sessions.js'
import { ApiError } from '../../../errors.js'
import { isIndexed, type Snapshot } from '../../../snapshot/snapshot.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { Notice } from '../../elements/notice.js'
import { OVERVIEW_WAIT_MS } from '../../load-soon.js'
import type { View } from '../../reply.js'
import { REFRESH_SECONDS } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'

/** The state of a workspace that a view needs: lists are ready before searches and matches are. */
type Need = 'listed' | 'searched'

/**
 * The workspace that the path names, in memory; or the view in its place: there is no such
 * workspace, it cannot be read, or it is still loading after a short wait.
 */
export async function openWorkspace(
  { parts, named, session }: DashboardContext,
  need: Need,
): Promise<Snapshot | View> {
  const workspaceId = named['workspaceId'] ?? ''
  if (!(await hasWorkspace(parts, workspaceId))) return noSuchPageView()
  const { snapshots } = parts.service.parts
  const known = snapshots.find(workspaceId)
  if (known !== undefined && (need === 'listed' || isIndexed(known))) return known
  const waiter = { workspaceId, ...credentialOf(session) }
  const loading = need === 'listed' ? snapshots.load(waiter) : snapshots.loadIndexed(waiter)
  const loaded = loading.catch((error: unknown) => {
    if (error instanceof ApiError) return unreadableView(error)
    throw error
  })
  return Promise.race([loaded, pause(OVERVIEW_WAIT_MS, loadingView(need))])
}

function unreadableView({ message, status }: ApiError): View {
  return { title: TITLE, status, body: <Notice variant="bad">{message}</Notice> }
}

function loadingView(need: Need): View {
  const what = need === 'listed' ? 'being loaded' : 'being indexed'
  return {
    title: TITLE,
    refreshSeconds: REFRESH_SECONDS,
    body: <Notice>The workspace is {what}. This page refreshes when it is ready.</Notice>,
  }
}

const TITLE = 'Transactions'
