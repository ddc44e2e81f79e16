// Thread entry: waits for the disk in the place of the thread that answers.
import { lowerPriority } from '../src/snapshot/thread-priority.js'
import { checkpointControl as move, type WalState } from '../src/store/checkpoint.js'

/** See `checkpointControl` there. */
export function checkpointControl({
  path,
  pagesLeftMax,
}: {
  readonly path: string
  readonly pagesLeftMax: number
}): WalState {
  return move(path, pagesLeftMax)
}

// What it does can wait, and it is not to keep that one waiting.
lowerPriority('most')
