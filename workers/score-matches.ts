// Thread entry: scores its share of the rows of a match.
import { type ScanPart, type ScanTask, scanBlocks } from '../src/match/scan.js'
import { giveWay } from '../src/snapshot/thread-priority.js'

// Who reads is not kept waiting by who matches without a pause.
giveWay('some')

/** undefined when the time was over before the rows. */
export function score(task: ScanTask): ScanPart | undefined {
  return scanBlocks(task, () => performance.now())
}
