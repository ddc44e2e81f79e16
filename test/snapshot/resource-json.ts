import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatInstant } from '../../src/instant.js'
import {
  accountJson,
  categoryJson,
  categoryNameJson,
  transactionAccountJson,
  transactionJson,
} from '../../src/snapshot/resource-json.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveAccount, naiveCategory, naiveTransaction } from '../fixtures/naive.js'
import { accountRow, transactionRow } from '../fixtures/sample-workspace.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const shared = {
  instant: (ms: number) => `"${formatInstant(ms)}"`,
  account: () => '{}',
  category: (id: number | null) => (id === null ? '{}' : `{"id":${id}}`),
}

test('each resource is rendered like the naive one', async (t) => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 10 }), (workspace) => {
      const { accounts, categories, transactions } = workspace
      for (const row of accounts) {
        assert.deepEqual(JSON.parse(accountJson(row)), plain(naiveAccount(row)))
      }
      for (const row of categories) {
        const parent = categories.find(({ id }) => id === row.parentId) ?? null
        assert.deepEqual(
          JSON.parse(categoryJson(row, parent)),
          plain(naiveCategory(row, categories)),
        )
      }
      const fragments = {
        instant: shared.instant,
        account: (id: number) =>
          transactionAccountJson(accounts.find((row) => row.id === id) ?? null),
        category: (id: number | null) =>
          categoryNameJson(categories.find((row) => row.id === id) ?? null),
      }
      for (const row of transactions) {
        const printed = transactionJson(row, fragments)
        assert.deepEqual(JSON.parse(printed), plain(naiveTransaction(row, workspace)))
      }
    }),
    { numRuns: 200 },
  )
  t.pass('200 workspaces')
})

function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

test('absent values are left out, required ones are present', async (t) => {
  t.equal(
    accountJson(accountRow(1, { name: '' })),
    '{"id":1,"currency":"EUR","createdAt":"2026-01-01T00:00:00.000Z",' +
      '"updatedAt":"2026-01-01T00:00:00.000Z"}',
  )
  t.equal(
    transactionJson(transactionRow(1, 2), shared),
    '{"id":1,"accountId":2,"account":{},"amount":-1,"currency":"EUR","category":{},' +
      '"parentCategory":{},"counterpart":{},"createdAt":"2026-01-01T00:00:00.000Z",' +
      '"updatedAt":"2026-01-01T00:00:00.000Z","importDate":"2026-01-01T00:00:00.000Z"}',
  )
})

test('amounts are exact and in their shortest form', async (t) => {
  const rows: readonly (readonly [unscaled: number, scale: number, printed: string])[] = [
    [0, 0, '0'],
    [0, 5, '0'],
    [-123_450, 2, '-1234.5'],
    [1, 5, '0.00001'],
    [-1, 1, '-0.1'],
    [999_999_999_999_999, 0, '999999999999999'],
    [-999_999_999_999_999, 5, '-9999999999.99999'],
    [100, 2, '1'],
  ]
  for (const [amountUnscaled, amountScale, printed] of rows) {
    const row = transactionRow(1, 1, { amountUnscaled, amountScale })
    t.match(transactionJson(row, shared), `"amount":${printed},`)
  }
})
