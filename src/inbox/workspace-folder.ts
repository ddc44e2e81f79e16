import type { WorkspaceAddress } from '../store/workspace.js'
import type { ImportSettings } from '../threads/import-task.js'
import type { Claim } from './claim.js'
import type { FoundFile } from './found-files.js'
import type { HeldFolder } from './held-folder.js'
import { StabilityCheck, type StabilityOptions } from './stability.js'

/** A condition of the inbox that an administrator has to change; reported when it begins. */
export interface InboxNotice {
  /** Plain English, the same for every notice of its kind. */
  readonly event: string
  /** The folder. */
  readonly path: string
  /** The fault and its remedy; may quote names of files and texts of import.json. */
  readonly message: string
  /** Its cause without such quotations, for a log; absent = the event suffices. */
  readonly reason?: string
}

/** A file of a killed process, and the folder that it was claimed in. */
export interface AbandonedClaim {
  readonly folder: HeldFolder
  readonly claim: Claim
}

/** State of a workspace's folder between two scans, in one process. */
export class WorkspaceFolder {
  readonly stability: StabilityCheck
  /** Names of the claims that the last scan found. */
  claims: ReadonlySet<string> = new Set()
  /** Complete files, the oldest first. */
  ready: FoundFile[] = []
  takenOver: AbandonedClaim[] = []
  /** Options of its files; undefined = unknown: no scan yet, or its import.json has a fault. */
  settings: ImportSettings | undefined
  notices: readonly InboxNotice[] = []
  /** The reason why its files cannot be imported now; scans do not detect it. */
  error: string | undefined
  /** No file is taken before this tick. */
  pausedUntilTicks = Number.NEGATIVE_INFINITY
  /** Number of files in the folder itself. */
  waitingCount = 0
  /** Whether a later scan may find more to import without a change of the folder. */
  isUnsettled = false
  /** Whether a file of it is in the queue of imports. */
  isBusy = false

  constructor(
    readonly workspaceId: string,
    readonly address: WorkspaceAddress,
    /** Its path, for messages. */
    readonly path: string,
    options: StabilityOptions,
  ) {
    this.stability = new StabilityCheck(options)
  }

  /** Takes the next file to import out of the list. */
  next(): FoundFile | AbandonedClaim | undefined {
    return this.takenOver.shift() ?? this.ready.shift()
  }
}
