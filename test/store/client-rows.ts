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

test('clients are stored unchanged, switched off and on, and deleted', async (t) => {
  const control = newControl(t)
  const integrationId = someIntegration(control).id
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
    integrationId: someIntegration(control, { kind: 'mcp' }).id,
    type: 'public',
    secretHash: null,
    redirectUris: [],
    registered: 'dynamic',
  }
  for (const row of [confidential, dynamic]) insertClient(control, row)
  t.strictSame(findClient(control, 'c1'), confidential)
  t.strictSame(listClients(control), [confidential, dynamic])
  t.strictSame(listClients(control, dynamic.integrationId), [dynamic])
  t.equal(countDynamicClients(control, integrationId), 0)
  t.equal(countDynamicClients(control, dynamic.integrationId), 1)
  t.equal(updateClientActive(control, { id: 'c1', isActive: false }), true)
  t.equal(findClient(control, 'c1')?.isActive, false)
  t.equal(updateClientActive(control, { id: 'x', isActive: false }), false)
  t.equal(deleteClientRow(control, 'c1'), true)
  t.equal(deleteClientRow(control, 'c1'), false)
  t.equal(findClient(control, 'c1'), undefined)
})

test('the oldest self-registered client without a consent is evicted first', async (t) => {
  const control = newControl(t)
  const integrationId = someIntegration(control, { kind: 'mcp' }).id
  const newClient = (id: string, input: Partial<ClientRow>): void =>
    insertClient(control, {
      ...{ id, integrationId, name: 'n', type: 'public', secretHash: null, redirectUris: [] },
      ...{ scopes: '', isActive: true, registered: 'dynamic', createdAt: 1, ...input },
    })
  newClient('operator', { registered: 'operator' })
  newClient('revoked', {})
  newClient('live', {})
  newClient('second', { createdAt: 3 })
  newClient('first', { createdAt: 2 })
  newClient('young', { createdAt: 9 })
  const other = someIntegration(control, { kind: 'mcp' }).id
  newClient('foreign', { integrationId: other })
  for (const id of ['revoked', 'live']) {
    const client = findClient(control, id)
    if (client !== undefined) someGrant(control, client)
  }
  control.run("UPDATE grants SET revoked_at = 5 WHERE client_id = 'revoked'")
  const drop = (): string | undefined => deleteOldestUnconsentedClient(control, integrationId, 9)
  t.same([drop(), drop(), drop()], ['first', 'second', undefined])
  t.equal(listClients(control).length, 5)
})
