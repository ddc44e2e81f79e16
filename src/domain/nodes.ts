/** A server of a database, as its last heartbeat describes it. */
export interface NodeState {
  readonly id: string
  /** Time of the heartbeat, epoch ms by the clock of the database. */
  readonly heard: number
  /** Age of the heartbeat, by the same clock. */
  readonly ageMs: number
  /** The version of control data in its memory; 0 = it has just connected. */
  readonly controlVersion: number
  /** The present version of control data. */
  readonly newestVersion: number
  /** Number of workspaces in its memory, and their bytes. */
  readonly residents: number
  readonly bytes: number
  /** Version of its program. */
  readonly program: string
}

/** A node that may still use the state before a commit. */
export interface UnconfirmedNode {
  readonly id: string
  /** End of its lease, epoch ms by the clock of the database. */
  readonly untilMs: number
  /** Remaining time until then. */
  readonly leftMs: number
}

/** Whether all nodes have applied a commit to control data. */
export type ConfirmationOutcome =
  | { readonly kind: 'confirmed' }
  /** Some have not confirmed it in time; ids ascending. */
  | { readonly kind: 'unconfirmed'; readonly nodes: readonly UnconfirmedNode[] }
  /** The database could not be queried. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** The nodes of a database. */
export interface StoreNodes {
  /** Ids ascending. Rejects with StoreError. */
  list(): Promise<readonly NodeState[]>
  /**
   * Waits until every node uses the present control data. Never rejects, because the change has
   * been committed.
   */
  confirmed(): Promise<ConfirmationOutcome>
}
