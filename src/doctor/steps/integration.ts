import { accountIdsOf, scopesOf, toolsOf } from '../../auth/selection.js'
import { TOOL_NAMES } from '../../domain/integration.js'
import { workspaceExists, workspacePath } from '../../store/data-directory.js'
import { StoreError } from '../../store/store-error.js'
import { WorkspaceFile } from '../../store/workspace-file.js'
import { workspaceUid } from '../../store/workspace-presence.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'

/** The content of the data directory, before any request. */
export const INTEGRATION_STEP: DiagnosticStep = {
  id: 'integration',
  title: 'the integration is active and has something to show',
  needs: [],
  look: lookAtIntegration,
}

function lookAtIntegration({ integration, directory }: DiagnosticRun): Finding {
  const { id, kind, workspaceId, isActive } = integration
  const said = `${kind} integration of the workspace ${workspaceId}`
  if (!isActive) {
    const fix = `kontor integrations activate ${id} lets its credentials in again.`
    return failed(`${said}, inactive: all its addresses answer 404`, fix)
  }
  if (!workspaceExists(directory, workspaceId)) {
    const fix = 'Bring the file of the workspace back, or delete the integration.'
    return failed(`${said}, which has no file`, fix)
  }
  const uid = workspaceUid(directory, workspaceId) ?? null
  if (integration.workspaceUid !== null && uid !== null && integration.workspaceUid !== uid) {
    return failed(`${said}, made for another file than the one that is there now`, ORPHAN)
  }
  const scopes = scopesOf(integration.scopes)
  const tools = toolsOf(integration.tools) ?? TOOL_NAMES
  const missing = scopes.length === 0 ? 'scopes' : kind === 'mcp' && tools.length === 0 && 'tools'
  if (missing) return failed(`${said}, without ${missing}`, REMAKE)
  const accounts = accountIdsIn(workspacePath(directory, workspaceId))
  if (typeof accounts === 'string') {
    return failed(`${said}, whose file cannot be read: ${accounts}`, 'See kontor workspaces list.')
  }
  if (accounts.length === 0) {
    const fix = `kontor import --workspace ${workspaceId} FILE brings accounts in.`
    return failed(`${said}, which has no accounts`, fix)
  }
  const chosen = accountIdsOf(integration.accounts)
  const shown = accounts.filter((account) => chosen === null || chosen.includes(account))
  if (shown.length === 0) {
    return failed(`${said}; none of the accounts that it selects is there`, REMAKE)
  }
  const words = [`accounts ${chosen === null ? 'all' : shown.join(',')}`, scopes.join(' ')]
  if (kind === 'mcp') words.push(tools.join(' '))
  return ok(`${said}, active: ${words.join('; ')}`)
}

const ORPHAN =
  'Bring the file back that the integration was made for, or make another integration: nobody ' +
  'has been let in to the one that has taken its place.'

const REMAKE =
  'Make another integration with kontor integrations create, and choose --accounts, --scopes and ' +
  '--tools.'

/** Ids of the accounts of a workspace, or the reason why its file cannot be read. */
function accountIdsIn(path: string): readonly number[] | string {
  let file: WorkspaceFile | undefined
  try {
    file = WorkspaceFile.openForReading(path, 0)
    return file.accounts().map(({ id }) => id)
  } catch (error) {
    if (error instanceof StoreError) return error.message
    throw error
  } finally {
    file?.close()
  }
}
