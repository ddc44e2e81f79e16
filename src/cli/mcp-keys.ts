import { createMcpKey, revokeMcpKey } from '../auth/mcp-keys.js'
import { scopesOf } from '../auth/selection.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { CommandError } from '../errors.js'
import type { ControlFile } from '../store/control-file.js'
import { findIntegration, type IntegrationRow } from '../store/integration-rows.js'
import { listMcpKeys } from '../store/mcp-key-rows.js'
import { type CommandGroup, defineCommand } from './command.js'
import { readRowId, requireFound, withControl } from './control.js'
import {
  EXPIRES_FLAG,
  IP_ALLOW_FLAG,
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
  run: async ({ flags, stdout, clock }) => {
    const name = readName('--name', flags.name)
    const asked = flags.scopes === undefined ? undefined : readScopes(flags.scopes)
    const expiresAtMs = readExpiry(flags.expires, clock())
    const ipAllow = readIpAllow(flags['ip-allow'])
    const created = await withControl(flags['data-dir'], (control) => {
      const integration = mcpIntegration(control, flags.integration)
      const scopes = readScopesWithin(integration, asked)
      const key = { integrationId: integration.id, name, scopes, expiresAtMs, ipAllow }
      return createMcpKey(control, key, clock(), CLI_ACTOR)
    })
    const text = `key ${created.id}, shown only once: ${created.key}`
    await stdout.write(`${flags.json ? JSON.stringify(created) : text}\n`)
  },
})

function mcpIntegration(control: ControlFile, id: string): IntegrationRow {
  const integration = findIntegration(control, id)
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
  flags: {
    integration: { kind: 'text', placeholder: 'I', summary: 'only keys of this integration' },
  },
  examples: [LISTING, 'kontor integrations keys list --integration 4f0c1d2e3a4b5c6d7e8f --json'],
  run: async ({ flags, stdout, clock }) => {
    const rows = await withControl(flags['data-dir'], (control) =>
      listMcpKeys(control, flags.integration),
    )
    const keys = rows.map((row) => ({
      id: row.id,
      integrationId: row.integrationId,
      name: row.name,
      scopes: scopesOf(row.scopes),
      ...keyLifeOf(row, clock()),
    }))
    if (flags.json) return stdout.write(`${JSON.stringify(keys)}\n`)
    const cells = keys.map(({ id, integrationId, scopes, expiresAt, name, ...key }) => [
      ...[id, integrationId, key.state, scopes.join(',')],
      ...[networksText(key), expiresAt ?? 'never', lastUseText(key), name],
    ])
    await stdout.write(tableText(LIST_HEADINGS, cells))
  },
})

const revokeKey = defineCommand({
  name: 'revoke',
  summary: 'revoke a key of an MCP endpoint',
  description: 'The key is rejected from its next request on. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the key, as listed', min: 1, max: 1 },
  examples: ['kontor integrations keys revoke 3'],
  run: async ({ flags, positionals, stdout, clock }) => {
    const id = readRowId(positionals[0], 'key', LISTING)
    const isFound = await withControl(flags['data-dir'], (control) =>
      revokeMcpKey(control, id, clock(), CLI_ACTOR),
    )
    requireFound(isFound, 'MCP key', String(id), LISTING)
    await stdout.write(`${flags.json ? JSON.stringify({ id }) : `MCP key ${id} is revoked`}\n`)
  },
})

/** `kontor integrations keys …` */
export const mcpKeysCommands: CommandGroup = {
  kind: 'group',
  name: 'keys',
  summary: 'keys of MCP endpoints',
  commands: [createKey, listKeys, revokeKey],
}
