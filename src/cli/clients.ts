import {
  activateClient,
  type Client,
  createClient,
  deactivateClient,
  deleteClient,
  listClients,
} from '../admin/clients.js'
import { findIntegration } from '../admin/integrations.js'
import { redirectUrisFault } from '../auth/redirect-uri.js'
import { CLIENT_TYPES, type ClientType } from '../domain/integration.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import { changeCommand } from './change-command.js'
import { type Command, type CommandGroup, defineCommand } from './command.js'
import { withAdmin } from './control.js'
import { readName, readScopes } from './credential-flags.js'
import { readScopesWithin } from './scopes-within.js'
import { tableText } from './table.js'

const LISTING = 'kontor clients list'

const createCommand = defineCommand({
  name: 'create',
  summary: 'make a program known to an integration’s issuer',
  description:
    'A client may ask operators for access by OAuth 2.1 (authorization code with PKCE). It is\n' +
    'called back at one of its redirect URIs, which is compared character by character. A\n' +
    'confidential client gets a secret, printed once: only its hash is kept.',
  flags: {
    integration: {
      kind: 'text',
      placeholder: 'I',
      isRequired: true,
      summary: 'the integration it belongs to',
    },
    type: {
      kind: 'text',
      placeholder: 'T',
      isRequired: true,
      choices: CLIENT_TYPES,
      summary: 'confidential for a server, public for what runs at its users',
    },
    'redirect-uri': {
      kind: 'texts',
      placeholder: 'U',
      summary: 'where it may be called back: https, or http on loopback',
    },
    scopes: {
      kind: 'text',
      placeholder: 'S',
      summary: 'what it may ask for, separated by commas; all of the integration without it',
    },
    'allow-any-host': {
      kind: 'switch',
      summary: 'let a redirect URI have an IP address or a name without a dot as host',
    },
    name: { kind: 'text', placeholder: 'N', default: 'client', summary: 'shown to who consents' },
  },
  examples: [
    'kontor clients create --integration 4f0c1d2e3a4b5c6d7e8f --type confidential ' +
      '--redirect-uri https://app.example.org/callback --name "Tax adviser"',
    'kontor clients create --integration 4f0c1d2e3a4b5c6d7e8f --type public ' +
      '--redirect-uri http://127.0.0.1:8910/cb --redirect-uri com.example.app:/cb',
  ],
  run: async (call) => {
    const { flags, stdout } = call
    const type = flags.type as ClientType
    const name = readName('--name', flags.name)
    const asked = flags.scopes === undefined ? undefined : readScopes(flags.scopes)
    const redirectUris = flags['redirect-uri']
    const fault = redirectUrisFault(redirectUris, {
      type,
      allowsAnyHost: flags['allow-any-host'],
      isSelfRegistered: false,
    })
    if (fault !== undefined) throw new CommandError('usage', `--redirect-uri: ${fault}`)
    const { client, secret } = await withAdmin(call, (admin) => {
      const integration = findIntegration(admin, flags.integration)
      if (integration === undefined) {
        const id = JSON.stringify(flags.integration)
        throw new CommandError(
          'failed',
          `there is no integration ${id}; kontor integrations list shows all`,
        )
      }
      const scopes = readScopesWithin(integration, asked)
      const parts = { integrationId: integration.id, name, type, redirectUris, scopes } as const
      return createClient(admin, { ...parts, registered: 'operator' })
    })
    const told = { clientId: client.id, ...(secret === undefined ? {} : { clientSecret: secret }) }
    if (flags.json) return stdout.write(`${JSON.stringify(told)}\n`)
    const secretLine = secret === undefined ? '' : `client secret, shown this once: ${secret}\n`
    await stdout.write(`client ${client.id}\n${secretLine}`)
  },
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list clients, not their secrets',
  description: 'Lists clients, inactive ones and those that have registered themselves too.',
  flags: { integration: { kind: 'text', placeholder: 'I', summary: 'of this integration alone' } },
  examples: [LISTING, 'kontor clients list --integration 4f0c1d2e3a4b5c6d7e8f --json'],
  run: async (call) => {
    const { flags, stdout } = call
    const found = await withAdmin(call, (admin) => listClients(admin, flags.integration))
    const clients = found.map(describe)
    if (flags.json) return stdout.write(`${JSON.stringify(clients)}\n`)
    const cells = clients.map(({ clientId, integrationId, type, state, redirectUris, name }) => {
      return [clientId, integrationId, type, state, redirectUris.join(','), name]
    })
    const headings = ['client_id', 'integration', 'type', 'state', 'redirect uris', 'name']
    await stdout.write(tableText(headings, cells))
  },
})

function describe(client: Client) {
  return {
    clientId: client.id,
    integrationId: client.integrationId,
    name: client.name,
    type: client.type,
    state: client.isActive ? 'active' : 'inactive',
    redirectUris: client.redirectUris,
    scopes: client.scopes,
    registered: client.registered,
    createdAt: formatInstant(client.createdAt),
  }
}

/** A command that changes one client. */
function changing(
  name: string,
  change: typeof deleteClient,
  words: { readonly summary: string; readonly description: string; readonly done: string },
): Command {
  return changeCommand({
    ...{ name, change, ...words, what: 'client', listing: LISTING },
    idSummary: 'client_id, as listed',
    example: `kontor clients ${name} 9a8b7c6d5e4f3a2b1c0d`,
    readId: (id) => id,
  })
}

/** `kontor clients …` */
export const clientsCommands: CommandGroup = {
  kind: 'group',
  name: 'clients',
  summary: 'programs that operators may let in by OAuth 2.1',
  commands: [
    createCommand,
    listCommand,
    changing('activate', activateClient, {
      summary: 'let a client in again',
      description: 'Its tokens work again, as far as they have not ended meanwhile.',
      done: 'is active',
    }),
    changing('deactivate', deactivateClient, {
      summary: 'shut a client out',
      description: 'Its tokens fail from their next request on, until it is activated.',
      done: 'is inactive',
    }),
    changing('delete', deleteClient, {
      summary: 'delete a client with its tokens',
      description: 'Everything it was granted ends at once. This cannot be undone.',
      done: 'is deleted',
    }),
  ],
}
