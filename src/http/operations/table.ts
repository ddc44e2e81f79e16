import { strict as assert } from 'node:assert'
import type { TransactionBounds, TransactionFilters } from '../../query/transaction-query.js'
import {
  ACCOUNT_BATCH_TABLE,
  BATCH_TABLE,
  type BatchQuery,
  parseBatchQuery,
} from '../../wire/batch-query.js'
import { CHANGES_TABLE, parseChangesQuery } from '../../wire/changes-query.js'
import {
  ACCOUNT_LIST_TABLE,
  ACCOUNT_SEARCH_TABLE,
  ACCOUNT_TABLE,
  ACCOUNTS_TABLE,
  CATEGORIES_TABLE,
  LIST_TABLE,
  type ListQuery,
  NO_TABLE,
  parseAccountQuery,
  parseAccountsQuery,
  parseCategoriesQuery,
  parseListQuery,
  parseNoQuery,
  parseSearchQuery,
  parseTransactionQuery,
  SEARCH_TABLE,
  TRANSACTION_TABLE,
} from '../../wire/list-query.js'
import {
  ACCOUNT_MATCH_TABLE,
  MATCH_TABLE,
  type MatchQuery,
  parseMatchQuery,
} from '../../wire/match-query.js'
import type { QueryTable } from '../../wire/raw-query.js'
import { parseSuggestionQuery, SUGGESTION_TABLE } from '../../wire/suggestion-query.js'
import {
  ACCOUNT_SUMMARY_TABLE,
  parseSummaryQuery,
  SUMMARY_TABLE,
  type SummaryQuery,
} from '../../wire/summary-query.js'
import {
  type AnyOperation,
  type BoundsName,
  type Operation,
  type OperationContext,
  type OperationDescription,
  type OperationResult,
  operation,
  type VerbName,
} from '../operation.js'
import { accountsPage, oneAccount } from './accounts.js'
import { batchPage } from './batch-page.js'
import { categoriesPage, oneCategory } from './categories.js'
import { changesPage } from './changes-page.js'
import {
  BATCH_RULE,
  CHANGES_RULE,
  MATCH_RULE,
  SEARCH_RULE,
  SUGGESTION_RULE,
  SUMMARY_RULE,
} from './descriptions.js'
import { matchPage } from './match-page.js'
import { suggestions } from './suggestions.js'
import { summaryPage } from './summary-page.js'
import { oneTransaction, transactionPage } from './transaction-page.js'
import {
  accountBounds,
  boundsWithin,
  counterpartBounds,
  visibleBounds,
} from './visible-accounts.js'

/** The rows that the operations on transactions range over, by the start of their paths. */
const BOUNDS = {
  workspace: {
    path: '/v1/{workspaceId}/transactions',
    tags: ['Transactions'],
    boundsOf: visibleBounds,
  },
  account: {
    path: '/v1/{workspaceId}/accounts/{identifier}/transactions',
    tags: ['Accounts', 'Transactions'],
    boundsOf: accountBounds,
  },
  counterpart: {
    path: '/v1/{workspaceId}/counterpart/{iban}/transactions',
    tags: ['Counterparts', 'Transactions'],
    boundsOf: counterpartBounds,
  },
} as const satisfies Readonly<
  Record<BoundsName, Pick<OperationDescription, 'path' | 'tags'> & { readonly boundsOf: BoundsOf }>
>

type BoundsOf = (context: OperationContext) => TransactionBounds

/** The parts of a verb that are the same for all bounds. */
interface Verb<Query, Table extends QueryTable<never>>
  extends Pick<Operation<Query>, 'resource' | 'answers' | 'searches'> {
  readonly verb: VerbName
  readonly method?: 'POST'
  readonly table: Table
  /** Without the filter by account. */
  readonly accountTable: Table
  readonly parse: (rawQuery: string, table: Table, body: Uint8Array) => Query
  readonly filtersOf: (query: Query) => TransactionFilters
  /** Of the path, behind that of the bounds. */
  readonly ending: string
  readonly page: (
    context: OperationContext,
    query: Query,
    bounds: TransactionBounds,
    operationId: string,
  ) => OperationResult | Promise<OperationResult>
}

/** The texts of an operation. */
type Texts = Pick<OperationDescription, 'id' | 'summary' | 'description'>

/** The operations of a verb: a function from bounds and texts to the row. */
function operationsOf<Query, Table extends QueryTable<never>>(verb: Verb<Query, Table>) {
  const { ending, page, filtersOf, parse, accountTable, method = 'GET', ...parts } = verb
  return (bounds: BoundsName, texts: Texts): AnyOperation => {
    const { path, tags, boundsOf } = BOUNDS[bounds]
    const table = bounds === 'account' ? accountTable : verb.table
    return operation<Query>({
      ...texts,
      ...parts,
      ...{ bounds, tags, method, path: path + ending, scope: 'transactions:read', table },
      parse: (rawQuery, body) => parse(rawQuery, table, body),
      run: (context, query) => {
        const { accountIds } = filtersOf(query)
        const within = boundsWithin(context, boundsOf(context), accountIds)
        return page(context, query, within, texts.id)
      },
    })
  }
}

