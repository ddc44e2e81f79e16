import { test } from 'tap'
import {
  type ClientRow,
  countDynamicClients,
  deleteClientRow,
  deleteOldestUnconsentedClient,
  findClient,
  insertClient,
  listClients,
  updateClientActive,
} from '../../src/store/client-rows.js'
import { newControl, someGrant, someIntegration } from '../fixtures/control.js'
import { execute } from '../fixtures/control-sql.js'

test('clients are stored unchanged, switched off and on, and deleted', async (t) => {
  const control = await newControl(t)
  const integrationId = (await someIntegration(control)).id
  const confidential: ClientRow = {
    id: 'c1',
    integrationId,
    name: '<b>App</b> "1"',
    type: 'confidential',
    secretHash: Buffer.alloc(32, 7),
    redirectUris: ['https://app.example.org/cb?a="b"', 'http://127.0.0.1/'],
    scopes: 'accounts:read',
    isActive: true,
    registered: 'operator',
    createdAt: 5,
  }
  const dynamic: ClientRow = {
    ...confidential,
    id: 'c2',
    integrationId: (await someIntegration(control, { kind: 'mcp' })).id,
    type: 'public',
    secretHash: null,
    redirectUris: [],
    registered: 'dynamic',
  }
  for (const row of [confidential, dynamic]) await control.atomically(() => insertClient(row))
  t.strictSame(await control.look(() => findClient('c1')), confidential)
  t.strictSame(await control.look(listClients), [confidential, dynamic])
  t.strictSame(await control.look(() => listClients(dynamic.integrationId)), [dynamic])
  t.equal(await control.look(() => countDynamicClients(integrationId)), 0)
  t.equal(await control.look(() => countDynamicClients(dynamic.integrationId)), 1)
  t.equal(await control.atomically(() => updateClientActive({ id: 'c1', isActive: false })), true)
  t.equal((await control.look(() => findClient('c1')))?.isActive, false)
  t.equal(await control.atomically(() => updateClientActive({ id: 'x', isActive: false })), false)
  t.equal(await control.atomically(() => deleteClientRow('c1')), true)
  t.equal(await control.atomically(() => deleteClientRow('c1')), false)
  t.equal(await control.look(() => findClient('c1')), undefined)
})

test('the oldest self-registered client without a consent is evicted first', async (t) => {
  const control = await newControl(t)
  const integrationId = (await someIntegration(control, { kind: 'mcp' })).id
  const newClient = (id: string, input: Partial<ClientRow>): Promise<void> =>
    control.atomically(() =>
      insertClient({
        ...{ id, integrationId, name: 'n', type: 'public', secretHash: null, redirectUris: [] },
        ...{ scopes: '', isActive: true, registered: 'dynamic', createdAt: 1, ...input },
      }),
    )
  await newClient('operator', { registered: 'operator' })
  await newClient('revoked', {})
  await newClient('live', {})
  await newClient('second', { createdAt: 3 })
  await newClient('first', { createdAt: 2 })
  await newClient('young', { createdAt: 9 })
  const other = (await someIntegration(control, { kind: 'mcp' })).id
  await newClient('foreign', { integrationId: other })
  for (const id of ['revoked', 'live']) {
    const client = await control.look(() => findClient(id))
    if (client !== undefined) await someGrant(control, client)
  }
  await execute(control, "UPDATE grants SET revoked_at = 5 WHERE client_id = 'revoked'")
  const drop = (): Promise<string | undefined> =>
    control.atomically(() => deleteOldestUnconsentedClient(integrationId, 9))
  t.same([await drop(), await drop(), await drop()], ['first', 'second', undefined])
  t.equal((await control.look(listClients)).length, 5)
})
