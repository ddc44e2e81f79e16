import { first, run, type Work } from './work.js'

/**
 * Binds the unbound keys and integrations of a workspace to the file with that uid. Bound ones stay
 * as they are.
 */
export function* bindToWorkspaceFile(workspaceId: string, uid: string): Work<void> {
  for (const table of ['api_keys', 'integrations']) {
    const loose = 'WHERE workspace_id = @workspaceId AND workspace_uid IS NULL'
    // Read first: every connection notices a write.
    const found = yield* first(`SELECT 1 FROM ${table} ${loose} LIMIT 1`, { workspaceId })
    if (found === undefined) continue
    yield* run(`UPDATE ${table} SET workspace_uid = @uid ${loose}`, { workspaceId, uid })
  }
}
