import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Account } from '../../../src/domain/account.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { accountRow, SAMPLE } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'
import { workspaceRows } from '../../fixtures/workspaces.js'

const cases = workspaceRows({ maxLength: 3 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    isRestricted: fc.boolean(),
    account: fc.constantFrom(
      ...[undefined, undefined, 999, 'DE89370400440532013000'],
      ...workspace.accounts.map(({ id }) => id),
    ),
    list: fc.record(
      {
        blz: fc.constantFrom('37040044', '12030000'),
        bic: fc.constantFrom('COBADEFFXXX', 'bylade m1001'),
        offset: fc.constantFrom(0, 1),
        limit: fc.constantFrom(0, 1, 2, 250, 250),
      },
      { requiredKeys: [] },
    ),
    fields: fc.constantFrom(undefined, 'compact', 'full'),
  }),
)

function compactOf(row: Account): unknown {
  const { id, name, holderName, bankName, iban, currency, balance, availableFunds } = row
  const accountNumber = iban === undefined ? row.accountNumber : undefined
  const members = { id, name, holderName, bankName, iban, accountNumber }
  return JSON.parse(JSON.stringify({ ...members, currency, balance, availableFunds }))
}

test('generated calls give the same answers as REST', async (t) => {
  let foundCount = 0
  await assertProperty(
    fc.asyncProperty(cases, async ({ workspace, isRestricted, account, list, fields }) => {
      const ids = workspace.accounts.map(({ id }) => id)
      const accountIds = isRestricted ? ids.slice(1) : null
      const fixture = new ToolFixture(indexedSnapshotOf(workspace), { accountIds })
      const options = fields === undefined ? {} : { fields }
      const query = new URLSearchParams(JSON.parse(JSON.stringify(list)))
      const target = account === undefined ? `accounts?${query}` : `accounts/${account}`
      const rest = await fixture.rest(`/v1/w/${target}`)
      const input = account === undefined ? { ...list, ...options } : { account, ...options }
      if (rest.status !== 200) {
        assert.match(
          await fixture.refused('get_accounts', input),
          /^account: no accessible account/,
        )
        return
      }
      const reply = await fixture.reply('get_accounts', input)
      const rows = (account === undefined ? rest.body : [rest.body]) as Account[]
      assert.equal(reply.totalCount, rest.total ?? 1)
      assert.deepEqual(reply.items, fields === 'full' ? rows : rows.map(compactOf))
      foundCount += rows.length
      if (reply.totalCount !== rows.length) return
      const counts = reply.sums.map(({ count }) => Number(count))
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        rows.length,
      )
    }),
    { numRuns: 100 },
  )
  t.ok(foundCount > 10, `${foundCount} accounts`)
})

test('balances are added up per currency, over all found accounts', async (t) => {
  const money = (unscaled: number, scale: number) => ({
    ...{ balanceUnscaled: unscaled, balanceScale: scale },
  })
  const accounts = [
    accountRow(1, money(10, 1)),
    accountRow(2, money(205, 2)),
    accountRow(3, { currency: 'CHF' }),
    accountRow(4, { currency: 'USD', ...money(999_999_999_999_999, 0) }),
    accountRow(5, { currency: 'USD', ...money(1, 5) }),
  ]
  const fixture = new ToolFixture(indexedSnapshotOf({ ...SAMPLE, accounts, transactions: [] }))
  const reply = await fixture.reply('get_accounts', { limit: 1 })
  t.same(reply.sums, [
    { currency: 'EUR', count: 2, balance: 3.05 },
    { currency: 'CHF', count: 1 },
    { currency: 'USD', count: 2, balance: '999999999999999.00001' },
  ])
  t.same([reply.totalCount, reply.returned, reply.nextOffset], [5, 1, 1])
})

test('an error names the argument', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(SAMPLE))
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ account: 1, blz: '1' }, /^account selects one account .* not with blz: omit account/],
    [{ account: 99 }, /^account: no accessible account "99"/],
    [{ account: 'not one!' }, /^account must be an account id or an IBAN/],
    [{ bic: ' ' }, /^bic has no value/],
    [{ limit: 300 }, /^limit must be/],
    [{ iban: 'DE1' }, /^Unknown argument "iban"/],
  ]
  for (const [input, pattern] of cases) {
    t.match(await fixture.refused('get_accounts', input), pattern, JSON.stringify(input))
  }
})
