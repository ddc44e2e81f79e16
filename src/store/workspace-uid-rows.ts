import type { ControlFile } from './control-file.js'

/**
 * Ties the keys and integrations of a workspace that belong to no file yet to the one with that
 * uid. What belongs to a file stays with it.
 */
export function bindToWorkspaceFile(control: ControlFile, workspaceId: string, uid: string): void {
  for (const table of ['api_keys', 'integrations']) {
    const loose = 'WHERE workspace_id = ? AND workspace_uid IS NULL'
    // Looked at first: a write is news to every connection.
    if (control.first(`SELECT 1 FROM ${table} ${loose}`, workspaceId) === undefined) continue
    control.run(`UPDATE ${table} SET workspace_uid = ? ${loose}`, uid, workspaceId)
  }
}
