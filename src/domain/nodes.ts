/** A process that answers from a store, as it tells of itself. */
export interface NodeState {
  readonly id: string
  /** When it last told, epoch ms by the clock of the store. */
  readonly heard: number
  /** How long ago that is, by the same clock. */
  readonly ageMs: number
  /** The version of control data that its memory has; 0 = it has just begun, or begun again. */
  readonly controlVersion: number
  /** The version that control data have. */
  readonly newestVersion: number
  /** Number of workspaces in its memory, and their bytes. */
  readonly residents: number
  readonly bytes: number
  /** Version of its program. */
  readonly program: string
}

/** A process that may still act upon what was true before a commit. */
export interface UnconfirmedNode {
  readonly id: string
  /** Until when, epoch ms by the clock of the store. */
  readonly untilMs: number
  /** How long that is. */
  readonly leftMs: number
}

/** Whether all processes know of a commit to control data. */
export type ConfirmationOutcome =
  | { readonly kind: 'confirmed' }
  /** Some have not said so in time; their ids ascend. */
  | { readonly kind: 'unconfirmed'; readonly nodes: readonly UnconfirmedNode[] }
  /** The database could not be asked. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** The processes that answer from one store. */
export interface StoreNodes {
  /** By their ids. Rejects with StoreError. */
  list(): Promise<readonly NodeState[]>
  /**
   * Waits until no process acts upon older control data than those of now. Never rejects: what was
   * committed is committed.
   */
  confirmed(): Promise<ConfirmationOutcome>
}
