import type {
  SealedVersion,
  WorkspaceChange,
  WorkspaceVersion,
  WorkspaceWatch,
} from '../workspace.js'

/** The state of one workspace that a pulse has read. */
export interface HeardWorkspace {
  /** The newest version; undefined = there is no such workspace. */
  readonly head: WorkspaceVersion | undefined
  /** Grows when another server, or another start of one, was heard. */
  readonly serverCount: number
}

/**
 * Notices commits to a workspace by the polls of a pulse. While the database is unreachable, it
 * reports `unchanged`; `Pulse.heardAgeMs` is the age of the last poll.
 */
export class PostgresWatch implements WorkspaceWatch {
  readonly hasMarks = true
  #polled: WorkspaceVersion
  #serverCount: number
  #isClosed = false

  /**
   * @param polled the version since which changes are reported
   * @param onClosed called once
   */
  constructor(
    private readonly heard: HeardWorkspace,
    polled: WorkspaceVersion,
    private readonly onClosed: () => void,
  ) {
    this.#polled = polled
    this.#serverCount = heard.serverCount
  }

  /** Number of the last change as of the last call of `poll`. */
  get sequence(): number {
    return this.#polled.sequence
  }

  /**
   * The change since the last call, or since the watch began. Never throws. `unlogged` = a
   * different history: a backup was restored, or a server that lagged behind was promoted. If the
   * sequence is greater already, this is `changed`, and the reader detects the history by the mark.
   * After another server, or another start of one, it is `unlogged` once: a reader may have read
   * changes that the pulse had not polled, and that are lost.
   */
  poll(): WorkspaceChange {
    const { head, serverCount } = this.heard
    const polled = this.#polled
    if (head === undefined) return 'gone'
    if (head.uid !== polled.uid) return 'replaced'
    this.#polled = head
    const isOtherServer = serverCount !== this.#serverCount
    this.#serverCount = serverCount
    if (isOtherServer) return 'unlogged'
    if (head.sequence > polled.sequence) return 'changed'
    return isSameVersion(head, polled) ? 'unchanged' : 'unlogged'
  }

  /** See {@link WorkspaceWatch}. */
  isAt({ version }: SealedVersion): boolean {
    return this.heard.head !== undefined && isSameVersion(this.heard.head, version)
  }

  /** A database needs no checkpoint. */
  settle(): boolean {
    return true
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onClosed()
  }
}

function isSameVersion(one: WorkspaceVersion, two: WorkspaceVersion): boolean {
  return one.uid === two.uid && one.sequence === two.sequence && one.mark === two.mark
}
