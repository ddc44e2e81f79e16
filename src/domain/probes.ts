/** Why requests would not be answered (see `GET /readyz`). A reason is never renamed. */
export const UNREADY_REASONS = [
  /** The service was asked to end, and answers what still comes until its port closes. */
  'stopping',
  /** The folder of the workspaces is gone, or may not be read. */
  'data_directory_unreadable',
  /** `control.db` is gone, or may not be read: no credential can be checked. */
  'control_db_unreadable',
] as const

export type UnreadyReason = (typeof UNREADY_REASONS)[number]

/** What `GET /livez` answers. */
export interface Liveness {
  status: 'live'
}

/** What `GET /readyz` answers. */
export interface Readiness {
  status: 'ready' | 'unavailable'
  /** There when it is unavailable. */
  reasons?: UnreadyReason[]
}
