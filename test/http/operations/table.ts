import { test } from 'tap'
import { TAGS } from '../../../src/http/operations/descriptions.js'
import {
  OPERATIONS,
  operationOfId,
  transactionOperation,
} from '../../../src/http/operations/table.js'
import { documentKeyOf } from '../../../src/openapi/parameters.js'

test('paths, scopes and tags are those of the contract', async (t) => {
  const rows = OPERATIONS.map(({ id, path, scope, tags }) => {
    return [id, path, scope, tags.join(' ')]
  })
  const account = '/v1/{workspaceId}/accounts/{identifier}'
  const counterpart = '/v1/{workspaceId}/counterpart/{iban}/transactions'
  const transactions = '/v1/{workspaceId}/transactions'
  const categories = '/v1/{workspaceId}/categories'
  const read = 'transactions:read'
  t.same(rows, [
    ['getAccounts', '/v1/{workspaceId}/accounts', 'accounts:read', 'Accounts'],
    ['getAccount', account, 'accounts:read', 'Accounts'],
    ['getAccountTransactions', `${account}/transactions`, read, 'Accounts Transactions'],
    ['searchAccountTransactions', `${account}/transactions/search`, read, 'Accounts Transactions'],
    ['matchAccountTransactions', `${account}/transactions/match`, read, 'Accounts Transactions'],
    ['matchAccountBatch', `${account}/transactions/match`, ...[read, 'Accounts Transactions']],
    ['sumAccountTransactions', `${account}/transactions/summary`, read, 'Accounts Transactions'],
    ['getTransactions', transactions, read, 'Transactions'],
    ['searchTransactions', `${transactions}/search`, read, 'Transactions'],
    ['matchTransactions', `${transactions}/match`, read, 'Transactions'],
    ['matchBatch', `${transactions}/match`, read, 'Transactions'],
    ['sumTransactions', `${transactions}/summary`, read, 'Transactions'],
    ['getSuggestions', `${transactions}/suggestions`, read, 'Transactions'],
    ['getTransactionChanges', `${transactions}/changes`, read, 'Transactions'],
    ['getTransaction', `${transactions}/{transactionId}`, read, 'Transactions'],
    ['getCounterpartTransactions', counterpart, read, 'Counterparts Transactions'],
    ['searchCounterpartTransactions', `${counterpart}/search`, read, 'Counterparts Transactions'],
    ['matchCounterpartTransactions', `${counterpart}/match`, read, 'Counterparts Transactions'],
    ['matchCounterpartBatch', `${counterpart}/match`, read, 'Counterparts Transactions'],
    ['sumCounterpartTransactions', `${counterpart}/summary`, read, 'Counterparts Transactions'],
    ['getCategories', categories, read, 'Categories'],
    ['getCategory', `${categories}/{categoryId}`, read, 'Categories'],
    ['getKeyScope', '/v1/{workspaceId}/key/scope', undefined, 'Key'],
  ])
})

test('the path contains the path parameters, in their order, and every tag is used', async (t) => {
  const used = new Set<string>()
  for (const { id, path, pathParameters, tags } of OPERATIONS) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    t.same(
      names,
      pathParameters.map(({ name }) => name),
      id,
    )
    for (const tag of tags) used.add(tag)
  }
  t.same([...used].sort(), Object.keys(TAGS).sort())
})

test('a component is one parameter wherever it is used', async (t) => {
  const byKey = new Map<string, unknown>()
  for (const { pathParameters, queryParameters } of OPERATIONS) {
    for (const parameter of [...pathParameters, ...queryParameters]) {
      const key = documentKeyOf(parameter)
      t.equal(byKey.get(key) ?? parameter, parameter, key)
      byKey.set(key, parameter)
    }
  }
})

const ENDINGS = {
  list: '/transactions',
  search: '/transactions/search',
  match: '/transactions/match',
  batchMatch: '/transactions/match',
  summary: '/transactions/summary',
} as const

test('each POST has the path of a GET', async (t) => {
  const reads = OPERATIONS.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const posts = OPERATIONS.filter(({ method }) => method === 'POST').map(({ path }) => path)
  t.same(
    posts.filter((path) => reads.includes(path)),
    posts,
  )
  t.equal(posts.length, 3)
})

test('an operation is found by its id, and by its verb and bounds', async (t) => {
  for (const row of OPERATIONS) t.equal(operationOfId(row.id), row)
  const ofTransactions = OPERATIONS.filter(({ verb }) => verb !== undefined)
  for (const verb of ['list', 'search', 'match', 'batchMatch', 'summary'] as const) {
    for (const bounds of ['workspace', 'account', 'counterpart'] as const) {
      const row = transactionOperation(verb, bounds)
      t.equal(ofTransactions.includes(row), true, row.id)
      t.equal(row.path.endsWith(ENDINGS[verb]), true)
      t.equal(row.isMatch, ENDINGS[verb] === ENDINGS.match)
      t.equal(row.method, verb === 'batchMatch' ? 'POST' : 'GET')
    }
  }
  t.equal(ofTransactions.length, 15)
  t.throws(() => operationOfId('getNothing'))
})
