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
  summary: 'list what operators have consented to',
  description:
    'Lists grants, newest first: who let which program in, to what, when, and when it last\n' +
    'refreshed its tokens. One that was revoked is listed until it would have ended by itself;\n' +
    'kontor audit keeps all of them.',
  flags: {
    workspace: { kind: 'text', placeholder: 'W', summary: 'of this workspace alone' },
    integration: { kind: 'text', placeholder: 'I', summary: 'of this integration alone' },
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
  summary: 'take back what an operator has consented to',
  description: 'Its tokens fail from their next request on. This cannot be undone.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id of the grant, as listed', min: 1, max: 1 },
  examples: ['kontor grants revoke 3'],
  run: async ({ flags, positionals, stdout, clock }) => {
    const id = readRowId(positionals[0], 'grant', LISTING)
    const isFound = await withControl(flags['data-dir'], (control) =>
      revokeGrant({ control, nowMs: clock(), actor: CLI_ACTOR }, id),
    )
    requireFound(isFound, 'grant', String(id), LISTING)
    await stdout.write(`${flags.json ? JSON.stringify({ id }) : `grant ${id} is revoked`}\n`)
  },
})

/** `kontor grants …` */
export const grantsCommands: CommandGroup = {
  kind: 'group',
  name: 'grants',
  summary: 'what operators have consented to',
  commands: [listCommand, revokeCommand],
}
