import { type ClientGrant, listGrants, revokeGrant } from '../admin/grants.js'
import { formatInstant } from '../instant.js'
import { changeCommand, rowsOf } from './change-command.js'
import { type CommandGroup, defineCommand } from './command.js'
import { withAdmin } from './control.js'
import { integrationFilterFlag } from './credential-flags.js'
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
    integration: integrationFilterFlag('grants'),
  },
  examples: [LISTING, 'kontor grants list --workspace demo --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const filter = { workspaceId: flags.workspace, integrationId: flags.integration }
    const grants = (await withAdmin(call, (admin) => listGrants(admin, filter))).map(describe)
    if (flags.json) return stdout.write(`${JSON.stringify(grants)}\n`)
    await stdout.write(tableText(LIST_HEADINGS, grants.map(cellsOf)))
  },
})

type DescribedGrant = ReturnType<typeof describe>

function describe(grant: ClientGrant) {
  const { id, workspaceId, integrationId, clientId, clientName, operatorName } = grant
  const { scopes, state, refreshedAt, revokedAt } = grant
  return {
    ...{ id, workspaceId, integrationId, clientId, clientName },
    ...(operatorName === null ? {} : { operator: operatorName }),
    ...{ scopes, state },
    createdAt: formatInstant(grant.createdAt),
    expiresAt: formatInstant(grant.expiresAt),
    ...(refreshedAt === null ? {} : { refreshedAt: formatInstant(refreshedAt) }),
    ...(revokedAt === null ? {} : { revokedAt: formatInstant(revokedAt) }),
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

const revokeCommand = changeCommand(rowsOf('kontor grants', 'grant'), {
  name: 'revoke',
  summary: 'revoke a grant',
  description: 'Its tokens are rejected immediately. This cannot be undone.',
  change: revokeGrant,
  done: 'is revoked',
})

/** `kontor grants …` */
export const grantsCommands: CommandGroup = {
  kind: 'group',
  name: 'grants',
  summary: 'access that operators have granted to clients',
  commands: [listCommand, revokeCommand],
}
