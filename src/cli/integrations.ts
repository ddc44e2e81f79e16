import {
  activateIntegration,
  createIntegration,
  deactivateIntegration,
  deleteIntegration,
  type Integration,
  listIntegrations,
  type NewIntegration,
} from '../admin/integrations.js'
import { issuerUrl, resourceUrl } from '../auth/issuer-url.js'
import { INTEGRATION_KINDS, type IntegrationKind } from '../domain/integration.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import {
  ACCESS_TOKEN_MS_DEFAULT,
  ACCESS_TOKEN_MS_MAX,
  CODE_MS_DEFAULT,
  CODE_MS_MAX,
  REFRESH_TOKEN_MS_DEFAULT,
  REFRESH_TOKEN_MS_MAX,
} from '../limits.js'
import { BASE_URL_FLAG, readBaseUrl } from './base-url.js'
import { changeCommand } from './change-command.js'
import { type CommandGroup, type Context, defineCommand } from './command.js'
import { adminOf, orphansAmong, requireWorkspace, withAdmin, withStore } from './control.js'
import {
  ACCOUNTS_FLAG,
  readAccounts,
  readDuration,
  readName,
  readScopes,
  readTools,
  SCOPES_FLAG,
} from './credential-flags.js'
import { formatDuration } from './duration.js'
import { mcpKeysCommands } from './mcp-keys.js'
import { tableText } from './table.js'

const LISTING = 'kontor integrations list'

const CREATE_FLAGS = {
  workspace: {
    kind: 'text',
    placeholder: 'W',
    isRequired: true,
    summary: 'workspace that it gives access to',
  },
  type: {
    kind: 'text',
    placeholder: 'T',
    isRequired: true,
    choices: INTEGRATION_KINDS,
    summary: 'oauth2 for the REST operations, mcp for an MCP endpoint',
  },
  name: {
    kind: 'text',
    placeholder: 'N',
    isRequired: true,
    summary: 'name, such as the program it is for',
  },
  accounts: ACCOUNTS_FLAG,
  tools: {
    kind: 'text',
    placeholder: 'T',
    default: 'all',
    summary: 'all (including future ones), or names separated by commas; mcp only',
  },
  scopes: SCOPES_FLAG,
  dcr: { kind: 'switch', summary: 'allow dynamic client registration (RFC 7591); mcp only' },
  'mask-ibans': { kind: 'switch', summary: 'hide IBANs from agents; mcp only' },
  'mask-names': { kind: 'switch', summary: 'hide names of counterparts from agents; mcp only' },
  'code-life': {
    kind: 'text',
    placeholder: 'T',
    default: formatDuration(CODE_MS_DEFAULT),
    summary: 'lifetime of an authorization code',
  },
  'access-life': {
    kind: 'text',
    placeholder: 'T',
    default: formatDuration(ACCESS_TOKEN_MS_DEFAULT),
    summary: 'lifetime of an access token',
  },
  'refresh-life': {
    kind: 'text',
    placeholder: 'T',
    default: formatDuration(REFRESH_TOKEN_MS_DEFAULT),
    summary: 'lifetime of an unused refresh token',
  },
  'base-url': BASE_URL_FLAG,
} as const

const createCommand = defineCommand({
  name: 'create',
  summary: 'give other programs access by OAuth 2.1 or MCP',
  description:
    'An oauth2 integration has an issuer; its clients (kontor clients create) get access to the\n' +
    'REST operations of the workspace. An mcp integration has an MCP endpoint for its own keys\n' +
    '(kontor integrations keys create) and clients. Both are restricted to the accounts, scopes\n' +
    'and tools given here.',
  flags: CREATE_FLAGS,
  examples: [
    'kontor integrations create --workspace demo --type oauth2 --name "Tax adviser"',
    'kontor integrations create --workspace demo --type mcp --name Agent --accounts 1,2 --dcr',
  ],
  run: async (call) => {
    const { flags, stdout } = call
    const input = inputOf(flags)
    const baseUrl = readBaseUrl(flags['base-url']) ?? ''
    const { workspaceId, accountIds } = input
    const row = await withStore(call, async (store) => {
      const workspaceUid = await requireWorkspace(store, workspaceId, accountIds)
      return createIntegration(adminOf(store), { ...input, workspaceUid })
    })
    const output = { id: row.id, ...urlsOf(baseUrl, row) }
    if (flags.json) return stdout.write(`${JSON.stringify(output)}\n`)
    const lines = Object.entries(output).map(([name, value]) => `${name.padEnd(8)}  ${value}\n`)
    await stdout.write(lines.join(''))
  },
})

