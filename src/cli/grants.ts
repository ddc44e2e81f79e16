import { revokeGrant } from '../auth/grants.js'
import { scopesOf } from '../auth/selection.js'
import { CLI_ACTOR } from '../domain/audit.js'
import { type EpochMs, formatInstant } from '../instant.js'
import { type ListedGrant, listGrants } from '../store/grant-rows.js'
import { type CommandGroup, defineCommand } from './command.js'
import { readRowId, requireFound, withControl } from './control.js'
import { type TableCell, tableText } from './table.js'

const LISTING = 'kontor grants list'

const listCommand = defineCommand({
  name: 'list',
  summary: 'list grants',
  description:
    'Lists grants, newest first: operator, client, scopes, time, and when the client last\n' +
    'refreshed its tokens. A revoked grant is listed until it would have expired; kontor audit\n' +
    'keeps all of them.',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', summary: 'only grants of this workspace' },
    integration: { kind: 'text', placeholder: 'I', summary: 'only grants of this integration' },
  },
  examples: [LISTING, 'kontor grants list --workspace demo --json'],
  run: async ({ flags, stdout, clock }) => {
    const wish = { workspaceId: flags.workspace, integrationId: flags.integration }
    const rows = await withControl(flags['data-dir'], (control) => listGrants(control, wish))
    const grants = rows.map((row) => describe(row, clock()))
    if (flags.json) return stdout.write(`${JSON.stringify(grants)}\n`)
    await stdout.write(tableText(LIST_HEADINGS, grants.map(cellsOf)))
  },
})

type DescribedGrant = ReturnType<typeof describe>

function describe(row: ListedGrant, nowMs: EpochMs) {
  const { id, workspaceId, integrationId, clientId, clientName, operatorName } = row
  const ended = row.expiresAt <= nowMs ? 'expired' : 'active'
  return {
    ...{ id, workspaceId, integrationId, clientId, clientName },
    ...(operatorName === null ? {} : { operator: operatorName }),
    scopes: scopesOf(row.scope),
    state: row.revokedAt === null ? ended : 'revoked',
    createdAt: formatInstant(row.createdAt),
    expiresAt: formatInstant(row.expiresAt),
    ...(row.refreshedAt === null ? {} : { refreshedAt: formatInstant(row.refreshedAt) }),
    ...(row.revokedAt === null ? {} : { revokedAt: formatInstant(row.revokedAt) }),
  }
}

const LIST_HEADINGS = [
  ...['id', 'workspace', 'state', 'granted', 'operator', 'scopes', 'last change', 'client_id'],
  'client',
]

function cellsOf({
  id,
  workspaceId,
  state,
  createdAt,
  scopes,
  ...rest
}: DescribedGrant): TableCell[] {
  const { operator = '(deleted)', clientId, clientName, revokedAt, refreshedAt } = rest
  const refreshed = refreshedAt === undefined ? 'never refreshed' : `refreshed ${refreshedAt}`
  const last = revokedAt === undefined ? refreshed : `revoked ${revokedAt}`
  return [
    ...[id, workspaceId, state, createdAt, operator, scopes.join(','), last, clientId],
    clientName,
  ]
}

const revokeCommand = defineCommand({
  name: 'revoke',
  summary: 'revoke a grant',
  description: 'Its tokens are rejected immediately. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the grant, as listed', min: 1, max: 1 },
  examples: ['kontor grants revoke 3'],
  run: async ({ flags, positionals, stdout, clock }) => {
    const id = readRowId(positionals[0], 'grant', LISTING)
    const isFound = await withControl(flags['data-dir'], (control) =>
      revokeGrant(control, id, clock(), CLI_ACTOR),
    )
    requireFound(isFound, 'grant', String(id), LISTING)
    await stdout.write(`${flags.json ? JSON.stringify({ id }) : `grant ${id} is revoked`}\n`)
  },
})

/** `kontor grants …` */
export const grantsCommands: CommandGroup = {
  kind: 'group',
  name: 'grants',
  summary: 'access that operators have granted to clients',
  commands: [listCommand, revokeCommand],
}
