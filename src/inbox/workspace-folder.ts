import type { ImportSettings } from '../threads/import-task.js'
import type { Claim } from './claim.js'
import type { FoundFile } from './found-files.js'
import type { HeldFolder } from './held-folder.js'
import { type RestOptions, Sightings } from './rest.js'

/** A condition of the inbox that a person has to change; reported when it begins. */
export interface InboxNotice {
  /** Plain English, the same for every notice of its kind. */
  readonly event: string
  /** The folder. */
  readonly path: string
  /** What is wrong, and what to do; may quote names of files and texts of import.json. */
  readonly message: string
  /** Its cause without such quotations, for a log; absent = the event says all. */
  readonly reason?: string
}

/** A file of a killed process, and the folder that it was claimed in. */
export interface AbandonedClaim {
  readonly folder: HeldFolder
  readonly claim: Claim
}

/** What one process knows of a workspace's folder from one look to the next. */
export class WorkspaceFolder {
  readonly sightings: Sightings
  /** Names of the claims that the last look saw. */
  claims: ReadonlySet<string> = new Set()
  /** Files that have come to rest, the oldest first. */
  ready: FoundFile[] = []
  takenOver: AbandonedClaim[] = []
  /** Options of its files; undefined = unknown: no look yet, or its import.json has a fault. */
  settings: ImportSettings | undefined
  notices: readonly InboxNotice[] = []
  /** The reason why its files cannot be imported now; a condition that no look sees. */
  trouble: string | undefined
  /** No file is taken before this tick. */
  pausedUntilTicks = Number.NEGATIVE_INFINITY
  /** Files that are in the folder itself. */
  waitingCount = 0
  /** Whether a later look may find more to import without a change of the folder. */
  isUnsettled = false
  /** Whether a file of it is in the queue of imports. */
  isBusy = false

  constructor(
    readonly workspaceId: string,
    /** Its path, for messages. */
    readonly path: string,
    rest: RestOptions,
  ) {
    this.sightings = new Sightings(rest)
  }

  /** Takes the next file to import out of the list. */
  next(): FoundFile | AbandonedClaim | undefined {
    return this.takenOver.shift() ?? this.ready.shift()
  }
}
