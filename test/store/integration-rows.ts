import { test } from 'tap'
import {
  deleteIntegrationRow,
  deleteIntegrations,
  findIntegration,
  type IntegrationRow,
  insertIntegration,
  listIntegrations,
  updateIntegrationActive,
} from '../../src/store/integration-rows.js'
import { newControl } from '../fixtures/control.js'

const ROW: IntegrationRow = {
  id: 'a-B_9',
  workspaceId: 'w',
  workspaceUid: 'u',
  kind: 'mcp',
  name: 'Agent für Buchhaltung',
  isActive: true,
  accounts: '',
  tools: 'get_accounts',
  scopes: 'accounts:read',
  letsRegister: true,
  codeMs: 1,
  accessMs: 2,
  refreshMs: 3,
  masksIbans: true,
  masksNames: false,
  createdAt: 5,
  updatedAt: 6,
}

test('an integration is stored unchanged', async (t) => {
  const control = await newControl(t)
  const other: IntegrationRow = {
    ...ROW,
    id: 'b',
    kind: 'oauth2',
    workspaceId: 'v',
    letsRegister: false,
    masksIbans: false,
    masksNames: true,
    isActive: false,
  }
  for (const row of [ROW, other]) await control.atomically(() => insertIntegration(row))
  t.strictSame(await control.look(() => findIntegration('a-B_9')), ROW)
  t.strictSame(await control.look(() => findIntegration('b')), other)
  t.equal(await control.look(() => findIntegration('B')), undefined)
  t.strictSame(await control.look(listIntegrations), [ROW, other], 'in order of creation')
  t.strictSame(await control.look(() => listIntegrations('v')), [other])
  await t.rejects(
    () => control.atomically(() => insertIntegration(ROW)),
    { name: 'StoreError' },
    'an id is unique',
  )
})

test('an integration is switched off and on, and deleted', async (t) => {
  const control = await newControl(t)
  for (const id of ['a', 'b', 'c'])
    await control.atomically(() => insertIntegration({ ...ROW, id }))
  t.equal(
    await control.atomically(() => updateIntegrationActive({ id: 'a', isActive: false, at: 9 })),
    true,
  )
  t.match(await control.look(() => findIntegration('a')), {
    isActive: false,
    updatedAt: 9,
    createdAt: 5,
  })
  t.equal(
    await control.atomically(() => updateIntegrationActive({ id: 'x', isActive: false, at: 9 })),
    false,
  )
  t.equal(await control.atomically(() => deleteIntegrationRow('a')), true)
  t.equal(await control.atomically(() => deleteIntegrationRow('a')), false)
  t.equal(await control.atomically(() => deleteIntegrations('v')), 0)
  t.equal(await control.atomically(() => deleteIntegrations('w')), 2)
  t.same(await control.look(listIntegrations), [])
})
