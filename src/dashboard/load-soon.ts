import { strict as assert } from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import type { DashboardParts } from './parts.js'
import { REFRESH_SECONDS } from './reply.js'

/** Time a page waits for workspaces to load: a start that reads their caches takes less. */
export const OVERVIEW_WAIT_MS = 400

assert(OVERVIEW_WAIT_MS < REFRESH_SECONDS * 1_000)

/**
 * Loads workspaces that are not in memory, and waits briefly for them: reading a cache takes less,
 * and a page without the rest says so and reloads itself. The state of a workspace holds the reason
 * when it cannot be loaded.
 */
export async function loadSoon(
  { snapshots }: Pick<DashboardParts, 'snapshots'>,
  workspaceIds: readonly string[],
): Promise<void> {
  const absent = workspaceIds.filter((id) => snapshots.stateOf(id).kind === 'absent')
  if (absent.length === 0) return
  const ended = new AbortController()
  const loads = Promise.allSettled(absent.map((id) => snapshots.load(id)))
  const moment = pause(OVERVIEW_WAIT_MS, undefined, { signal: ended.signal }).catch(ignoreAbort)
  await Promise.race([loads, moment])
  ended.abort()
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error
}
