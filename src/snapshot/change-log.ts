import { randomBytes } from 'node:crypto'
import { lowerBound } from '../lower-bound.js'
import { sharedFloat64 } from '../ordinals/shared-memory.js'
import { LOGGED_NUMBERS } from '../store/workspace.js'

/**
 * Changes that a log keeps at least: as many as an import leaves in the file. They take 6.4 MB,
 * where a workspace with so many changes has a hundred.
 */
export const LOG_CHANGES_MIN = 200_000

/** Changes of one chunk at most: whole chunks leave the log, so it is an eighth longer at most. */
export const LOG_CHUNK_CHANGES_MAX = LOG_CHANGES_MIN / 8

/**
 * The latest changes of the transactions of a workspace, as its file has logged them. Immutable:
 * the log of a later snapshot shares most chunks. A chunk is in shared memory:
 *
 *   OFFSET, f64   HOLDS, per change, in order
 *   4i            sequence
 *   4i + 1        id of the transaction
 *   4i + 2        its account before the change; 0 = there was no such transaction
 *   4i + 3        its account after the change; 0 = it was deleted
 */
export interface ChangeLog {
  /**
   * Random and secret name of a series of snapshots of which each follows from the one before by
   * logged changes. A load from the file begins another one: its rows may have changed without a
   * trace in `changes`. A cached snapshot continues its own.
   */
  readonly timeline: string
  /** The log has all changes after this sequence, and the timeline had begun by then. */
  readonly after: number
  /** None is empty. */
  readonly chunks: readonly Float64Array[]
}

/** The log of a new timeline. @param sequence of its first snapshot */
export function beginLog(sequence: number): ChangeLog {
  return { timeline: randomBytes(16).toString('hex'), after: sequence, chunks: [] }
}

/** The log without its changes, of a timeline that continues at a later sequence. */
export function forgetChanges({ timeline }: ChangeLog, sequence: number): ChangeLog {
  return { timeline, after: sequence, chunks: [] }
}

/**
 * The log with further changes; its oldest leave it past {@link LOG_CHANGES_MIN}. Small chunks are
 * merged with those behind them, so that a change is copied a logarithmic number of times.
 * @param numbers all changes since the log's last, as {@link ChangeLog} lays them out
 */
export function extendLog(log: ChangeLog, numbers: Float64Array): ChangeLog {
  const chunks = [...log.chunks]
  const pieceLength = LOG_CHUNK_CHANGES_MAX * LOGGED_NUMBERS
  for (let start = 0; start < numbers.length; start += pieceLength) {
    append(chunks, numbers.subarray(start, start + pieceLength))
  }
  let { after } = log
  let count = chunks.reduce((sum, chunk) => sum + countOf(chunk), 0)
  for (let first = chunks[0]; first !== undefined; first = chunks[0]) {
    count -= countOf(first)
    if (count < LOG_CHANGES_MIN) break
    after = lastSequenceOf(first)
    chunks.shift()
  }
  return { timeline: log.timeline, after, chunks }
}

function append(chunks: Float64Array[], piece: Float64Array): void {
  let first = chunks.length
  let length = piece.length
  for (; first > 0; first--) {
    const before = chunks[first - 1]!.length // first > 0
    if (before > length * 2 || length + before > LOG_CHUNK_CHANGES_MAX * LOGGED_NUMBERS) break
    length += before
  }
  const merged = sharedFloat64(length)
  let end = 0
  for (const part of [...chunks.splice(first), piece]) {
    merged.set(part, end)
    end += part.length
  }
  chunks.push(merged)
}

/** @returns whether to go on. */
type ChangeVisitor = (
  sequence: number,
  id: number,
  accountBefore: number,
  accountAfter: number,
) => boolean

/**
 * Passes changes to `visit` in order, until it returns false.
 * @param after sequence before the first of them, not before that of the log
 */
export function visitChanges({ chunks }: ChangeLog, after: number, visit: ChangeVisitor): void {
  for (const chunk of chunks) {
    if (lastSequenceOf(chunk) <= after) continue
    const count = countOf(chunk)
    const begin = lowerBound(0, count, (i) => chunk[i * LOGGED_NUMBERS]! <= after)
    for (let i = begin * LOGGED_NUMBERS; i < chunk.length; i += LOGGED_NUMBERS) {
      // A chunk holds four numbers for each change.
      if (!visit(chunk[i]!, chunk[i + 1]!, chunk[i + 2]!, chunk[i + 3]!)) return
    }
  }
}

/** The accounts that changes after a sequence have touched. */
export function accountsTouched(log: ChangeLog, after: number): Set<number> {
  const accountIds = new Set<number>()
  visitChanges(log, after, (_sequence, _id, before, now) => {
    accountIds.add(before).add(now)
    return true
  })
  return accountIds
}

function countOf(chunk: Float64Array): number {
  return chunk.length / LOGGED_NUMBERS
}

function lastSequenceOf(chunk: Float64Array): number {
  return chunk[chunk.length - LOGGED_NUMBERS] ?? 0
}
