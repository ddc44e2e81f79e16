// Thread entry: waits for the disk in the place of the thread that answers.
import { constants, setPriority } from 'node:os'

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

// Of this thread alone, on Linux: what it does can wait, and it is not to keep that one waiting.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
