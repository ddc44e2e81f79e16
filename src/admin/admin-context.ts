import type { DataDirectory } from '../store/data-directory.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import type { AuditContext } from './audited-change.js'

/** The store and the actor that the functions of this folder use: an operator or a command. */
export interface AdminContext extends AuditContext {
  readonly catalog: WorkspaceCatalog
  /** Has the caches of workspaces. */
  readonly directory: DataDirectory
}