const list = operationsOf({
  ...{ verb: 'list', ending: '', resource: 'Transaction', answers: 'list' },
  ...{ table: LIST_TABLE, accountTable: ACCOUNT_LIST_TABLE, parse: parseListQuery },
  ...{ filtersOf: (query: ListQuery) => query, page: transactionPage },
})

const search = operationsOf({
  ...{ verb: 'search', ending: '/search', resource: 'Transaction', answers: 'list' },
  ...{ table: SEARCH_TABLE, accountTable: ACCOUNT_SEARCH_TABLE, parse: parseSearchQuery },
  ...{ filtersOf: (query: ListQuery) => query, page: transactionPage },
  searches: ({ terms }) => terms ?? [],
})

const match = operationsOf({
  ...{ verb: 'match', ending: '/match', resource: 'MatchedTransaction', answers: 'matches' },
  ...{ table: MATCH_TABLE, accountTable: ACCOUNT_MATCH_TABLE, parse: parseMatchQuery },
  ...{ filtersOf: ({ filters }: MatchQuery) => filters, page: matchPage },
})

const summary = operationsOf({
  ...{ verb: 'summary', ending: '/summary', resource: 'TransactionGroup', answers: 'list' },
  ...{ table: SUMMARY_TABLE, accountTable: ACCOUNT_SUMMARY_TABLE, parse: parseSummaryQuery },
  ...{ filtersOf: ({ filters }: SummaryQuery) => filters, page: summaryPage },
  searches: ({ terms }) => terms ?? [],
})

const batchMatch = operationsOf({
  ...{ verb: 'batchMatch', ending: '/match', resource: 'BatchMatch', answers: 'entries' },
  ...{ method: 'POST', table: BATCH_TABLE, accountTable: ACCOUNT_BATCH_TABLE },
  ...{ parse: parseBatchQuery, filtersOf: ({ filters }: BatchQuery) => filters, page: batchPage },
})

/**
 * Every operation, in the contract's order, an extension behind what it extends, but for those
 * that begin with `transactions/` and a word before `getTransaction`, whose variable segment could
 * be that word. REST routes and the OpenAPI document are made of these rows; a tool of MCP and a
 * page of the explorer look up the ones that they call.
 */
