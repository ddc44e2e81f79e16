import type { EpochMs } from '../instant.js'
import { bitAt } from '../ordinals/bit-set.js'
import { firstAbove, type InstantColumn, positionOfCode } from '../snapshot/ordered-column.js'
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
  return greatestOf(segments.map((live) => latestIn(live, live.segment.imported)))
}

/** The latest booking date until a moment, or undefined when no transaction has one. */
export function lastBookedMs(
  { segments }: Pick<Snapshot, 'segments'>,
  untilMs: EpochMs,
): EpochMs | undefined {
  return greatestOf(segments.map((live) => latestIn(live, live.segment.booked, untilMs)))
}

function greatestOf(instants: readonly (EpochMs | undefined)[]): EpochMs | undefined {
  const known = instants.filter((ms) => ms !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** The latest instant of a live row, from the end of the column's sorted order. */
function latestIn(
  { alive }: LiveSegment,
  column: InstantColumn,
  untilMs = Number.POSITIVE_INFINITY,
): EpochMs | undefined {
  const { order, codes, values } = column
  for (let i = positionOfCode(column, firstAbove(values, untilMs)) - 1; i >= 0; i--) {
    const row = order[i]! // i < presentCount <= order.length
    if (alive === undefined || bitAt(alive.words, row) === 1) return values[codes[row]!]
  }
  return undefined
}
