import { strict as assert } from 'node:assert'
import type { WalState } from './checkpoint.js'
import type { ControlFile } from './control-file.js'

/**
 * Interval between fsyncs of the WAL of control.db while it is written: a power failure loses at
 * most the commits of that time, programs' revocations included.
 */
export const CHECKPOINT_INTERVAL_MS = 1_000

/**
 * Pages of that WAL (4 KB each) past which token requests wait while it is checkpointed completely,
 * some tens of milliseconds: 700 refreshes a second without a pause write as many in four seconds.
 */
const WAL_PAGES_MAX = 32_768

/**
 * Pages of that WAL that are fsynced and not yet in the file: pages rewritten often, the ends of
 * indexes above all, are copied once, and reading 64 MB takes a fraction of a second should the
 * service be killed.
 */
const WAL_LEFT_PAGES_MAX = 16_384

assert(WAL_LEFT_PAGES_MAX < WAL_PAGES_MAX, 'token requests wait for few pages')

/** Settings that keep the WAL of a served control.db short. */
interface CheckpointOptions {
  readonly control: ControlFile
  /** Checkpoints the WAL of the file at that path (checkpoint.ts), on another thread. */
  readonly checkpoint: (path: string, pagesLeftMax: number) => Promise<WalState>
  /** Pages of a long WAL; absent = {@link WAL_PAGES_MAX}. */
  readonly pagesMax?: number
  /** Pages of it that a checkpoint leaves; likewise. */
  readonly pagesLeftMax?: number
  /** Receives the error of a failed checkpoint; the next tick tries again. */
  readonly onFault: (error: unknown) => void
}

/**
 * Fsyncs the WAL of control.db after writes, so that a power failure loses little, and checkpoints
 * it when it is long or writes have stopped. One checkpoint at a time. A WAL that stays long under
 * constant writes is checkpointed again, and then once more while token requests are held
 * ({@link ControlFile.held}): they wait for its last pages, reads never do.
 */
export class CheckpointScheduler {
  #checkpointed = 0
  #isLeft = false
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #state: WalState = { pageCount: 0, checkpointedCount: 0, isCheckpoint: false }
  #checkpointCount = 0

  constructor(private readonly keeping: CheckpointOptions) {}

  /** Pages of the WAL at the last checkpoint. */
  get pageCount(): number {
    return this.#state.pageCount
  }

  /** Those of them that were not in the file then. */
  get leftCount(): number {
    return this.#state.pageCount - this.#state.checkpointedCount
  }

  /** Checkpoints since the start. */
  get checkpointCount(): number {
    return this.#checkpointCount
  }

  /** Begins a checkpoint after writes since the last one, or when that one left pages. */
  look(): void {
    const { control, onFault, pagesLeftMax = WAL_LEFT_PAGES_MAX } = this.keeping
    const { ownWriteCount } = control
    const isStill = ownWriteCount === this.#checkpointed
    if (this.#underWay !== undefined || (isStill && !this.#isLeft)) return
    const done = (isLeft: boolean): void => {
      // Its value before the checkpoint, which covers at least those writes.
      this.#checkpointed = ownWriteCount
      // Pages that cannot be checkpointed without a writer wait for the next write.
      this.#isLeft = isLeft && !isStill
    }
    this.#underWay = this.#checkpoint(isStill ? 0 : pagesLeftMax)
      .then(done, onFault)
      .finally(() => {
        this.#underWay = undefined
      })
  }

  /** @returns whether there may be pages that are not in the file */
  async #checkpoint(pagesLeftMax: number): Promise<boolean> {
    const { control, pagesMax = WAL_PAGES_MAX } = this.keeping
    const { pageCount, checkpointedCount } = await this.#checkpointOnce(pagesLeftMax)
    if (pageCount <= pagesMax) return checkpointedCount < pageCount
    // Covers the writes made meanwhile, so that token requests are held for less time.
    await this.#checkpointOnce(0)
    await control.holdWhile(this.#checkpointOnce(0))
    return true
  }

  async #checkpointOnce(pagesLeftMax: number): Promise<WalState> {
    const { control, checkpoint } = this.keeping
    const state = await checkpoint(control.path, pagesLeftMax)
    this.#state = state
    if (state.isCheckpoint) this.#checkpointCount += 1
    return state
  }

  /** Starts checking every {@link CHECKPOINT_INTERVAL_MS}. */
  begin(): void {
    this.#timer = setInterval(() => this.look(), CHECKPOINT_INTERVAL_MS)
    this.#timer.unref()
  }

  /** Stops checking; resolves when no checkpoint is under way. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#underWay
  }
}
