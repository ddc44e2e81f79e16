/** Reasons why requests would not be answered (see `GET /readyz`). A reason is never renamed. */
export const UNREADY_REASONS = [
  /** The service was asked to end, and still answers requests until its port closes. */
  'stopping',
  /** The folder of the workspaces is missing or unreadable. */
  'data_directory_unreadable',
  /** `control.db` is missing or unreadable: no credential can be checked. */
  'control_db_unreadable',
  /** The database has been out of contact for longer than `--offline`. */
  'database_unavailable',
] as const

export type UnreadyReason = (typeof UNREADY_REASONS)[number]

/** The answer of `GET /livez`. */
export interface Liveness {
  status: 'live'
}

/** The answer of `GET /readyz`. */
export interface Readiness {
  status: 'ready' | 'unavailable'
  /** Present when it is unavailable. */
  reasons?: UnreadyReason[]
  /** Present while the database is out of contact and requests are answered from memory. */
  degraded?: true
  /** Number of workspaces that cannot be loaded at present; present when there are any. */
  failingWorkspaces?: number
}
