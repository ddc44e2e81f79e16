import { ApiError } from '../errors.js'
import { CHANGES_WAITING_MAX } from '../limits.js'
import type { AccountView } from '../query/changed-rows.js'
import { accountsTouched } from '../snapshot/change-log.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { TickQueue } from './tick-queue.js'
import type { WaitingRequest } from './waiting-requests.js'

/** The changes that a request waits for. */
export interface AwaitedChange extends WaitingRequest {
  readonly view: AccountView
  /** Longest time to wait. */
  readonly ms: number
  readonly caller: WaitingCaller
}

/** The caller of a request that waits. */
export interface WaitingCaller {
  /** Whether it has disconnected. */
  readonly aborted: boolean
  /** Sets the function that is called when it disconnects; undefined = none. */
  whenAborted(end: (() => void) | undefined): void
}

/**
 * Requests that are resumed before a millisecond's rest: an answer takes some 50 µs, so reads have
 * most of the time, and a thousand callers have a change within 300 ms.
 */
const RESUMED_MAX = 8

interface Wait {
  readonly view: AccountView
  /** Ends the wait in a turn of the credential; a second call has no effect. */
  readonly wake: () => void
}

/**
 * Requests that wait for changes of a workspace: a timer each, and a look at the accounts that a
 * new snapshot has touched. They are resumed one in a tick of the event loop, so that a change for
 * a thousand of them delays no other request; the look itself only puts them in a queue.
 */
export class ChangeWaits {
  readonly #waits = new Map<string, Set<Wait>>()
  readonly #counts = new Map<string, number>()
  readonly #turns = new TickQueue(RESUMED_MAX)
  #isClosed = false

  /** @param clock monotonic milliseconds */
  constructor(private readonly clock: () => number) {}

  /** Number of waiting requests of all callers. */
  get count(): number {
    let total = 0
    for (const waits of this.#waits.values()) total += waits.size
    return total
  }

  /**
   * Waits until an account of the view is touched, the time is over, the caller disconnects, or the
   * service stops.
   * @returns time left, 0 = do not wait again
   * @throws ApiError `workspace_unavailable` when too many requests of the credential wait
   */
  async wait(awaited: AwaitedChange): Promise<number> {
    const { credentialId, ms, caller } = awaited
    const count = this.#counts.get(credentialId) ?? 0
    if (count >= CHANGES_WAITING_MAX) {
      const message = `${count} requests of this credential are already waiting for changes`
      throw new ApiError('workspace_unavailable', `${message}; try again in a moment.`)
    }
    this.#counts.set(credentialId, count + 1)
    const untilMs = this.clock() + ms
    await this.#until(awaited)
    this.#leave(credentialId)
    return this.#isClosed || caller.aborted ? 0 : Math.max(0, untilMs - this.clock())
  }

  /** Ends the waits for accounts that a new snapshot has touched. */
  announce(before: Snapshot, after: Snapshot): void {
    const waits = this.#waits.get(after.workspaceId)
    if (waits === undefined) return
    const isSameTimeline = before.log.timeline === after.log.timeline
    const touched = accountsTouched(after.log, before.version.sequence)
    for (const { view, wake } of waits) {
      if (!isSameTimeline || isTouched(view, touched)) wake()
    }
  }

  /** Ends all waits, now and from now on: the service is stopping. */
  close(): void {
    this.#isClosed = true
    for (const waits of this.#waits.values()) for (const { wake } of waits) wake()
  }

  /** Fulfilled in a turn of the credential. */
  #until({ workspaceId, credentialId, view, ms, caller }: AwaitedChange): Promise<void> {
    if (this.#isClosed || caller.aborted || ms <= 0) return this.#turns.waitTurn(credentialId)
    return new Promise((resolve) => {
      const waits = this.#waits.get(workspaceId) ?? new Set<Wait>()
      this.#waits.set(workspaceId, waits)
      const end = (): void => {
        clearTimeout(timer)
        caller.whenAborted(undefined)
        resolve()
      }
      const wake = (): void => {
        if (!waits.delete(wait)) return
        if (waits.size === 0) this.#waits.delete(workspaceId)
        this.#turns.callInTurn(credentialId, end)
      }
      const wait = { view, wake }
      const timer = setTimeout(wake, ms)
      caller.whenAborted(wake)
      waits.add(wait)
    })
  }

  #leave(credentialId: string): void {
    const count = (this.#counts.get(credentialId) ?? 0) - 1
    if (count > 0) this.#counts.set(credentialId, count)
    else this.#counts.delete(credentialId)
  }
}

function isTouched(view: AccountView, touched: ReadonlySet<number>): boolean {
  if (view === null) return touched.size > 0
  for (const accountId of touched) if (view.has(accountId)) return true
  return false
}
