// Thread entry: scores its share of the rows of a match.
import { constants, setPriority } from 'node:os'
import { type ScanPart, type ScanTask, scanBlocks } from '../src/match/scan.js'

// Of this thread alone, on Linux: who reads is not kept waiting by who matches without a pause.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** undefined when the time was over before the rows. */
export function score(task: ScanTask): ScanPart | undefined {
  return scanBlocks(task, () => performance.now())
}
