import {
  CONTROL_LOG_LEFT_PAGES_MAX,
  CONTROL_LOG_MOVE_MS,
  CONTROL_LOG_PAGES_MAX,
} from '../credential-limits.js'
import type { ControlFile } from '../store/control-file.js'
import type { LogState } from '../store/control-log.js'

/** How the log of a served control.db is kept short. */
interface LogKeeping {
  readonly control: ControlFile
  /** Moves the log of the file at that path (control-log.ts in store/), on another thread. */
  readonly move: (path: string, pagesLeftMax: number) => Promise<LogState>
  /** Pages of a log that is long; {@link CONTROL_LOG_PAGES_MAX} unless told otherwise. */
  readonly pagesMax?: number
  /** Pages of it that are left where they are; likewise. */
  readonly pagesLeftMax?: number
  /** Told why the log could not be moved; it is tried again at the next look. */
  readonly onFault: (error: unknown) => void
}

/**
 * Has the log of control.db brought onto the disk when it was written, so that a power cut takes
 * little, and into the file when it is long or nobody writes any more. One move at a time. A log
 * that stays long, because somebody writes without a pause, is moved again and then once more while
 * those who ask for tokens are held ({@link ControlFile.held}): they wait for its last pages, and
 * nobody who reads waits for them.
 */
export class ControlLog {
  #moved = 0
  #isLeft = false
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #state: LogState = { pageCount: 0, movedCount: 0, isCheckpoint: false }
  #checkpointCount = 0

  constructor(private readonly keeping: LogKeeping) {}

  /** Pages of the log when it was last moved. */
  get pageCount(): number {
    return this.#state.pageCount
  }

  /** Those of them that were not in the file then. */
  get leftCount(): number {
    return this.#state.pageCount - this.#state.movedCount
  }

  /** How often pages were brought into the file since this was made. */
  get checkpointCount(): number {
    return this.#checkpointCount
  }

  /** Begins a move if anything was written since the last one, or that one has left something. */
  look(): void {
    const { control, onFault, pagesLeftMax = CONTROL_LOG_LEFT_PAGES_MAX } = this.keeping
    const { ownWriteCount } = control
    const isStill = ownWriteCount === this.#moved
    if (this.#underWay !== undefined || (isStill && !this.#isLeft)) return
    const done = (isLeft: boolean): void => {
      // As it was before the move, which misses nothing of that.
      this.#moved = ownWriteCount
      // What cannot be moved although nobody writes waits for the next who does.
      this.#isLeft = isLeft && !isStill
    }
    this.#underWay = this.#move(isStill ? 0 : pagesLeftMax)
      .then(done, onFault)
      .finally(() => {
        this.#underWay = undefined
      })
  }

  /** @returns whether there may be pages that are not in the file */
  async #move(pagesLeftMax: number): Promise<boolean> {
    const { control, pagesMax = CONTROL_LOG_PAGES_MAX } = this.keeping
    const { pageCount, movedCount } = await this.#moveOnce(pagesLeftMax)
    if (pageCount <= pagesMax) return movedCount < pageCount
    // What was written meanwhile, so that whoever is held waits for less.
    await this.#moveOnce(0)
    await control.holdWhile(this.#moveOnce(0))
    return true
  }

  async #moveOnce(pagesLeftMax: number): Promise<LogState> {
    const { control, move } = this.keeping
    const state = await move(control.path, pagesLeftMax)
    this.#state = state
    if (state.isCheckpoint) this.#checkpointCount += 1
    return state
  }

  /** Looks every {@link CONTROL_LOG_MOVE_MS} from now on. */
  begin(): void {
    this.#timer = setInterval(() => this.look(), CONTROL_LOG_MOVE_MS)
    this.#timer.unref()
  }

  /** Looks no more; resolves when no move is under way. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#underWay
  }
}
