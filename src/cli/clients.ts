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
import { type CommandGroup, defineCommand } from './command.js'
import { withAdmin } from './control.js'
import { integrationFilterFlag, readName, readScopes } from './credential-flags.js'
import { readScopesWithin } from './scopes-within.js'
import { tableText } from './table.js'

const LISTING = 'kontor clients list'

const createCommand = defineCommand({
  name: 'create',
  summary: 'register an OAuth client with an integration’s issuer',
  description:
    'A client requests access from operators by OAuth 2.1 (authorization code with PKCE).\n' +
    'Operators are redirected to one of its redirect URIs, which must match character by\n' +
    'character. A confidential client gets a secret, which is printed once: only its hash is\n' +
    'stored.',
  flags: {
    integration: {
      kind: 'text',
      placeholder: 'I',
      isRequired: true,
      summary: 'id of the integration that the client belongs to',
    },
    type: {
      kind: 'text',
      placeholder: 'T',
      isRequired: true,
      choices: CLIENT_TYPES,
      summary: 'confidential for a server; public for an app on users’ devices',
    },
    'redirect-uri': {
      kind: 'texts',
      placeholder: 'U',
      summary: 'redirect URI: https, or http on loopback',
    },
    scopes: {
      kind: 'text',
      placeholder: 'S',
      summary: 'scopes it may request, separated by commas; by default all of the integration',
    },
    'allow-any-host': {
      kind: 'switch',
      summary: 'allow an IP address or a name without a dot as host of a redirect URI',
    },
    name: {
      kind: 'text',
      placeholder: 'N',
      default: 'client',
      summary: 'name shown on the consent page',
    },
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
    const requested = flags.scopes === undefined ? undefined : readScopes(flags.scopes)
    const redirectUris = flags['redirect-uri']
    const fault = redirectUrisFault(redirectUris, {
      type,
      allowsAnyHost: flags['allow-any-host'],
      isSelfRegistered: false,
    })
    if (fault !== undefined) throw new CommandError('usage', `--redirect-uri: ${fault}`)
    const { client, secret } = await withAdmin(call, async (admin) => {
      const integration = await findIntegration(admin, flags.integration)
      if (integration === undefined) {
        const id = JSON.stringify(flags.integration)
        throw new CommandError(
          'failed',
          `there is no integration ${id}; kontor integrations list shows all`,
        )
      }
      const scopes = readScopesWithin(integration, requested)
      const parts = { integrationId: integration.id, name, type, redirectUris, scopes } as const
      return createClient(admin, { ...parts, registered: 'operator' })
    })
    const output = {
      clientId: client.id,
      ...(secret === undefined ? {} : { clientSecret: secret }),
    }
    if (flags.json) return stdout.write(`${JSON.stringify(output)}\n`)
    const secretLine = secret === undefined ? '' : `client secret, shown only once: ${secret}\n`
    await stdout.write(`client ${client.id}\n${secretLine}`)
  },
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list clients, without their secrets',
  description: 'Lists clients, including inactive and self-registered ones.',
  flags: { integration: integrationFilterFlag('clients') },
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

const CLIENT = {
  group: 'kontor clients',
  what: 'client',
  idSummary: 'client_id, as listed',
  idExample: '9a8b7c6d5e4f3a2b1c0d',
  readId: (id: string) => id,
}

/** `kontor clients …` */
export const clientsCommands: CommandGroup = {
  kind: 'group',
  name: 'clients',
  summary: 'OAuth 2.1 clients that operators can authorize',
  commands: [
    createCommand,
    listCommand,
    changeCommand(CLIENT, {
      name: 'activate',
      change: activateClient,
      summary: 'reactivate a client',
      description: 'Its tokens work again unless they have expired or been revoked.',
      done: 'is active',
    }),
    changeCommand(CLIENT, {
      name: 'deactivate',
      change: deactivateClient,
      summary: 'deactivate a client',
      description: 'Its tokens are rejected immediately, until the client is activated again.',
      done: 'is inactive',
    }),
    changeCommand(CLIENT, {
      name: 'delete',
      change: deleteClient,
      summary: 'delete a client with its tokens',
      description: 'All its grants and tokens end immediately. This cannot be undone.',
      done: 'is deleted',
    }),
  ],
}
