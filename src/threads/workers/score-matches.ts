// Thread entry: one turn at scoring the rows of a match.
import { type ScanPart, type ScanTask, type ScanTurn, scanBlocks } from '../../match/scan.js'
import { lowerPriority } from '../thread-priority.js'

// Keeps reads from waiting for a credential that matches without a pause.
lowerPriority('some')

/** Message to a thread. */
export interface ScoreMessage {
  readonly task: ScanTask
  readonly turn: ScanTurn
}

/** undefined past the deadline. */
export function score({ task, turn }: ScoreMessage): ScanPart | undefined {
  return scanBlocks(task, () => performance.now(), turn)
}
