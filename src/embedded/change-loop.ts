import type { TransactionChanges } from '../domain/transaction-change.js'
import type { FollowedChange } from './handles.js'
import type { ChangesOptions } from './queries.js'

/** Changes of a page, and seconds that a page waits for the first one. */
const PAGE = { limit: 250, wait: 30 }

/** Reads a page of changes. Rejects with the signal's reason once that is aborted. */
type ReadChanges = (query: object, signal: AbortSignal) => Promise<TransactionChanges>

/**
 * Changes page by page. The end of a loop ends its wait for a change as well; a generator alone
 * would end when the wait is over.
 * @param closing aborts when the workspace is closed: a loop that follows ends, another one rejects
 */
export function changeLoop(
  read: ReadChanges,
  query: ChangesOptions,
  closing: AbortSignal,
): AsyncIterableIterator<FollowedChange> {
  const ending = new AbortController()
  const given = query.signal === undefined ? [] : [query.signal]
  const signal = AbortSignal.any([ending.signal, closing, ...given])
  const isEnded = (): boolean =>
    ending.signal.aborted || (closing.aborted && query.follow !== false)
  const changes = changesOf(read, query, { signal, isEnded })
  return {
    next: () => changes.next(),
    return: () => {
      ending.abort()
      return changes.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

interface LoopEnd {
  readonly signal: AbortSignal
  /** Whether the loop ends without an error. */
  readonly isEnded: () => boolean
}

async function* changesOf(
  read: ReadChanges,
  { accountIds, follow = true, since: first }: ChangesOptions,
  { signal, isEnded }: LoopEnd,
): AsyncGenerator<FollowedChange, void> {
  let since = first
  try {
    for (;;) {
      const query = { since, accountIds, ...PAGE, wait: follow ? PAGE.wait : 0 }
      const { changes, cursor, hasMore } = await read(query, signal)
      const last = changes.pop()
      for (const change of changes) {
        yield change
        signal.throwIfAborted()
      }
      if (last !== undefined) yield { ...last, cursor }
      since = cursor
      if (!hasMore && !follow) return
    }
  } catch (error) {
    if (!isEnded()) throw error
  }
}
