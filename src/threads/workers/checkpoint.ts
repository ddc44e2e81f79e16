// Thread entry: waits for the disk in place of the request thread.

import { checkpointControl as move, type WalState } from '../../store/sqlite/checkpoint.js'
import { lowerPriority } from '../thread-priority.js'

/** See `checkpointControl` in src/store/sqlite/checkpoint.ts. */
export function checkpointControl({
  path,
  pagesLeftMax,
}: {
  readonly path: string
  readonly pagesLeftMax: number
}): WalState {
  return move(path, pagesLeftMax)
}

// A checkpoint can wait, and must not delay the request thread.
lowerPriority('most')
