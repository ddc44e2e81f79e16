import type { EpochMs } from '../instant.js'
import { bitAt } from '../ordinals/bit-set.js'
import { codeCountOf, postingCount, postingOf } from '../snapshot/postings.js'
import type { LiveSegment, Snapshot } from '../snapshot/snapshot.js'

/** The number of alive transactions of each account, by account code. */
export function rowCountsByAccount({ segments }: Pick<Snapshot, 'segments'>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { segment, alive } of segments) {
    const { accountPostings } = segment
    for (let code = 0; code < codeCountOf(accountPostings); code++) {
      const all = postingCount(accountPostings, code)
      const dead =
        alive === undefined ? 0 : deadCount(postingOf(accountPostings, code), alive.words)
      counts.set(code, (counts.get(code) ?? 0) + all - dead)
    }
  }
  return counts
}

function deadCount(rows: Uint32Array, alive: Uint32Array): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) count += 1 - bitAt(alive, rows[i]!) // i < rows.length
  return count
}

/** The import time of the newest transaction, or undefined when there is none. */
export function lastImportMs({ segments }: Pick<Snapshot, 'segments'>): EpochMs | undefined {
  const newest = segments.map(newestImport).filter((ms) => ms !== undefined)
  return newest.length === 0 ? undefined : Math.max(...newest)
}

/** From the end of the column's sorted order, past deleted rows. */
function newestImport({ segment, alive }: LiveSegment): EpochMs | undefined {
  const { order, presentCount, codes, values } = segment.imported
  for (let i = presentCount - 1; i >= 0; i--) {
    const row = order[i]! // i < presentCount <= order.length
    if (alive === undefined || bitAt(alive.words, row) === 1) return values[codes[row]!]
  }
  return undefined
}
