import { type ClientGrant, listGrants, revokeGrant } from '../admin/grants.js'
import { formatInstant } from '../instant.js'
import { changeCommand } from './change-command.js'
import { type CommandGroup, defineCommand } from './command.js'
import { readRowId, withAdmin } from './control.js'
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
  run: async (call) => {
    const { flags, stdout } = call
    const wish = { workspaceId: flags.workspace, integrationId: flags.integration }
    const grants = (await withAdmin(call, (admin) => listGrants(admin, wish))).map(describe)
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

const revokeCommand = changeCommand({
  name: 'revoke',
  summary: 'take back what an operator has consented to',
  description: 'Its tokens fail from their next request on. This cannot be undone.',
  what: 'grant',
  idSummary: 'id of the grant, as listed',
  example: 'kontor grants revoke 3',
  listing: LISTING,
  readId: (text) => readRowId(text, 'grant', LISTING),
  change: revokeGrant,
  done: 'is revoked',
})

/** `kontor grants …` */
export const grantsCommands: CommandGroup = {
  kind: 'group',
  name: 'grants',
  summary: 'what operators have consented to',
  commands: [listCommand, revokeCommand],
}
