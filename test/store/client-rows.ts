import { test } from 'tap'
import {
  type ClientRow,
  countDynamicClients,
  deleteClientRow,
  findClient,
  insertClient,
  listClients,
  updateClientActive,
} from '../../src/store/client-rows.js'
import { newControl, someIntegration } from '../fixtures/control.js'

test('clients are kept as they are given, switched off and on, and deleted', async (t) => {
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
