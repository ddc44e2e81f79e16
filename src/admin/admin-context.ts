import type { DataDirectory } from '../store/data-directory.js'
import type { AuditContext } from './audited-change.js'

/** What the functions of this folder work on: the data directory, for an operator or a command. */
export interface AdminContext extends AuditContext {
  readonly directory: DataDirectory
}
