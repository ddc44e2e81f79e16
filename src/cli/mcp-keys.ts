import type { AdminContext } from '../admin/admin-context.js'
import { findIntegration, type Integration } from '../admin/integrations.js'
import { createMcpKey, listMcpKeys, revokeMcpKey } from '../admin/mcp-keys.js'
import { CommandError } from '../errors.js'
import { changeCommand, rowsOf } from './change-command.js'
import { type CommandGroup, defineCommand } from './command.js'
import { withAdmin } from './control.js'
import {
  EXPIRES_FLAG,
  IP_ALLOW_FLAG,
  integrationFilterFlag,
  readExpiry,
  readIpAllow,
  readName,
  readScopes,
} from './credential-flags.js'
import { keyLifeOf, lastUseText, networksText } from './key-life.js'
import { readScopesWithin } from './scopes-within.js'
import { tableText } from './table.js'

const LISTING = 'kontor integrations keys list'

const LIST_HEADINGS = [
  ...['id', 'integration', 'state', 'scopes', 'networks', 'expires', 'last use', 'name'],
]

const createKey = defineCommand({
  name: 'create',
  summary: 'create a key for an MCP endpoint and print it once',
  description:
    'The key gives access to the endpoint of its integration only, with the integration’s\n' +
    'accounts and tools. Only its hash is stored: save the key, because it cannot be shown\n' +
    'again.',
  flags: {
    integration: {
      kind: 'text',
      placeholder: 'I',
      isRequired: true,
      summary: 'id of the MCP integration that the key belongs to',
    },
    scopes: {
      kind: 'text',
      placeholder: 'S',
      summary: 'scopes, separated by commas; by default all of the integration',
    },
    expires: EXPIRES_FLAG,
    'ip-allow': IP_ALLOW_FLAG,
    name: {
      kind: 'text',
      placeholder: 'N',
      default: 'MCP key',
      summary: 'name, such as the agent it is for',
    },
  },
  examples: ['kontor integrations keys create --integration 4f0c1d2e3a4b5c6d7e8f --name agent'],
  run: async (call) => {
    const { flags, stdout, clock } = call
    const name = readName('--name', flags.name)
    const requested = flags.scopes === undefined ? undefined : readScopes(flags.scopes)
    const expiresAtMs = readExpiry(flags.expires, clock())
    const ipAllow = readIpAllow(flags['ip-allow'])
    const created = await withAdmin(call, async (admin) => {
      const integration = await mcpIntegration(admin, flags.integration)
      const scopes = readScopesWithin(integration, requested)
      const key = { integrationId: integration.id, name, scopes, expiresAtMs, ipAllow }
      return createMcpKey(admin, key)
    })
    const text = `key ${created.id}, shown only once: ${created.key}`
    await stdout.write(`${flags.json ? JSON.stringify(created) : text}\n`)
  },
})

async function mcpIntegration(admin: AdminContext, id: string): Promise<Integration> {
  const integration = await findIntegration(admin, id)
  if (integration?.kind === 'mcp') return integration
  const what =
    integration === undefined ? 'no integration' : 'an oauth2 integration, not an MCP one'
  const advice = 'kontor integrations list shows all'
  throw new CommandError('failed', `--integration ${JSON.stringify(id)} is ${what}; ${advice}`)
}

const listKeys = defineCommand({
  name: 'list',
  summary: 'list keys of MCP endpoints, without their secrets',
  description: 'Lists keys with their scopes and last use.',
  flags: { integration: integrationFilterFlag('keys') },
  examples: [LISTING, 'kontor integrations keys list --integration 4f0c1d2e3a4b5c6d7e8f --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const found = await withAdmin(call, (admin) => listMcpKeys(admin, flags.integration))
    const keys = found.map((key) => ({
      id: key.id,
      integrationId: key.integrationId,
      name: key.name,
      scopes: key.scopes,
      ...keyLifeOf(key),
    }))
    if (flags.json) return stdout.write(`${JSON.stringify(keys)}\n`)
    const cells = keys.map(({ id, integrationId, scopes, expiresAt, name, ...key }) => [
      ...[id, integrationId, key.state, scopes.join(',')],
      ...[networksText(key), expiresAt ?? 'never', lastUseText(key), name],
    ])
    await stdout.write(tableText(LIST_HEADINGS, cells))
  },
})

const revokeKey = changeCommand(rowsOf('kontor integrations keys', 'key', 'MCP key'), {
  name: 'revoke',
  summary: 'revoke a key of an MCP endpoint',
  description: 'The key is rejected from its next request on. This cannot be undone.',
  change: revokeMcpKey,
  done: 'is revoked',
})

/** `kontor integrations keys …` */
export const mcpKeysCommands: CommandGroup = {
  kind: 'group',
  name: 'keys',
  summary: 'keys of MCP endpoints',
  commands: [createKey, listKeys, revokeKey],
}
