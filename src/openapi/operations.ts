import type { Scope } from '../domain/key-scope.js'
import { MATCH_WINDOW_ROWS_MAX } from '../limits.js'
import {
  ACCOUNT_TABLE,
  ACCOUNTS_TABLE,
  CATEGORIES_TABLE,
  LIST_TABLE,
  NO_TABLE,
  SEARCH_TABLE,
  TRANSACTION_TABLE,
} from '../wire/list-query.js'
import { MATCH_TABLE } from '../wire/match-query.js'
import {
  CATEGORY_ID,
  COUNTERPART_IBAN,
  IDENTIFIER,
  type PathParameter,
  type QueryParameter,
  TRANSACTION_ID,
  WORKSPACE_ID,
} from '../wire/parameter-table.js'
import type { EXAMPLES } from './examples.js'

/** The groups of operations, and their descriptions. */
export const TAGS = {
  Accounts: 'The bank accounts of the workspace.',
  Transactions: 'The transactions of all accounts, or of one.',
  Counterparts: 'The transactions with one counterpart, identified by its IBAN.',
  Categories: 'The two-level tree of categories.',
  Key: 'The credential in use.',
} as const

/** One operation in the document. Every one is a GET. */
export interface OperationDescription {
  /** With the path parameters in braces. */
  readonly path: string
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly tags: readonly (keyof typeof TAGS)[]
  /** The scope the credential needs; null = any valid credential. */
  readonly scope: Scope | null
  /** In the order of the path. */
  readonly pathParameters: readonly PathParameter[]
  readonly queryParameters: readonly QueryParameter[]
  readonly resource: keyof typeof EXAMPLES
  /** One resource, a list of them with count and links, or a list of matches, likewise. */
  readonly answers: 'one' | 'list' | 'matches'
}

function parametersOf(table: {
  readonly rows: readonly { readonly parameter: QueryParameter }[]
}): QueryParameter[] {
  return table.rows.map(({ parameter }) => parameter)
}

const listParameters = parametersOf(LIST_TABLE)
const searchParameters = parametersOf(SEARCH_TABLE)

/** The rule of every search. @see docs/contract/lists.md, "Free-text search" */
const SEARCH_RULE = [
  'The text is split at white space into terms, and a transaction is found when **every** term ' +
    'occurs in at least one of its searched fields, as a whole word or inside one: ' +
    '`telekom 00042` finds “Muster Telekom AG” with “RE-2026-00042”. Case and ' +
    'accents are ignored, and umlauts are found in both spellings: `Müller`, ' +
    '`MUELLER` and `muller` all find “Müller”. That is the whole rule: a mistyped word finds ' +
    'nothing, `.` and `%` and `*` stand for themselves, there is no score, and `X-Total-Count` ' +
    'is exact.',
  'The searched fields are purpose, type, `endToEndReference`, `primanota`, ' +
    '`paypal.invoiceNumber`, the names of category and parent category, and the ' +
    'counterpart’s name, IBAN, account number, bank name, mandate reference, creditor id and ' +
    'customer reference. An IBAN may be typed in groups. Filters, sorting and paging are those ' +
    'of the list.',
].join('\n\n')

const matchParameters = parametersOf(MATCH_TABLE)

/** The rule of every match. @see docs/contract/match.md, "Match rules" */
const MATCH_RULE = [
  'Answers “which payment belongs to this reference?”. The reference is compared with ' +
    '`purpose`, `endToEndReference`, `counterpart.customerReference`, ' +
    '`counterpart.mandateReference`, `primanota` and `paypal.invoiceNumber`, whatever their ' +
    'case, accents, punctuation and spacing: `re20260042`, `RE 2026/0042` and `Rechnung ' +
    '2026-0042` all find “RE-2026-0042”. A wrong or swapped digit keeps the score below 0.6, and ' +
    'so does a longer number that contains the reference.',
  '`score` is 0 to 1 and depends only on the reference and the transaction: the same pair ' +
    'always has the same score. It is for ranking, not a probability. The best score comes ' +
    'first; equal ones by quality of the evidence, then booking date, then id, the newest ' +
    'first.',
  `Evaluated are the newest ${MATCH_WINDOW_ROWS_MAX.toLocaleString('en')} transactions (by ` +
    'booking date) that match all filters. `X-Total-Count` counts those of them that reach the ' +
    'threshold; `offset` counts from the best.',
  'An entry of `customSchema` must not name `score` (nor, with `explain=true`, `explanation`), ' +
    'and must not remove `id`, `accountId`, `amount`, `currency` or `bookingDate`.',
].join('\n\n')

/**
 * The operations by operationId, in the contract's order, but for a match before the operation
 * whose variable segment could be its name.
 */
