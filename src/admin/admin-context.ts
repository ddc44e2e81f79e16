import type { DataDirectory } from '../store/data-directory.js'
import type { AuditContext } from './audited-change.js'

/** Data directory of the functions in this folder, for an operator or a command. */
export interface AdminContext extends AuditContext {
  readonly directory: DataDirectory
}
