import { strict as assert } from 'node:assert'
import {
  createApiKey,
  listApiKeys,
  type RotatedKey,
  revokeApiKey,
  rotateApiKey,
} from '../admin/api-keys.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { changeCommand, rowsOf } from './change-command.js'
import { type CommandGroup, defineCommand } from './command.js'
import {
  adminOf,
  orphansAmong,
  readRowId,
  requireWorkspace,
  withAdmin,
  withStore,
} from './control.js'
import {
  ACCOUNTS_FLAG,
  EXPIRES_FLAG,
  IP_ALLOW_FLAG,
  readAccounts,
  readDuration,
  readExpiry,
  readIpAllow,
  readName,
  readScopes,
  SCOPES_FLAG,
} from './credential-flags.js'
import { formatDuration } from './duration.js'
import { keyLifeOf, lastUseText, networksText } from './key-life.js'
import { tableText } from './table.js'

/** How long a rotated key works after its successor was created, by default: a day. */
const KEY_OVERLAP_MS_DEFAULT = 86_400_000

/** The longest overlap: a quarter of a year, past which it is no rotation. */
const KEY_OVERLAP_MS_MAX = 7_776_000_000

assert(KEY_OVERLAP_MS_DEFAULT <= KEY_OVERLAP_MS_MAX)

const LISTING = 'kontor keys list'

const LIST_HEADINGS = [
  ...['id', 'workspace', 'state', 'scopes', 'accounts', 'networks', 'expires', 'last use', 'name'],
]

const KEY_ID = { placeholder: 'ID', summary: 'id of the key, as listed', min: 1, max: 1 } as const

const createKey = defineCommand({
  name: 'create',
  summary: 'create an API key and print it once',
  description:
    'A key gives access to one workspace, within its scopes and accounts, until it expires or\n' +
    'is revoked. Only its hash is stored: save the key, because it cannot be shown again.',
  flags: {
    workspace: {
      kind: 'text',
      placeholder: 'W',
      isRequired: true,
      summary: 'workspace that it gives access to',
    },
    scopes: SCOPES_FLAG,
    accounts: ACCOUNTS_FLAG,
    expires: EXPIRES_FLAG,
    'ip-allow': IP_ALLOW_FLAG,
    name: {
      kind: 'text',
      placeholder: 'N',
      default: 'API key',
      summary: 'name, such as the program it is for',
    },
  },
  examples: [
    'kontor keys create --workspace demo --name bookkeeping',
    'kontor keys create --workspace demo --scopes transactions:read --accounts 1,2 ' +
      '--expires 2027-01-01',
    'kontor keys create --workspace demo --ip-allow 192.0.2.7 --ip-allow 10.0.0.0/8',
  ],
  run: async (call) => {
    const { flags, stdout, clock } = call
    const workspaceId = flags.workspace
    const name = readName('--name', flags.name)
    const scopes = readScopes(flags.scopes)
    const accountIds = readAccounts(flags.accounts)
    const expiresAtMs = readExpiry(flags.expires, clock())
    const ipAllow = readIpAllow(flags['ip-allow'])
    const created = await withStore(call, async (store) => {
      const workspaceUid = await requireWorkspace(store, workspaceId, accountIds)
      const key = { workspaceId, workspaceUid, name, scopes, accountIds, expiresAtMs, ipAllow }
      return createApiKey(adminOf(store), key)
    })
    const text = `key ${created.id}, shown only once: ${created.key}`
    await stdout.write(`${flags.json ? JSON.stringify(created) : text}\n`)
  },
})

