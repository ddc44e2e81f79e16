import { createApiKey, revokeApiKey } from '../auth/api-keys.js'
import { accountIdsOf, scopesOf } from '../auth/selection.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'
import { CommandError } from '../errors.js'
import { type EpochMs, formatInstant, parseDay, parseInstant } from '../instant.js'
import { type ApiKeyRow, listApiKeys } from '../store/api-key-rows.js'
import { ControlFile } from '../store/control-file.js'
import { isWorkspaceId, openDataDirectory, workspaceExists } from '../store/data-directory.js'
import { type CommandGroup, defineCommand } from './command.js'

const createKey = defineCommand({
  name: 'create',
  summary: 'make an API key and print it once',
  description:
    'A key works on one workspace, within its scopes and accounts, until it expires or is\n' +
    'revoked. Only its hash is kept: note the key down, it cannot be shown again.',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', isRequired: true, summary: 'what it opens' },
    scopes: {
      kind: 'text',
      placeholder: 'S',
      default: SCOPES.join(','),
      summary: 'what it may read, separated by commas',
    },
    accounts: {
      kind: 'text',
      placeholder: 'A',
      default: 'all',
      summary: 'all, present and future, or ids separated by commas',
    },
    expires: {
      kind: 'text',
      placeholder: 'D',
      summary: 'day or instant (UTC) it ends, 2027-01-01',
    },
    name: { kind: 'text', placeholder: 'N', default: 'API key', summary: 'what it is for' },
  },
  examples: [
    'kontor keys create --workspace demo --name bookkeeping',
    'kontor keys create --workspace demo --scopes transactions:read --accounts 1,2 ' +
      '--expires 2027-01-01',
  ],
  run: async ({ flags, stdout, clock }) => {
    const { workspace, name } = flags
    const scopes = readScopes(flags.scopes)
    const accountIds = readAccounts(flags.accounts)
    const expiresAtMs = flags.expires === undefined ? null : readExpiry(flags.expires, clock())
    const directory = openDataDirectory(flags['data-dir'])
    if (!isWorkspaceId(workspace) || !workspaceExists(directory, workspace)) {
      throw new CommandError(
        'failed',
        `there is no workspace ${JSON.stringify(workspace)}; kontor workspaces list shows all`,
      )
    }
    const control = ControlFile.open(directory.controlPath)
    try {
      const key = { workspaceId: workspace, name, scopes, accountIds, expiresAtMs }
      const created = createApiKey(control, key, clock(), CLI_ACTOR)
      const text = `key ${created.id}, shown this once: ${created.key}`
      await stdout.write(`${flags.json ? JSON.stringify(created) : text}\n`)
    } finally {
      control.close()
    }
  },
})

const listKeys = defineCommand({
  name: 'list',
  summary: 'list API keys, not their secrets',
  description: 'Lists keys with what they may read; revoked and expired ones too.',
  flags: { workspace: { kind: 'text', placeholder: 'W', summary: 'of this workspace alone' } },
  examples: ['kontor keys list', 'kontor keys list --workspace demo --json'],
  run: async ({ flags, stdout, clock }) => {
    const control = ControlFile.open(openDataDirectory(flags['data-dir']).controlPath)
    try {
      const keys = listApiKeys(control, flags.workspace).map((row) => describe(row, clock()))
      if (flags.json) return await stdout.write(`${JSON.stringify(keys)}\n`)
      for (const key of keys) {
        const accounts = key.accounts === null ? 'all' : key.accounts.join(',')
        const words = [key.id, key.workspaceId, key.state, key.scopes.join(','), accounts, key.name]
        await stdout.write(`${words.join('  ')}\n`)
      }
    } finally {
      control.close()
    }
  },
})

const revokeKey = defineCommand({
  name: 'revoke',
  summary: 'end an API key at once',
  description: 'The key fails on its next request. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the key, as listed', min: 1, max: 1 },
  examples: ['kontor keys revoke 3'],
  run: async ({ flags, positionals, stdout, clock }) => {
    const id = Number(positionals[0])
    if (!Number.isSafeInteger(id) || id < 1) {
      throw new CommandError('usage', `${positionals[0]} is no key id; kontor keys list shows them`)
    }
    const control = ControlFile.open(openDataDirectory(flags['data-dir']).controlPath)
    try {
      if (!revokeApiKey(control, id, clock(), CLI_ACTOR)) {
        throw new CommandError('failed', `there is no key ${id}; kontor keys list shows all`)
      }
      await stdout.write(`${flags.json ? JSON.stringify({ id }) : `key ${id} is revoked`}\n`)
    } finally {
      control.close()
    }
  },
})

/** `kontor keys …` */
export const keysCommands: CommandGroup = {
  kind: 'group',
  name: 'keys',
  summary: 'API keys',
  commands: [createKey, listKeys, revokeKey],
}

function describe(row: ApiKeyRow, now: EpochMs) {
  const expired = row.expiresAt !== null && row.expiresAt <= now
  const state = row.revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active'
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    state,
    scopes: scopesOf(row.scopes),
    accounts: accountIdsOf(row.accounts),
    createdAt: formatInstant(row.createdAt),
    ...(row.expiresAt === null ? {} : { expiresAt: formatInstant(row.expiresAt) }),
    ...(row.revokedAt === null ? {} : { revokedAt: formatInstant(row.revokedAt) }),
  }
}

function readScopes(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word))
  if (unknown !== undefined) {
    const known = SCOPES.join(' and ')
    throw new CommandError(
      'usage',
      `--scopes: there is no scope ${JSON.stringify(unknown)}; there are ${known}`,
    )
  }
  return SCOPES.filter((scope) => words.includes(scope))
}

function readAccounts(text: string): number[] | null {
  if (text === 'all') return null
  const ids = text.split(',').map((word) => (/^\d+$/.test(word.trim()) ? Number(word) : 0))
  if (ids.some((id) => !Number.isSafeInteger(id) || id < 1)) {
    const wanted = 'the word all, or account ids separated by commas, such as 1,2'
    throw new CommandError('usage', `--accounts ${JSON.stringify(text)}: ${wanted}`)
  }
  return [...new Set(ids)].sort((a, b) => a - b)
}

function readExpiry(text: string, now: EpochMs): EpochMs {
  const at = parseDay(text) ?? parseInstant(text)
  if (at === undefined) {
    const wanted = 'a day such as 2027-01-01, or an instant such as 2027-01-01T12:00:00.000Z'
    throw new CommandError('usage', `--expires ${JSON.stringify(text)}: ${wanted}, is expected`)
  }
  if (at <= now) {
    throw new CommandError('usage', `--expires ${text} is in the past; the key would never work`)
  }
  return at
}
