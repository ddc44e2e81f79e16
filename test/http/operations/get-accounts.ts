// Accounts, categories and single transactions over both engines, against the naive twin, for keys
// with and without an account restriction.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { assertProperty } from '../../fixtures/assert-property.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { naiveAccount, naiveCategory, naiveTransaction } from '../../fixtures/naive.js'
import { naiveRewrite, type Tree } from '../../fixtures/naive-rewrite.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'
import { type WorkspaceRows, workspaceRows } from '../../fixtures/workspaces.js'

const cases = workspaceRows({ maxLength: 12 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    accountIds: fc.option(fc.subarray(workspace.accounts.map(({ id }) => id)), { nil: null }),
    blz: fc.constantFrom(undefined, '37040044', '1'),
    bic: fc.constantFrom(undefined, 'COBADEFFXXX', 'coba deff xxx', 'X'),
    offset: fc.nat({ max: 4 }),
    limit: fc.nat({ max: 4 }),
  }),
)

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

let workspaceCount = 0

test(
  'accounts and categories equal the naive ones, in id order',
  overEngines(async (t, service) => {
    await assertProperty(
      fc.asyncProperty(cases, async ({ workspace, accountIds, blz, bic, offset, limit }) => {
        workspaceCount += 1
        const root = `/v1/a${workspaceCount}`
        await service.write(`a${workspaceCount}`, workspace)
        const { key } = await service.newKey(`a${workspaceCount}`, { accountIds })
        const visible = workspace.accounts.filter(({ id }) => accountIds?.includes(id) ?? true)
        const compact = bic?.replaceAll(' ', '').toUpperCase()
        const found = visible
          .filter((row) => blz === undefined || row.blz === blz)
          .filter((row) => compact === undefined || row.bic === compact)
          .map(naiveAccount)
        const filters = [blz && `blz=${blz}`, bic && `bic=${encodeURIComponent(bic)}`]
        const query = [`offset=${offset}`, `limit=${limit}`, ...filters].filter(Boolean).join('&')
        const accounts = await service.ask(`${root}/accounts?${query}`, { key })
        assert.deepEqual(bodyOf(accounts), plain(found.slice(offset, offset + limit)))
        assert.equal(accounts.fields['x-total-count'], String(found.length))
        assert.equal(accounts.fields['link'] === undefined, limit === 0, 'no pages without rows')

        const categories = await service.ask(`${root}/categories?limit=3`, { key })
        const all = workspace.categories.map((row) => naiveCategory(row, workspace.categories))
        assert.deepEqual(bodyOf(categories), plain(all.slice(0, 3)), 'whatever the restriction')
        assert.equal(categories.fields['x-total-count'], String(all.length))
        for (const category of workspace.categories) {
          const one = await service.ask(`${root}/categories/${category.id}`, { key })
          assert.deepEqual(bodyOf(one), plain(naiveCategory(category, workspace.categories)))
        }
        await checkSingles({ root, key, workspace, accountIds }, service.ask.bind(service))
      }),
      { numRuns: 15 },
    )
    t.pass('all workspaces')
  }),
)

interface Given {
  readonly root: string
  readonly key: string
  readonly workspace: WorkspaceRows
  readonly accountIds: readonly number[] | null
}

/** Each account by id and by IBAN, each transaction; invisible ones answer as if absent. */
async function checkSingles(
  { root, key, workspace, accountIds }: Given,
  ask: (target: string, sending: { key: string }) => Promise<Reply>,
): Promise<void> {
  const sees = (id: number): boolean => accountIds?.includes(id) ?? true
  for (const account of workspace.accounts) {
    const byId = await ask(`${root}/accounts/${account.id}`, { key })
    if (sees(account.id)) assert.deepEqual(bodyOf(byId), plain(naiveAccount(account)))
    else assert.equal(outcomeOf(byId), '400 not_found')
    if (account.iban === null) continue
    const first = workspace.accounts.find(({ id, iban }) => iban === account.iban && sees(id))
    const byIban = await ask(`${root}/accounts/${account.iban.toLowerCase()}`, { key })
    if (first === undefined) assert.equal(outcomeOf(byIban), '400 not_found')
    else assert.deepEqual(bodyOf(byIban), plain(naiveAccount(first)), 'the lowest id it sees')
  }
  for (const row of workspace.transactions) {
    const one = await ask(`${root}/transactions/${row.id}`, { key })
    if (sees(row.accountId)) assert.deepEqual(bodyOf(one), plain(naiveTransaction(row, workspace)))
    else assert.equal(outcomeOf(one), '400 not_found')
  }
}

test(
  'customSchema rewrites accounts and single transactions',
  overEngines(async (t, service) => {
    const [workspace] = fc.sample(
      workspaceRows({ maxLength: 12 }).filter(({ transactions }) => transactions.length > 5),
      { numRuns: 1, seed: 7 },
    )
    if (workspace === undefined) throw new Error('there is a sample')
    await service.write('w', workspace)
    const { key } = await service.newKey('w')
    const entries = { id: 'number', iban: 'where.iban', createdAt: null, currency: 'id' }
    const encoded = encodeURIComponent(JSON.stringify(entries))
    const rewritten = (resource: unknown): Tree =>
      naiveRewrite(plain(resource) as Tree, entries).result
    const list = await service.ask(`/v1/w/accounts?customSchema=${encoded}`, { key })
    t.same(
      bodyOf(list),
      workspace.accounts.map((row) => rewritten(naiveAccount(row))),
    )
    for (const row of workspace.accounts) {
      const one = await service.ask(`/v1/w/accounts/${row.id}?customSchema=${encoded}`, { key })
      t.same(bodyOf(one), rewritten(naiveAccount(row)))
    }
    for (const row of workspace.transactions) {
      const one = await service.ask(`/v1/w/transactions/${row.id}?customSchema=${encoded}`, { key })
      t.same(bodyOf(one), rewritten(naiveTransaction(row, workspace)))
    }
  }),
)
