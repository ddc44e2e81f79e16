import { test } from 'tap'
import {
  deleteApiKeys,
  findApiKey,
  insertApiKey,
  listApiKeys,
  markApiKeyReplaced,
  markApiKeyRevoked,
  noteApiKeyUses,
} from '../../src/store/api-key-rows.js'
import { newControl } from '../fixtures/control.js'

function keyOf(workspaceId: string, byte: number) {
  return {
    workspaceId,
    workspaceUid: null,
    hash: Buffer.alloc(32, byte),
    name: 'n',
    scopes: 'accounts:read',
    accounts: '1,2',
    ipAllow: null,
    createdAt: 5,
    expiresAt: null,
  }
}

const UNUSED = { revokedAt: null, lastUsedAt: null, lastUsedOperation: null, replacedBy: null }

test('keys are stored, listed, revoked once, and deleted with their workspace', async (t) => {
  const control = await newControl(t)
  t.equal(await control.atomically(() => insertApiKey(keyOf('w', 1))), 1)
  t.equal(
    await control.atomically(() =>
      insertApiKey({ ...keyOf('v', 2), expiresAt: 9, ipAllow: '::1' }),
    ),
    2,
  )
  t.strictSame(await control.look(listApiKeys), [
    { id: 1, ...keyOf('w', 1), ...UNUSED },
    { id: 2, ...keyOf('v', 2), expiresAt: 9, ipAllow: '::1', ...UNUSED },
  ])
  const idsOf = async (workspaceId?: string) =>
    (await control.look(() => listApiKeys(workspaceId))).map(({ id }) => id)
  t.same(await idsOf('v'), [2])
  t.same(await idsOf('none'), [])
  t.equal(await control.atomically(() => markApiKeyRevoked(1, 7)), true)
  t.equal(await control.atomically(() => markApiKeyRevoked(1, 8)), true)
  t.equal((await control.look(() => findApiKey(1)))?.revokedAt, 7)
  t.equal(await control.atomically(() => markApiKeyRevoked(3, 7)), false)
  t.equal(await control.atomically(() => deleteApiKeys('w')), 1)
  t.equal(await control.atomically(() => deleteApiKeys('w')), 0)
  t.same(await idsOf(), [2])
  t.equal(
    await control.atomically(() => insertApiKey(keyOf('w', 1))),
    3,
    'an id is never used again',
  )
})

test('a successor is named until it is deleted', async (t) => {
  const control = await newControl(t)
  await control.atomically(() => insertApiKey(keyOf('w', 1)))
  await control.atomically(() => insertApiKey(keyOf('v', 2)))
  await control.atomically(() => markApiKeyReplaced({ id: 1, replacedBy: 2, expiresAt: 9 }))
  t.match(await control.look(() => findApiKey(1)), { replacedBy: 2, expiresAt: 9 })
  await control.atomically(() => deleteApiKeys('v'))
  t.match(await control.look(() => findApiKey(1)), { replacedBy: null, expiresAt: 9 })
})

test('the newest use is kept', async (t) => {
  const control = await newControl(t)
  await control.atomically(() => insertApiKey(keyOf('w', 1)))
  const note = (at: number, operation: string): Promise<void> =>
    control.atomically(() =>
      noteApiKeyUses([
        { id: 1, at, operation },
        { id: 99, at, operation },
      ]),
    )
  await note(6, 'getAccounts')
  await note(8, 'getTransactions')
  await note(7, 'getCategories')
  t.match(await control.look(() => findApiKey(1)), {
    lastUsedAt: 8,
    lastUsedOperation: 'getTransactions',
  })
})
