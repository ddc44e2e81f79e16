import { test } from 'tap'
import { isSecretOf } from '../../src/auth/secret.js'
import { findClient, listClients } from '../../src/store/client-rows.js'
import { someClient, someIntegration } from '../fixtures/control.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'

const URI = 'https://app.example.org/cb'

function create(id: string, type: string, ...words: string[]): string[] {
  return ['clients', 'create', '--integration', id, '--type', type, ...words]
}

test('a confidential client shows its secret once, a public one has none', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const { id } = await someIntegration(control, { scopes: ['accounts:read'] })
  const uris = ['--redirect-uri', URI, '--redirect-uri', 'http://localhost:9/']
  const words = create(id, 'confidential', ...uris, '--name', 'Tax <b>')
  const made = (await json(...words)) as { clientId: string; clientSecret: string }
  t.strictSame(Object.keys(made), ['clientId', 'clientSecret'])
  const client = await control.look(() => findClient(made.clientId))
  t.match(client, {
    integrationId: id,
    name: 'Tax <b>',
    redirectUris: [URI, 'http://localhost:9/'],
    scopes: 'accounts:read',
    registered: 'operator',
  })
  t.ok(client?.secretHash && isSecretOf(made.clientSecret, client.secretHash))
  const open = (await json(...create(id, 'public', '--redirect-uri', 'com.example.app:/cb'))) as {
    clientId: string
  }
  t.strictSame(Object.keys(open), ['clientId'])
  const text = await run(words)
  t.match(text.stdout, /^client [0-9a-f]{20}\nclient secret, shown only once: cs-[-\w]{43}\n$/)
  t.match(await run(create(id, 'public', '--redirect-uri', URI)), {
    code: 0,
    stdout: /^client [0-9a-f]{20}\n$/,
  })
})

test('clients are listed, switched and deleted', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const one = await someIntegration(control)
  const { client } = await someClient(control, one.id)
  await someClient(control, (await someIntegration(control)).id, { type: 'confidential' })
  t.strictSame(await json('clients', 'list', '--integration', one.id), [
    {
      clientId: client.id,
      integrationId: one.id,
      name: 'app',
      type: 'public',
      state: 'active',
      redirectUris: [URI],
      scopes: ['transactions:read', 'accounts:read'],
      registered: 'operator',
      createdAt: '2026-07-01T00:00:00.000Z',
    },
  ])
  const { stdout } = await run(['clients', 'list'])
  const [headings, first] = stdout.split('\n')
  t.match(headings, /^CLIENT_ID +INTEGRATION +TYPE +STATE +REDIRECT URIS +NAME$/)
  t.equal(first?.replace(/ {2,}/g, '  '), `${client.id}  ${one.id}  public  active  ${URI}  app`)
  t.equal(stdout.trim().split('\n').length, 3)
  t.match(await run(['clients', 'deactivate', client.id]), { stdout: /is inactive\n$/ })
  t.equal((await control.look(() => findClient(client.id)))?.isActive, false)
  t.same(await json('clients', 'activate', client.id), { id: client.id })
  t.equal((await control.look(() => findClient(client.id)))?.isActive, true)
  t.same(await json('clients', 'delete', client.id), { id: client.id })
  await assertRefused(t, run, [
    [['clients', 'delete', client.id], 1, /there is no client ".*"; kontor clients list shows all/],
    [['clients', 'activate', 'x'], 1, /there is no client "x"/],
    [['clients', 'deactivate'], 2, /ID is missing/],
  ])
})

test('a client that could not work is refused and not created', async (t) => {
  const { run, control } = await controlCommands(t)
  const { id } = await someIntegration(control, { scopes: ['accounts:read'] })
  const uri = ['--redirect-uri', URI]
  const other = (text: string, type = 'public'): string[] =>
    create(id, type, '--redirect-uri', text)
  await assertRefused(t, run, [
    [['clients', 'create', '--type', 'public', ...uri], 2, /--integration is missing/],
    [['clients', 'create', '--integration', id, ...uri], 2, /--type is missing/],
    [create(id, 'secret', ...uri), 2, /--type must be one of public, confidential/],
    [create(id, 'public'), 2, /--redirect-uri: at least one redirect URI is required/],
    [create('none', 'public', ...uri), 1, /there is no integration "none"/],
    [other('http://app.example.org/cb'), 2, /must be https/],
    [other('https://app.example.org/#x'), 2, /has a fragment/],
    [other('https://192.0.2.1/cb'), 2, /has an IP address as host/],
    [other('com.example.app:/cb', 'confidential'), 2, /for public clients/],
    [
      create(id, 'public', ...uri, '--scopes', 'transactions:read'),
      1,
      /does not have transactions:read/,
    ],
    [create(id, 'public', ...uri, '--name', 'a\u202eb'), 2, /--name must not contain control/],
  ])
  t.same(await control.look(listClients), [])
  const relaxed = await run([...other('https://192.0.2.1/cb'), '--allow-any-host'])
  t.equal(relaxed.code, 0)
})
