/** Pause before loading a workspace again after a failure; doubled after each further one. */
export const LOAD_RETRY_MS = 5_000

/** The longest such pause. */
export const LOAD_RETRY_MS_MAX = 60_000

/** How long a failure is remembered after the end of its pause: workspaces come and go. */
const REMEMBERED_MS = 120_000

interface Failure {
  readonly error: Error
  readonly atMs: number
  readonly pauseMs: number
  /** What each row took if the workspace was beyond the memory budget, else 0. */
  readonly bytesPerRow: number
}

/** The workspaces that could not be loaded, and when each is to be tried again. */
export class LoadFailures {
  readonly #failures = new Map<string, Failure>()

  /** @param clock monotonic milliseconds */
  constructor(private readonly clock: () => number) {}

  /** Number of workspaces whose last load failed. */
  get count(): number {
    this.#forgetOld()
    return this.#failures.size
  }

  /** The error of the last load, until the next attempt is due; undefined = none, or it is due. */
  recent(workspaceId: string): Error | undefined {
    const failure = this.#failures.get(workspaceId)
    if (failure === undefined || this.clock() - failure.atMs >= failure.pauseMs) return undefined
    return failure.error
  }

  /** What each row of the workspace took when it was beyond the memory budget; 0 = not known. */
  bytesPerRow(workspaceId: string): number {
    return this.#failures.get(workspaceId)?.bytesPerRow ?? 0
  }

  /** @param bytesPerRow measured, if the workspace was beyond the memory budget, else 0 */
  add(workspaceId: string, error: Error, bytesPerRow: number): void {
    this.#forgetOld()
    const before = this.#failures.get(workspaceId)
    const doubledMs = Math.min((before?.pauseMs ?? 0) * 2, LOAD_RETRY_MS_MAX)
    const pauseMs = Math.max(doubledMs, LOAD_RETRY_MS)
    this.#failures.set(workspaceId, { error, atMs: this.clock(), pauseMs, bytesPerRow })
  }

  /** Makes the next attempt of each workspace due; a failure of that is as a first one. */
  endPauses(): void {
    for (const [id, failure] of this.#failures) this.#failures.set(id, { ...failure, pauseMs: 0 })
  }

  /** The workspace was loaded. */
  delete(workspaceId: string): void {
    this.#failures.delete(workspaceId)
  }

  #forgetOld(): void {
    const nowMs = this.clock()
    for (const [id, { atMs, pauseMs }] of this.#failures) {
      if (nowMs - atMs >= pauseMs + REMEMBERED_MS) this.#failures.delete(id)
    }
  }
}