/** @throws CommandError usage */
function inputOf(flags: Context<typeof CREATE_FLAGS>['flags']): NewIntegration {
  // parseArguments accepts only the values of the flag.
  const kind = flags.type as IntegrationKind
  const life = (flag: 'code-life' | 'access-life' | 'refresh-life', maxMs: number): number =>
    readDuration(`--${flag}`, flags[flag], { minMs: 1_000, maxMs })
  const input = {
    workspaceId: flags.workspace,
    kind,
    name: readName('--name', flags.name),
    scopes: readScopes(flags.scopes),
    accountIds: readAccounts(flags.accounts),
    tools: readTools(flags.tools),
    letsRegister: flags.dcr,
    masksIbans: flags['mask-ibans'],
    masksNames: flags['mask-names'],
    codeMs: life('code-life', CODE_MS_MAX),
    accessMs: life('access-life', ACCESS_TOKEN_MS_MAX),
    refreshMs: life('refresh-life', REFRESH_TOKEN_MS_MAX),
  }
  const forMcp = ['dcr', 'mask-ibans', 'mask-names'] as const
  const misplaced = input.tools === null ? forMcp.find((flag) => flags[flag]) : 'tools'
  if (kind === 'oauth2' && misplaced !== undefined) {
    throw new CommandError('usage', `--${misplaced} applies only to --type mcp`)
  }
  return input
}

const listCommand = defineCommand({
  name: 'list',
  summary: 'list integrations with their addresses',
  description:
    'Lists integrations, including inactive ones. An orphaned integration belongs to a\n' +
    'workspace file that has been replaced, and gives no access.',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', summary: 'only integrations of this workspace' },
    'base-url': BASE_URL_FLAG,
  },
  examples: [LISTING, 'kontor integrations list --workspace demo --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const baseUrl = readBaseUrl(flags['base-url']) ?? ''
    const { found, isOrphan } = await withAdmin(call, async (admin) => {
      const found = await listIntegrations(admin, flags.workspace)
      return { found, isOrphan: await orphansAmong(admin, found) }
    })
    const integrations = found.map((integration) => ({
      ...describe(integration),
      ...(isOrphan(integration) ? { state: 'orphaned' } : {}),
      ...urlsOf(baseUrl, integration),
    }))
    if (flags.json) return stdout.write(`${JSON.stringify(integrations)}\n`)
    const cells = integrations.map(({ id, workspaceId, type, state, name, endpoint, issuer }) => {
      return [id, workspaceId, type, state, endpoint ?? issuer, name]
    })
    const headings = ['id', 'workspace', 'type', 'state', 'endpoint or issuer', 'name']
    await stdout.write(tableText(headings, cells))
  },
})

function describe(row: Integration) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    type: row.kind,
    name: row.name,
    state: row.isActive ? 'active' : 'inactive',
    scopes: row.scopes,
    accounts: row.accountIds ?? 'all',
    ...(row.kind === 'mcp'
      ? {
          tools: row.tools ?? 'all',
          dcr: row.letsRegister,
          maskIbans: row.masksIbans,
          maskNames: row.masksNames,
        }
      : {}),
    codeLife: formatDuration(row.codeMs),
    accessLife: formatDuration(row.accessMs),
    refreshLife: formatDuration(row.refreshMs),
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
  }
}

/** The URLs of an integration: an MCP one has an endpoint of its own. */
function urlsOf(
  baseUrl: string,
  { id, kind, workspaceId }: Pick<Integration, 'id' | 'kind' | 'workspaceId'>,
): { readonly endpoint?: string; readonly issuer: string } {
  const place = { kind, workspaceId, integrationId: id }
  const issuer = issuerUrl(baseUrl, place)
  return kind === 'mcp' ? { endpoint: resourceUrl(baseUrl, place), issuer } : { issuer }
}

const INTEGRATION = {
  group: 'kontor integrations',
  what: 'integration',
  idSummary: 'id of the integration, as listed',
  idExample: '4f0c1d2e3a4b5c6d7e8f',
  readId: (id: string) => id,
}

/** `kontor integrations …` */
export const integrationsCommands: CommandGroup = {
  kind: 'group',
  name: 'integrations',
  summary: 'OAuth 2.1 issuers and MCP endpoints for other programs',
  commands: [
    createCommand,
    listCommand,
    changeCommand(INTEGRATION, {
      name: 'activate',
      change: activateIntegration,
      summary: 'reactivate an integration',
      description: 'Its keys and tokens work again unless they have expired or been revoked.',
      done: 'is active',
    }),
    changeCommand(INTEGRATION, {
      name: 'deactivate',
      change: deactivateIntegration,
      summary: 'deactivate an integration',
      description: 'Its keys and tokens are rejected immediately, until it is activated again.',
      done: 'is inactive',
    }),
    changeCommand(INTEGRATION, {
      name: 'delete',
      change: deleteIntegration,
      summary: 'delete an integration with its clients, keys and tokens',
      description: 'All access through it ends immediately. This cannot be undone.',
      done: 'is deleted',
    }),
    mcpKeysCommands,
  ],
}
