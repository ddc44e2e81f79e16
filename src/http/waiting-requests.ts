import { ApiError } from '../errors.js'
import { LOAD_WAIT_MS_MAX, LOAD_WAITING_MAX } from '../limits.js'

/** How many requests may wait for one workspace at a time, and each of them how long. */
interface WaitingBounds {
  readonly countMax: number
  readonly msMax: number
}

/** Requests that wait for their workspace: none for ever, and never too many for one. */
export class WaitingRequests {
  readonly #counts = new Map<string, number>()

  constructor(
    private readonly bounds: WaitingBounds = {
      countMax: LOAD_WAITING_MAX,
      msMax: LOAD_WAIT_MS_MAX,
    },
  ) {}

  /** How many wait for the workspace. */
  countOf(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0
  }

  /**
   * What `bring` brings, which is not asked for it when too many wait already.
   * @param still what the workspace is still being, for the message: `loaded`
   * @throws ApiError workspace_unavailable, in time, whatever the reason; the log has the reason
   */
  async wait<Brought>(
    workspaceId: string,
    still: string,
    bring: () => Promise<Brought>,
  ): Promise<Brought> {
    const count = this.countOf(workspaceId)
    if (count >= this.bounds.countMax) {
      throw unavailable(`${count} requests wait for the workspace ${workspaceId} already`)
    }
    this.#counts.set(workspaceId, count + 1)
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_, reject) => {
      const message = `The workspace ${workspaceId} is still being ${still}`
      timer = setTimeout(() => reject(unavailable(message)), this.bounds.msMax)
    })
    try {
      return await Promise.race([bring(), tooLong])
    } catch (error) {
      if (error instanceof ApiError) throw error
      const message = `The workspace ${workspaceId} cannot be read at the moment; the log says why.`
      throw new ApiError('workspace_unavailable', message, { cause: error })
    } finally {
      clearTimeout(timer)
      this.#leave(workspaceId)
    }
  }

  #leave(workspaceId: string): void {
    const count = this.countOf(workspaceId) - 1
    if (count === 0) this.#counts.delete(workspaceId)
    else this.#counts.set(workspaceId, count)
  }
}

function unavailable(what: string): ApiError {
  return new ApiError('workspace_unavailable', `${what}; try again in a moment.`)
}
