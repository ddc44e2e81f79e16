import { CONTROL_LOG_MOVE_MS } from '../credential-limits.js'
import type { ControlFile } from '../store/control-file.js'

/** How the log of a served control.db is kept short. */
interface LogKeeping {
  readonly control: ControlFile
  /** Moves the log of the file at that path (control-log.ts in store/), on another thread. */
  readonly move: (path: string) => Promise<unknown>
  /** Told why the log could not be moved; it is tried again at the next look. */
  readonly onFault: (error: unknown) => void
}

/**
 * Has the log of control.db moved when it was written, so that it stays short and a power cut takes
 * little. One move at a time.
 */
export class ControlLog {
  #moved = 0
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly keeping: LogKeeping) {}

  /** Begins a move if anything was written since the last one. */
  look(): void {
    const { control, move, onFault } = this.keeping
    const { ownWriteCount, path } = control
    if (this.#underWay !== undefined || ownWriteCount === this.#moved) return
    const done = (): void => {
      // As it was before the move, which misses nothing of that.
      this.#moved = ownWriteCount
    }
    this.#underWay = move(path)
      .then(done, onFault)
      .finally(() => {
        this.#underWay = undefined
      })
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
