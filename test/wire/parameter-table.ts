import { test } from 'tap'
import * as lists from '../../src/wire/list-query.js'
import { decodeFormText } from '../../src/wire/percent.js'

const tables = [
  { table: lists.LIST_TABLE, parse: lists.parseListQuery },
  { table: lists.SEARCH_TABLE, parse: lists.parseSearchQuery },
  {
    table: lists.ACCOUNT_LIST_TABLE,
    parse: (raw: string) => lists.parseListQuery(raw, lists.ACCOUNT_LIST_TABLE),
  },
  {
    table: lists.ACCOUNT_SEARCH_TABLE,
    parse: (raw: string) => lists.parseSearchQuery(raw, lists.ACCOUNT_SEARCH_TABLE),
  },
  { table: lists.ACCOUNTS_TABLE, parse: lists.parseAccountsQuery },
  { table: lists.CATEGORIES_TABLE, parse: lists.parseCategoriesQuery },
  { table: lists.ACCOUNT_TABLE, parse: lists.parseAccountQuery },
  { table: lists.TRANSACTION_TABLE, parse: lists.parseTransactionQuery },
]

test('every example is valid, and written as in the messages', async (t) => {
  for (const { table, parse } of tables) {
    for (const { parameter } of table.rows) {
      const raw = `${parameter.name}=${encodeURI(parameter.example)}`
      t.doesNotThrow(() => parse(raw), raw)
      t.equal(decodeFormText(encodeURI(parameter.example)), parameter.example)
      t.match(parameter.description, /\.$/)
    }
  }
})

test('every default is within its bounds', async (t) => {
  for (const { table } of tables) {
    for (const { parameter } of table.rows) {
      if (parameter.kind !== 'integer') continue
      t.ok(parameter.min <= parameter.fallback && parameter.fallback <= parameter.max)
    }
  }
})

test('the operations have the parameters of the contract and the added filters', async (t) => {
  const names = tables.map(({ table }) => table.rows.map(({ parameter }) => parameter.name))
  const ofLists = [
    'category',
    'parentCategory',
    'valuedBefore',
    'valuedAfter',
    'bookedBefore',
    'bookedAfter',
    'importedBefore',
    'importedAfter',
    ...['amountFrom', 'amountTo', 'absoluteAmount', 'direction', 'currency', 'accountIds'],
    ...['uncategorized', 'ownTransfers', 'updatedBefore', 'updatedAfter'],
    ...['bookedFrom', 'bookedTo', 'valuedFrom', 'valuedTo', 'importedFrom', 'importedTo'],
    'offset',
    'limit',
    'cursor',
    'order',
    'sortBy',
    'customSchema',
  ]
  const ofAccount = ofLists.filter((name) => name !== 'accountIds')
  t.same(names, [
    ofLists,
    ['query', ...ofLists],
    ofAccount,
    ['query', ...ofAccount],
    ['blz', 'bic', 'offset', 'limit', 'customSchema'],
    ['offset', 'limit'],
    ['customSchema'],
    ['customSchema'],
  ])
})
