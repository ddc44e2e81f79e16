// Thread entry: waits for the disk in the place of the thread that answers.
import { giveWay } from '../src/snapshot/thread-priority.js'
import { type LogState, moveControlLog as move } from '../src/store/control-log.js'

/** See `moveControlLog` there. */
export function moveControlLog({
  path,
  pagesLeftMax,
}: {
  readonly path: string
  readonly pagesLeftMax: number
}): LogState {
  return move(path, pagesLeftMax)
}

// What it does can wait, and it is not to keep that one waiting.
giveWay('most')
