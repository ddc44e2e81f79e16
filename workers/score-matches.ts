// Thread entry: scores its share of the rows of a match.
import { type ScanPart, type ScanTask, scanBlocks } from '../src/match/scan.js'

/** undefined when the time was over before the rows. */
export function score(task: ScanTask): ScanPart | undefined {
  return scanBlocks(task, () => performance.now())
}
