// Thread entry: waits for the disk in place of the request thread.
import { lowerPriority } from '../src/snapshot/thread-priority.js'
import { checkpointControl as move, type WalState } from '../src/store/checkpoint.js'

/** See `checkpointControl` in src/store/checkpoint.ts. */
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
