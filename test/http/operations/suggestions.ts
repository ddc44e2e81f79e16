// Suggestions over both engines: by a thread, within the access of the credential, after changes.
import { test } from 'tap'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { accountRow, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

const WORKSPACE: WorkspaceRows = {
  accounts: [accountRow(1, { name: 'Giro' }), accountRow(2, { name: 'Geheimkonto' })],
  categories: [{ id: 1, name: 'Versicherung', parentId: null }],
  transactions: [
    transactionRow(1, 1, { counterpartName: 'Tannweiler GmbH', purpose: 'Gehalt Mai' }),
    transactionRow(2, 1, { counterpartName: 'Stadtwerke', categoryId: 1 }),
    transactionRow(3, 2, { counterpartName: 'Stadtwerke', purpose: 'Geheimnis' }),
    transactionRow(4, 2, { counterpartName: 'Müller', purpose: 'Gehalt RE-42' }),
  ],
}

const SUGGESTED: readonly (readonly [query: string, all: unknown, some: unknown])[] = [
  [
    'tannwieler',
    [{ text: 'Tannweiler GmbH', kind: 'counterpart', count: 1 }],
    [{ text: 'Tannweiler GmbH', kind: 'counterpart', count: 1 }],
  ],
  [
    'stadtwrke',
    [{ text: 'Stadtwerke', kind: 'counterpart', count: 2 }],
    [{ text: 'Stadtwerke', kind: 'counterpart', count: 1 }],
  ],
  [
    'versichrung',
    [{ text: 'Versicherung', kind: 'category', count: 1 }],
    [{ text: 'Versicherung', kind: 'category', count: 1 }],
  ],
  [
    'gehlat',
    [{ text: 'Gehalt', kind: 'word', count: 2 }],
    [{ text: 'Gehalt', kind: 'word', count: 1 }],
  ],
  ['Mueler', [{ text: 'Müller', kind: 'counterpart', count: 1 }], []],
  ['gehei&limit=1', [{ text: 'Geheimkonto', kind: 'account', count: 2 }], []],
  ['42', [], []],
  ['%2B', [], []],
]

test(
  'a credential gets the texts of what it may see, counted there',
  overEngines(async (t, service) => {
    await service.write('w', WORKSPACE)
    const all = await service.newKey('w')
    const some = await service.newKey('w', { accountIds: [1] })
    for (const [query, forAll, forSome] of SUGGESTED) {
      const target = `/v1/w/transactions/suggestions?query=${query}`
      t.same(bodyOf(await service.ask(target, { key: all.key })), forAll, query)
      t.same(bodyOf(await service.ask(target, { key: some.key })), forSome, query)
    }
    const denied = await service.newKey('w', { scopes: ['accounts:read'] })
    const target = '/v1/w/transactions/suggestions?query=a'
    t.equal(outcomeOf(await service.ask(target, { key: denied.key })), '401 insufficient_scope')
    t.equal(outcomeOf(await service.ask(target)), '401 unauthorized')
    for (const query of ['', '?query=', '?query=a&limit=0', `?query=${'a'.repeat(65)}`]) {
      const bad = await service.ask(`/v1/w/transactions/suggestions${query}`, { key: all.key })
      t.equal(outcomeOf(bad), '400 invalid_parameter', query)
    }
    const reply = await service.ask(target, { key: all.key })
    const headers = { 'If-None-Match': reply.fields['etag'] ?? '' }
    t.equal((await service.ask(target, { key: all.key, headers })).status, 304)
  }),
)

test(
  'a new name is suggested, and one that is gone is not',
  overEngines(async (t, service) => {
    await service.write('w', WORKSPACE)
    const { key } = await service.newKey('w')
    const texts = async (query: string): Promise<string[]> => {
      const reply = await service.ask(`/v1/w/transactions/suggestions?query=${query}`, { key })
      return (bodyOf(reply) as { readonly text: string }[]).map(({ text }) => text)
    }
    t.same(await texts('mulle'), ['Müller'])
    const file = WorkspaceFile.open(service.pathOf('w'))
    file.deleteTransaction(4)
    file.insertTransaction(
      { ...transactionRow(5, 1, { counterpartName: 'Zimmermann' }), id: null },
      null,
    )
    file.close()
    await service.until(async () => (await texts('zimermann')).includes('Zimmermann'))
    t.same(await texts('stadtwrke'), ['Stadtwerke'])
    t.same(await texts('mulle'), [])
  }),
)
