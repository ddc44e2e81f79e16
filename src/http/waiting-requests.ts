import { ApiError } from '../errors.js'
import { LOAD_WAIT_MS_MAX, LOAD_WAITING_MAX } from '../limits.js'

/** The workspace that a request waits for, and the credential of the request. */
export interface WaitingRequest {
  readonly workspaceId: string
  /** `key:12`, as an access has it. */
  readonly credentialId: string
}

/** Bounds of the waiting requests: how many per credential, and how long each. */
interface WaitingBounds {
  readonly countMax: number
  readonly msMax: number
}

/** Requests that wait for their workspace, bounded in time and in number per credential. */
export class WaitingRequests {
  readonly #counts = new Map<string, number>()

  constructor(
    private readonly bounds: WaitingBounds = {
      countMax: LOAD_WAITING_MAX,
      msMax: LOAD_WAIT_MS_MAX,
    },
  ) {}

  /** Requests of the credential that wait for the workspace. */
  countOf(request: WaitingRequest): number {
    return this.#counts.get(nameOf(request)) ?? 0
  }

  /**
   * Runs `load` and returns its result; rejects without calling it when too many requests wait.
   * @param still the pending state of the workspace, for the message: `loaded`
   * @throws ApiError workspace_unavailable, in time, whatever the reason; the log has the reason
   */
  async wait<Loaded>(
    request: WaitingRequest,
    still: string,
    load: () => Promise<Loaded>,
  ): Promise<Loaded> {
    const { workspaceId } = request
    const count = this.countOf(request)
    if (count >= this.bounds.countMax) {
      const of = 'of this credential'
      throw unavailable(`${count} requests ${of} are already waiting for workspace ${workspaceId}`)
    }
    this.#counts.set(nameOf(request), count + 1)
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_, reject) => {
      const message = `Workspace ${workspaceId} is still being ${still}`
      timer = setTimeout(() => reject(unavailable(message)), this.bounds.msMax)
    })
    try {
      return await Promise.race([load(), tooLong])
    } catch (error) {
      if (error instanceof ApiError) throw error
      const message = `Workspace ${workspaceId} is unavailable; the log has the reason.`
      throw new ApiError('workspace_unavailable', message, { cause: error })
    } finally {
      clearTimeout(timer)
      this.#leave(request)
    }
  }

  #leave(request: WaitingRequest): void {
    const count = this.countOf(request) - 1
    if (count === 0) this.#counts.delete(nameOf(request))
    else this.#counts.set(nameOf(request), count)
  }
}

/** Ids of workspaces have no spaces. */
function nameOf({ workspaceId, credentialId }: WaitingRequest): string {
  return `${workspaceId} ${credentialId}`
}

function unavailable(what: string): ApiError {
  return new ApiError('workspace_unavailable', `${what}; try again in a moment.`)
}
