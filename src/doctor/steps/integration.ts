import { accountIdsOf, scopesOf, toolsOf } from '../../auth/selection.js'
import { TOOL_NAMES } from '../../domain/integration.js'
import { workspaceExists, workspacePath } from '../../store/data-directory.js'
import { WorkspaceFile } from '../../store/sqlite/workspace-file.js'
import { workspaceUid } from '../../store/sqlite/workspace-presence.js'
import { StoreError } from '../../store/store-error.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'

/** The content of the data directory, before any request. */
export const INTEGRATION_STEP: DiagnosticStep = {
  id: 'integration',
  title: 'the integration is active and has data',
  needs: [],
  check: checkIntegration,
}

function checkIntegration({ integration, directory }: DiagnosticRun): Finding {
  const { id, kind, workspaceId, isActive } = integration
  const subject = `${kind} integration of workspace ${workspaceId}`
  if (!isActive) {
    const fix = `Activate it with kontor integrations activate ${id}.`
    return failed(`${subject}, inactive: all its addresses answer 404`, fix)
  }
  if (!workspaceExists(directory, workspaceId)) {
    const fix = 'Restore the workspace file, or delete the integration.'
    return failed(`${subject}, which has no file`, fix)
  }
  const uid = workspaceUid(directory, workspaceId) ?? null
  if (integration.workspaceUid !== null && uid !== null && integration.workspaceUid !== uid) {
    return failed(`${subject}, created for a workspace file that has since been replaced`, ORPHAN)
  }
  const scopes = scopesOf(integration.scopes)
  const tools = toolsOf(integration.tools) ?? TOOL_NAMES
  const missing = scopes.length === 0 ? 'scopes' : kind === 'mcp' && tools.length === 0 && 'tools'
  if (missing) return failed(`${subject}, without ${missing}`, REMAKE)
  const accounts = accountIdsIn(workspacePath(directory, workspaceId))
  if (typeof accounts === 'string') {
    return failed(
      `${subject}, whose file cannot be read: ${accounts}`,
      'See kontor workspaces list.',
    )
  }
  if (accounts.length === 0) {
    const fix = `Import a bank file with kontor import --workspace ${workspaceId} FILE.`
    return failed(`${subject}, which has no accounts`, fix)
  }
  const chosen = accountIdsOf(integration.accounts)
  const shown = accounts.filter((account) => chosen === null || chosen.includes(account))
  if (shown.length === 0) {
    return failed(`${subject}; none of its selected accounts exists`, REMAKE)
  }
  const words = [`accounts ${chosen === null ? 'all' : shown.join(',')}`, scopes.join(' ')]
  if (kind === 'mcp') words.push(tools.join(' '))
  return ok(`${subject}, active: ${words.join('; ')}`)
}

const ORPHAN =
  'Restore the original file, or create a new integration: this one gives no access to the ' +
  'new file.'

const REMAKE =
  'Create a new integration with kontor integrations create and the right --accounts, ' +
  '--scopes and --tools.'

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