export const OPERATIONS = {
  getAccounts: {
    path: '/v1/{workspaceId}/accounts',
    summary: 'List accounts',
    description: 'The accounts that the credential can access, by id, ascending.',
    tags: ['Accounts'],
    scope: 'accounts:read',
    pathParameters: [WORKSPACE_ID],
    queryParameters: parametersOf(ACCOUNTS_TABLE),
    resource: 'Account',
    answers: 'list',
  },
  getAccount: {
    path: '/v1/{workspaceId}/accounts/{identifier}',
    summary: 'Get one account',
    description: 'One account, by id or IBAN.',
    tags: ['Accounts'],
    scope: 'accounts:read',
    pathParameters: [WORKSPACE_ID, IDENTIFIER],
    queryParameters: parametersOf(ACCOUNT_TABLE),
    resource: 'Account',
    answers: 'one',
  },
  getAccountTransactions: {
    path: '/v1/{workspaceId}/accounts/{identifier}/transactions',
    summary: 'List transactions of one account',
    description:
      'The transactions of one account that match all filters, newest id first unless sorted ' +
      'otherwise. The scope `accounts:read` is not required.',
    tags: ['Accounts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, IDENTIFIER],
    queryParameters: listParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  searchAccountTransactions: {
    path: '/v1/{workspaceId}/accounts/{identifier}/transactions/search',
    summary: 'Search transactions of one account',
    description: `The transactions of one account that contain a text.\n\n${SEARCH_RULE}`,
    tags: ['Accounts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, IDENTIFIER],
    queryParameters: searchParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  matchAccountTransactions: {
    path: '/v1/{workspaceId}/accounts/{identifier}/transactions/match',
    summary: 'Match a reference in one account',
    description:
      'The transactions of one account that contain a reference, the most likely ' +
      `first.\n\n${MATCH_RULE}`,
    tags: ['Accounts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, IDENTIFIER],
    queryParameters: matchParameters,
    resource: 'MatchedTransaction',
    answers: 'matches',
  },
  getTransactions: {
    path: '/v1/{workspaceId}/transactions',
    summary: 'List transactions',
    description:
      'The transactions of all accounts that the credential can access and that match all ' +
      'filters, newest id first unless sorted otherwise.',
    tags: ['Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID],
    queryParameters: listParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  searchTransactions: {
    path: '/v1/{workspaceId}/transactions/search',
    summary: 'Search transactions',
    description:
      'The transactions that contain a text, of all accounts that the credential can access.\n\n' +
      SEARCH_RULE,
    tags: ['Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID],
    queryParameters: searchParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  matchTransactions: {
    path: '/v1/{workspaceId}/transactions/match',
    summary: 'Match a reference',
    description:
      'The transactions that contain a reference, the most likely first, of all accounts ' +
      'that the credential can access.\n' +
      '\n' +
      `${MATCH_RULE}`,
    tags: ['Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID],
    queryParameters: matchParameters,
    resource: 'MatchedTransaction',
    answers: 'matches',
  },
  getTransaction: {
    path: '/v1/{workspaceId}/transactions/{transactionId}',
    summary: 'Get one transaction',
    description: 'One transaction, by id.',
    tags: ['Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, TRANSACTION_ID],
    queryParameters: parametersOf(TRANSACTION_TABLE),
    resource: 'Transaction',
    answers: 'one',
  },
  getCounterpartTransactions: {
    path: '/v1/{workspaceId}/counterpart/{iban}/transactions',
    summary: 'List transactions with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one, with the filters and sorting of ' +
      'the transactions list. An IBAN that no counterpart has gives an empty list.',
    tags: ['Counterparts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, COUNTERPART_IBAN],
    queryParameters: listParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  searchCounterpartTransactions: {
    path: '/v1/{workspaceId}/counterpart/{iban}/transactions/search',
    summary: 'Search transactions with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one and that contain a text. An ' +
      'IBAN that no counterpart has gives an empty list.\n' +
      '\n' +
      `${SEARCH_RULE}`,
    tags: ['Counterparts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, COUNTERPART_IBAN],
    queryParameters: searchParameters,
    resource: 'Transaction',
    answers: 'list',
  },
  matchCounterpartTransactions: {
    path: '/v1/{workspaceId}/counterpart/{iban}/transactions/match',
    summary: 'Match a reference with one counterpart',
    description:
      'The transactions whose `counterpart.iban` is this one and that contain a reference, the ' +
      `most likely first.\n\n${MATCH_RULE}`,
    tags: ['Counterparts', 'Transactions'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, COUNTERPART_IBAN],
    queryParameters: matchParameters,
    resource: 'MatchedTransaction',
    answers: 'matches',
  },
  getCategories: {
    path: '/v1/{workspaceId}/categories',
    summary: 'List categories',
    description:
      'All categories of the workspace, by id, ascending, even if the credential can access ' +
      'only some accounts.',
    tags: ['Categories'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID],
    queryParameters: parametersOf(CATEGORIES_TABLE),
    resource: 'Category',
    answers: 'list',
  },
  getCategory: {
    path: '/v1/{workspaceId}/categories/{categoryId}',
    summary: 'Get one category',
    description: 'One category, by id.',
    tags: ['Categories'],
    scope: 'transactions:read',
    pathParameters: [WORKSPACE_ID, CATEGORY_ID],
    queryParameters: parametersOf(NO_TABLE),
    resource: 'Category',
    answers: 'one',
  },
  getKeyScope: {
    path: '/v1/{workspaceId}/key/scope',
    summary: 'Show the access of the credential',
    description:
      'Workspace, scopes and accounts of the credential in use. Call this first if another ' +
      'operation answers 401 or finds nothing.',
    tags: ['Key'],
    scope: null,
    pathParameters: [WORKSPACE_ID],
    queryParameters: parametersOf(NO_TABLE),
    resource: 'KeyScope',
    answers: 'one',
  },
} as const satisfies Readonly<Record<string, OperationDescription>>
