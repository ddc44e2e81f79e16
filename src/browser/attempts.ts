import { strict as assert } from 'node:assert'
import { hash } from 'node:crypto'
import type { EpochMs } from '../instant.js'
import {
  type AttemptKey,
  type AttemptKind,
  type AttemptRow,
  deleteAttempts,
  discountAttempt,
  findAttempts,
  holdAttempts,
  updateAttempts,
} from '../store/attempt-rows.js'
import type { ControlStore } from '../store/control-store.js'
import { ATTEMPT_MEMORY_MS } from '../store/sweep.js'
import type { Work } from '../store/work.js'

/** Failed sign-ins with one name before the next is delayed: a person's typing errors. */
export const SIGN_IN_NAME_FAILURES_FREE = 5

/** The same from one address, which all callers share behind a proxy. */
export const SIGN_IN_ADDRESS_FAILURES_FREE = 20

/**
 * The longest delay: some thousand guesses a day. The first request after it has the next attempt,
 * so an attacker that keeps asking can lock the owner of a name out, but not from a browser in
 * which the owner has signed in.
 */
export const SIGN_IN_DELAY_MS_MAX = 60_000

assert(
  SIGN_IN_DELAY_MS_MAX < ATTEMPT_MEMORY_MS,
  'a failure is remembered for longer than a sign-in waits',
)

const FREE: Readonly<Record<AttemptKind, number>> = {
  name: SIGN_IN_NAME_FAILURES_FREE,
  address: SIGN_IN_ADDRESS_FAILURES_FREE,
  browser: SIGN_IN_NAME_FAILURES_FREE,
}

/**
 * The delay of a name or an address after a number of failures: none for the first ones, then a
 * second, doubled each time.
 */
export function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0
  return Math.min(1000 * 2 ** Math.min(failures - free, 20), SIGN_IN_DELAY_MS_MAX)
}

/** Where an attempt comes from: a known browser, or an unknown one, by name and address. */
export type AttemptSource =
  /** A unique text for the browser. */
  { readonly browser: string } | { readonly name: string; readonly address: string }

/**
 * Attempts to sign in: counted by name and by address for unknown browsers, and by browser alone
 * for known ones, so that neither kind waits for failures of the other. An attempt counts as failed
 * from its beginning until it has succeeded, so that parallel attempts gain nothing. The counts are
 * in the store, so they survive a restart and are shared by all nodes.
 */
export class Attempts {
  constructor(
    private readonly control: ControlStore,
    private readonly clock: () => EpochMs,
  ) {}

  /**
   * Whole seconds after which an attempt may begin; 0 = now. Writes nothing, so that premature
   * guesses with ever new names do not fill the disk.
   */
  async waitSeconds(source: AttemptSource): Promise<number> {
    const nowMs = this.clock()
    return secondsOf(await this.control.look(() => longestWait(keysOf(source), nowMs)))
  }

  /**
   * Begins an attempt, unless it is premature.
   * @returns 0, or the whole seconds after which the next attempt may begin
   */
  async begin(source: AttemptSource): Promise<number> {
    const nowMs = this.clock()
    return secondsOf(await this.control.atomically(() => beginNow(keysOf(source), nowMs)))
  }

  /**
   * Records that the attempt has succeeded. Failures of its address remain, since the address may
   * try other names. After a sign-in from a known browser, those of its name remain too, since
   * unknown browsers have caused them.
   */
  *succeed(source: AttemptSource): Work<void> {
    for (const key of keysOf(source)) {
      yield* key.kind === 'address' ? discountAttempt(key) : deleteAttempts(key)
    }
  }
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000)
}

function* longestWait(keys: readonly AttemptKey[], nowMs: EpochMs): Work<number> {
  let waitMs = 0
  for (const key of keys) {
    const row = yield* findAttempts(key)
    if (row !== undefined) waitMs = Math.max(waitMs, waitOf(row, nowMs))
  }
  return waitMs
}

/** @returns 0, or the milliseconds after which the attempt may begin */
function* beginNow(keys: readonly AttemptKey[], nowMs: EpochMs): Work<number> {
  const rows: AttemptRow[] = []
  for (const key of keys) rows.push(yield* holdAttempts(key, nowMs))
  const waitMs = Math.max(...rows.map((row) => waitOf(row, nowMs)))
  if (waitMs > 0) return waitMs
  for (const row of rows) {
    const before = isForgotten(row, nowMs) ? 0 : row.failures
    yield* updateAttempts({ ...row, failures: before + 1, lastAt: nowMs })
  }
  return 0
}

function keysOf(source: AttemptSource): AttemptKey[] {
  if ('browser' in source) return [keyOf('browser', source.browser)]
  return [keyOf('name', source.name), keyOf('address', source.address)]
}

function keyOf(kind: AttemptKind, text: string): AttemptKey {
  return { kind, key: hash('sha256', text, 'buffer') }
}

function waitOf(row: AttemptRow, nowMs: EpochMs): number {
  if (isForgotten(row, nowMs)) return 0
  const delayMs = delayAfter(row.failures, FREE[row.kind])
  return delayMs === 0 ? 0 : Math.max(0, row.lastAt + delayMs - nowMs)
}

/**
 * True after a memory period, and also if the clock was set back, because the delay would otherwise
 * last until the clock has caught up. Small differences between the clocks of nodes are tolerated.
 */
function isForgotten({ lastAt }: AttemptRow, nowMs: EpochMs): boolean {
  return nowMs < lastAt - SIGN_IN_DELAY_MS_MAX || nowMs >= lastAt + ATTEMPT_MEMORY_MS
}
