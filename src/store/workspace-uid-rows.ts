import type { ControlFile } from './sqlite/control-file.js'

/**
 * Binds the unbound keys and integrations of a workspace to the file with that uid. Bound ones stay
 * as they are.
 */
export function bindToWorkspaceFile(control: ControlFile, workspaceId: string, uid: string): void {
  for (const table of ['api_keys', 'integrations']) {
    const loose = 'WHERE workspace_id = ? AND workspace_uid IS NULL'
    // Read first: every connection notices a write.
    if (control.first(`SELECT 1 FROM ${table} ${loose}`, workspaceId) === undefined) continue
    control.run(`UPDATE ${table} SET workspace_uid = ? ${loose}`, uid, workspaceId)
  }
}
