import { accountIdsOf, scopesOf, toolsOf } from '../../auth/selection.js'
import { TOOL_NAMES } from '../../domain/integration.js'
import { readWorkspace } from '../../store/open-workspace.js'
import { StoreError } from '../../store/store-error.js'
import type { WorkspaceAddress } from '../../store/workspace.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'

/** The content of the data directory, before any request. */
export const INTEGRATION_STEP: DiagnosticStep = {
  id: 'integration',
  title: 'the integration is active and has data',
  needs: [],
  check: checkIntegration,
}

async function checkIntegration({ integration, catalog }: DiagnosticRun): Promise<Finding> {
  const { id, kind, workspaceId, isActive } = integration
  const subject = `${kind} integration of workspace ${workspaceId}`
  if (!isActive) {
    const fix = `Activate it with kontor integrations activate ${id}.`
    return failed(`${subject}, inactive: all its addresses answer 404`, fix)
  }
  const address = await catalog.find(workspaceId)
  if (address === undefined) {
    const fix = 'Restore the workspace file, or delete the integration.'
    return failed(`${subject}, which has no file`, fix)
  }
  const uid = (await catalog.uidOf(workspaceId)) ?? null
  if (integration.workspaceUid !== null && uid !== null && integration.workspaceUid !== uid) {
    return failed(`${subject}, created for a workspace file that has since been replaced`, ORPHAN)
  }
  const scopes = scopesOf(integration.scopes)
  const tools = toolsOf(integration.tools) ?? TOOL_NAMES
  const missing = scopes.length === 0 ? 'scopes' : kind === 'mcp' && tools.length === 0 && 'tools'
  if (missing) return failed(`${subject}, without ${missing}`, REMAKE)
  const accounts = await accountIdsIn(address)
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
async function accountIdsIn(address: WorkspaceAddress): Promise<readonly number[] | string> {
  try {
    const accounts = await readWorkspace(address, (state) => state.accounts(), { busyTimeoutMs: 0 })
    return accounts.map(({ id }) => id)
  } catch (error) {
    if (error instanceof StoreError) return error.message
    throw error
  }
}
