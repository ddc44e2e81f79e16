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
  const control = newControl(t)
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
  for (const row of [ROW, other]) insertIntegration(control, row)
  t.strictSame(findIntegration(control, 'a-B_9'), ROW)
  t.strictSame(findIntegration(control, 'b'), other)
  t.equal(findIntegration(control, 'B'), undefined)
  t.strictSame(listIntegrations(control), [ROW, other], 'in order of creation')
  t.strictSame(listIntegrations(control, 'v'), [other])
  t.throws(() => insertIntegration(control, ROW), { name: 'StoreError' }, 'an id is unique')
})

test('an integration is switched off and on, and deleted', async (t) => {
  const control = newControl(t)
  for (const id of ['a', 'b', 'c']) insertIntegration(control, { ...ROW, id })
  t.equal(updateIntegrationActive(control, { id: 'a', isActive: false, at: 9 }), true)
  t.match(findIntegration(control, 'a'), { isActive: false, updatedAt: 9, createdAt: 5 })
  t.equal(updateIntegrationActive(control, { id: 'x', isActive: false, at: 9 }), false)
  t.equal(deleteIntegrationRow(control, 'a'), true)
  t.equal(deleteIntegrationRow(control, 'a'), false)
  t.equal(deleteIntegrations(control, 'v'), 0)
  t.equal(deleteIntegrations(control, 'w'), 2)
  t.same(listIntegrations(control), [])
})