export const OPERATIONS: readonly AnyOperation[] = [
  operation({
    id: 'getAccounts',
    method: 'GET',
    path: '/v1/{workspaceId}/accounts',
    scope: 'accounts:read',
    tags: ['Accounts'],
    summary: 'List accounts',
    description: 'The accounts that the credential can access, by id, ascending.',
    ...{ resource: 'Account', answers: 'list' },
    ...{ table: ACCOUNTS_TABLE, parse: parseAccountsQuery, run: accountsPage },
  }),
  operation({
    id: 'getAccount',
    method: 'GET',
    path: '/v1/{workspaceId}/accounts/{identifier}',
    scope: 'accounts:read',
    tags: ['Accounts'],
    summary: 'Get one account',
    description: 'One account, by id or IBAN.',
    ...{ resource: 'Account', answers: 'one' },
    ...{ table: ACCOUNT_TABLE, parse: parseAccountQuery, run: oneAccount },
  }),
  list('account', {
    id: 'getAccountTransactions',
    summary: 'List transactions of one account',
    description:
      'The transactions of one account that match all filters, newest id first unless sorted ' +
      'otherwise. The scope `accounts:read` is not required.',
  }),
  search('account', {
    id: 'searchAccountTransactions',
    summary: 'Search transactions of one account',
    description: `The transactions of one account that contain a text.\n\n${SEARCH_RULE}`,
  }),
  match('account', {
    id: 'matchAccountTransactions',
    summary: 'Match a reference in one account',
    description:
      'The transactions of one account that contain a reference, the most likely ' +
      `first.\n\n${MATCH_RULE}`,
  }),
  batchMatch('account', {
    id: 'matchAccountBatch',
    summary: 'Match several references in one account',
    description: `The matches of up to 500 references in one account.\n\n${BATCH_RULE}`,
  }),
  summary('account', {
    id: 'sumAccountTransactions',
    summary: 'Sum transactions of one account',
    description: `Exact sums of the transactions of one account, by group.\n\n${SUMMARY_RULE}`,
  }),
  list('workspace', {
    id: 'getTransactions',
    summary: 'List transactions',
    description:
      'The transactions of all accounts that the credential can access and that match all ' +
      'filters, newest id first unless sorted otherwise.',
  }),
  search('workspace', {
    id: 'searchTransactions',
    summary: 'Search transactions',
    description:
      'The transactions that contain a text, of all accounts that the credential can access.\n\n' +
      SEARCH_RULE,
  }),
  match('workspace', {
    id: 'matchTransactions',
    summary: 'Match a reference',
    description:
      'The transactions that contain a reference, the most likely first, of all accounts ' +
      'that the credential can access.\n' +
      '\n' +
      `${MATCH_RULE}`,
  }),
  batchMatch('workspace', {
    id: 'matchBatch',
    summary: 'Match several references',
    description:
      'The matches of up to 500 references, in all accounts that the credential can ' +
      `access.\n\n${BATCH_RULE}`,
  }),
  summary('workspace', {
    id: 'sumTransactions',
    summary: 'Sum transactions',
    description:
      'Exact sums of the transactions of all accounts that the credential can access, by ' +
      `group.\n\n${SUMMARY_RULE}`,
  }),
  operation({
    id: 'getSuggestions',
    method: 'GET',
    path: '/v1/{workspaceId}/transactions/suggestions',
    scope: 'transactions:read',
    tags: ['Transactions'],
    summary: 'Suggest search texts',
    description: SUGGESTION_RULE,
    ...{ resource: 'Suggestion', answers: 'suggestions', needsIndexes: true },
    ...{ table: SUGGESTION_TABLE, parse: parseSuggestionQuery, run: suggestions },
  }),
  operation({
    id: 'getTransactionChanges',
    method: 'GET',
    path: '/v1/{workspaceId}/transactions/changes',
    scope: 'transactions:read',
    tags: ['Transactions'],
    summary: 'Follow the changes of transactions',
    description: CHANGES_RULE,
    ...{ resource: 'TransactionChanges', answers: 'one', waits: true },
    ...{ table: CHANGES_TABLE, parse: parseChangesQuery, run: changesPage },
  }),
  operation({
    id: 'getTransaction',
    method: 'GET',
    path: '/v1/{workspaceId}/transactions/{transactionId}',
    scope: 'transactions:read',
    tags: ['Transactions'],
    summary: 'Get one transaction',
    description: 'One transaction, by id.',
    ...{ resource: 'Transaction', answers: 'one' },
    ...{ table: TRANSACTION_TABLE, parse: parseTransactionQuery, run: oneTransaction },
  }),
  list('counterpart', {
    id: 'getCounterpartTransactions',
    summary: 'List transactions with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one, with the filters and sorting of ' +
      'the transactions list. An IBAN that no counterpart has gives an empty list.',
  }),
  search('counterpart', {
    id: 'searchCounterpartTransactions',
    summary: 'Search transactions with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one and that contain a text. An ' +
      'IBAN that no counterpart has gives an empty list.\n' +
      '\n' +
      `${SEARCH_RULE}`,
  }),
  match('counterpart', {
    id: 'matchCounterpartTransactions',
    summary: 'Match a reference with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one and that contain a reference, the ' +
      `most likely first.\n\n${MATCH_RULE}`,
  }),
  batchMatch('counterpart', {
    id: 'matchCounterpartBatch',
    summary: 'Match several references with one counterpart',
    description:
      'The matches of up to 500 references, in the transactions whose `counterpart.iban` is ' +
      `this one.\n\n${BATCH_RULE}`,
  }),
  summary('counterpart', {
    id: 'sumCounterpartTransactions',
    summary: 'Sum transactions with one counterpart',
    description:
      'Exact sums of the transactions whose `counterpart.iban` is this one, by ' +
      `group.\n\n${SUMMARY_RULE}`,
  }),
  operation({
    id: 'getCategories',
    method: 'GET',
    path: '/v1/{workspaceId}/categories',
    scope: 'transactions:read',
    tags: ['Categories'],
    summary: 'List categories',
    description:
      'All categories of the workspace, by id, ascending, even if the credential can access ' +
      'only some accounts.',
    ...{ resource: 'Category', answers: 'list' },
    ...{ table: CATEGORIES_TABLE, parse: parseCategoriesQuery, run: categoriesPage },
  }),
  operation({
    id: 'getCategory',
    method: 'GET',
    path: '/v1/{workspaceId}/categories/{categoryId}',
    scope: 'transactions:read',
    tags: ['Categories'],
    summary: 'Get one category',
    description: 'One category, by id.',
    ...{ resource: 'Category', answers: 'one' },
    ...{ table: NO_TABLE, parse: parseNoQuery, run: oneCategory },
  }),
  operation({
    id: 'getKeyScope',
    method: 'GET',
    path: '/v1/{workspaceId}/key/scope',
    scope: undefined,
    tags: ['Key'],
    summary: 'Show the access of the credential',
    description:
      'Workspace, scopes and accounts of the credential in use. Call this first if another ' +
      'operation answers 401 or finds nothing.',
    ...{ resource: 'KeyScope', answers: 'one' },
    ...{ table: NO_TABLE, parse: parseNoQuery },
    run: ({ access }) => ({ bytes: Buffer.from(JSON.stringify(access.keyScope)) }),
  }),
]

/** The operation with this operationId. */
export function operationOfId(id: string): AnyOperation {
  return found(OPERATIONS.find((row) => row.id === id))
}

/** The operation on transactions with this verb and these bounds. */
export function transactionOperation(verb: VerbName, bounds: BoundsName): AnyOperation {
  return found(OPERATIONS.find((row) => row.verb === verb && row.bounds === bounds))
}

function found(row: AnyOperation | undefined): AnyOperation {
  assert(row !== undefined, 'the table has an operation of each id, and of each verb and bounds')
  return row
}