const listKeys = defineCommand({
  name: 'list',
  summary: 'list API keys, without their secrets',
  description:
    'Lists keys with their scopes, accounts and last use (recorded about once a minute),\n' +
    'including revoked and expired ones. An orphaned key belongs to a workspace file that has\n' +
    'been replaced, and gives no access.',
  flags: { workspace: { kind: 'text', placeholder: 'W', summary: 'only keys of this workspace' } },
  examples: ['kontor keys list', 'kontor keys list --workspace demo --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const { found, isOrphan } = await withAdmin(call, async (admin) => {
      const found = await listApiKeys(admin, flags.workspace)
      return { found, isOrphan: await orphansAmong(admin, found) }
    })
    const keys = found.map((key) => ({
      id: key.id,
      workspaceId: key.workspaceId,
      name: key.name,
      scopes: key.scopes,
      accounts: key.accountIds,
      ...keyLifeOf(key),
      ...(isOrphan(key) ? { state: 'orphaned' } : {}),
      ...(key.replacedBy === null ? {} : { replacedBy: key.replacedBy }),
    }))
    if (flags.json) return stdout.write(`${JSON.stringify(keys)}\n`)
    const cells = keys.map(({ id, workspaceId, scopes, accounts, expiresAt, name, ...key }) => [
      ...[id, workspaceId],
      key.replacedBy === undefined ? key.state : `${key.state}→${key.replacedBy}`,
      ...[scopes.join(','), accounts === null ? 'all' : accounts.join(',')],
      ...[networksText(key), expiresAt ?? 'never', lastUseText(key), name],
    ])
    await stdout.write(tableText(LIST_HEADINGS, cells))
  },
})

const rotateKey = defineCommand({
  name: 'rotate',
  summary: 'create a key that replaces another, and print it once',
  description:
    'The new key has the permissions of the old one, and by default the same expiry. The old\n' +
    'key keeps working for the overlap, so that programs can be switched to the new one.',
  flags: {
    overlap: {
      kind: 'text',
      placeholder: 'T',
      default: formatDuration(KEY_OVERLAP_MS_DEFAULT),
      summary: 'how long the old key keeps working, such as 15m, 24h or 7d; 0 ends it immediately',
    },
    expires: {
      ...EXPIRES_FLAG,
      summary: 'day or instant (UTC) when the new key expires; by default as the old one',
    },
  },
  positionals: KEY_ID,
  examples: ['kontor keys rotate 3', 'kontor keys rotate 3 --overlap 7d --expires 2028-01-01'],
  run: async (call) => {
    const { flags, positionals, stdout, clock } = call
    const id = readRowId(positionals[0] ?? '', 'key', LISTING)
    const overlapMs = readDuration('--overlap', flags.overlap, {
      minMs: 0,
      maxMs: KEY_OVERLAP_MS_MAX,
    })
    const expiresAtMs = flags.expires === undefined ? undefined : readExpiry(flags.expires, clock())
    const rotated = await withAdmin(call, (admin) =>
      rotateApiKey(admin, { id, overlapMs, expiresAtMs }),
    )
    if (rotated.outcome !== 'rotated') throw notRotated(id, rotated.outcome)
    const { created, oldExpiresAtMs } = rotated
    const until = formatInstant(oldExpiresAtMs)
    const output = { ...created, replaces: id, oldExpiresAt: until }
    const text = `key ${created.id}, shown only once: ${created.key}\nkey ${id} ends ${until}`
    await stdout.write(`${flags.json ? JSON.stringify(output) : text}\n`)
  },
})

function notRotated(id: number, outcome: Exclude<RotatedKey['outcome'], 'rotated'>): CommandError {
  const reasons = {
    unknown: `there is no key ${id}; ${LISTING} shows all`,
    revoked: `key ${id} is revoked; kontor keys create creates another one`,
    expired: `key ${id} has expired; kontor keys create creates another one`,
    already_rotated: `key ${id} has already been rotated; ${LISTING} shows its successor`,
  }
  return new CommandError('failed', reasons[outcome])
}

const revokeKey = changeCommand(rowsOf('kontor keys', 'key'), {
  name: 'revoke',
  summary: 'revoke an API key',
  description: 'The key is rejected from its next request on. This cannot be undone.',
  change: revokeApiKey,
  done: 'is revoked',
})

/** `kontor keys …` */
export const keysCommands: CommandGroup = {
  kind: 'group',
  name: 'keys',
  summary: 'create, list, rotate and revoke API keys',
  commands: [createKey, listKeys, rotateKey, revokeKey],
}
