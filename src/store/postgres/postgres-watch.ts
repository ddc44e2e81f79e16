import type {
  SealedVersion,
  WorkspaceChange,
  WorkspaceVersion,
  WorkspaceWatch,
} from '../workspace.js'

/** What a pulse knows of one workspace. */
export interface HeardWorkspace {
  /** The newest version heard of; undefined = there is no such workspace. */
  readonly head: WorkspaceVersion | undefined
  /** Grows when another server, or another start of one, was heard. */
  readonly serverCount: number
}

/**
 * Notices commits to a workspace by what a pulse has heard of it. While the database is away it is
 * unchanged: how old that is, the pulse says (`Pulse.heardAgeMs`).
 */
export class PostgresWatch implements WorkspaceWatch {
  readonly hasMarks = true
  #polled: WorkspaceVersion
  #serverCount: number
  #isClosed = false

  /**
   * @param polled the version that changes are found since
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
   * The change since the last call, or since the watch began. Compares numbers, and throws nothing.
   * `unlogged` = the past is another: a backup was restored, or the server replaced by one that was
   * behind. If more was written to it meanwhile, this is `changed`, and the mark tells the reader.
   * After another server, or a start of it, `unlogged` once: a reader may have read changes that
   * were not heard of before, and are lost.
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

  /** A commit is all that a database needs. */
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
