import type { Account } from '../domain/account.js'
import type { BatchMatch, BatchMatchRequest } from '../domain/batch-match.js'
import type { Category } from '../domain/category.js'
import type { KeyScope } from '../domain/key-scope.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { Transaction } from '../domain/transaction.js'
import type { TransactionChanges } from '../domain/transaction-change.js'
import type { TransactionGroup } from '../domain/transaction-group.js'
import type { ErrorBody } from '../errors.js'
import { SINCE } from '../wire/changes-parameters.js'

const account: Account = {
  id: 1,
  currency: 'EUR',
  holderName: 'Beispiel GmbH',
  accountNumber: '648489890',
  name: 'Business account',
  bankName: 'ING-DiBa',
  iban: 'DE12500105170648489890',
  bic: 'INGDDEFFXXX',
  blz: '50010517',
  balance: 10482.17,
  availableFunds: 15482.17,
  overdraft: 5000,
  createdAt: '2025-11-03T08:00:00.000Z',
  updatedAt: '2026-01-31T06:15:00.000Z',
}

const transaction: Transaction = {
  id: 4711,
  accountId: 1,
  account: {
    accountNumber: '648489890',
    name: 'Business account',
    iban: 'DE12500105170648489890',
    bankName: 'ING-DiBa',
  },
  amount: -49.9,
  currency: 'EUR',
  category: { id: 12, name: 'Telephone' },
  parentCategory: { id: 3, name: 'Office' },
  counterpart: {
    name: 'Muster Telekom AG',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankName: 'Commerzbank',
    mandateReference: 'MT-2025-000815',
    creditorId: 'DE98ZZZ09999999999',
  },
  createdAt: '2026-01-16T05:30:00.000Z',
  updatedAt: '2026-01-16T05:30:00.000Z',
  importDate: '2026-01-16T05:30:00.000Z',
  bookingDate: '2026-01-15T00:00:00.000Z',
  valueDate: '2026-01-15T00:00:00.000Z',
  type: 'SEPA direct debit',
  purpose: 'Invoice RE-2026-00042 January',
  endToEndReference: 'RE-2026-00042',
  sepaPurposeCode: 'PHON',
}

const match: MatchedTransaction = { ...transaction, score: 1 }

const group: TransactionGroup = {
  month: '2026-01',
  category: { id: 12, name: 'Telephone' },
  currency: 'EUR',
  count: 3,
  in: 12.5,
  out: -149.7,
  net: -137.2,
  firstBookingDate: '2026-01-05T00:00:00.000Z',
  lastBookingDate: '2026-01-26T00:00:00.000Z',
}

const batchMatch: BatchMatch = { id: 'invoice 42', matches: [match], total: 1 }

/** Bodies of batch matches: references alone, and with all that is known of the payments. */
export const BATCH_EXAMPLES = {
  references: {
    queries: [
      { id: 'invoice 42', query: 'RE-2026-00042' },
      { id: 'invoice 43', query: 'RE-2026-00043' },
    ],
  },
  payments: {
    queries: [
      {
        id: 'invoice 42',
        query: 'RE-2026-00042',
        amount: 49.9,
        currency: 'EUR',
        counterpartName: 'Muster Telekom',
        counterpartIban: 'DE89 3704 0044 0532 0130 00',
      },
      { id: 'invoice 43', query: 'RE-2026-00043', amount: '1250.00' },
    ],
    threshold: 0.8,
    limit: 5,
    explain: true,
  },
} satisfies Readonly<Record<string, BatchMatchRequest>>

const suggestion: Suggestion = { text: 'Muster Telekom AG', kind: 'counterpart', count: 24 }

const category: Category = { id: 12, name: 'Telephone', parentCategory: { id: 3, name: 'Office' } }

const keyScope: KeyScope = {
  workspaceId: 'demo',
  type: 'apiKey',
  scopes: ['transactions:read', 'accounts:read'],
  accounts: null,
  name: 'Bookkeeping',
  createdAt: '2026-01-02T09:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
}

const changes: TransactionChanges = {
  changes: [
    { kind: 'upsert', transaction },
    { kind: 'delete', id: 4692 },
  ],
  cursor: SINCE.example,
  hasMore: false,
}

/** One right example per resource. */
export const EXAMPLES = {
  Account: account,
  Transaction: transaction,
  MatchedTransaction: match,
  TransactionGroup: group,
  BatchMatch: batchMatch,
  Suggestion: suggestion,
  Category: category,
  KeyScope: keyScope,
  TransactionChanges: changes,
} as const

/** The error bodies that the document shows. */
export const ERROR_EXAMPLES = {
  badRequest: {
    error: 'unknown_parameter',
    message: 'Unknown parameter "limt": did you mean limit, as in limit=100?',
  },
  unauthorized: {
    error: 'unauthorized',
    message: 'The credential is missing, unknown, expired, revoked or of another workspace',
  },
  conflict: {
    error: 'data_changed',
    message: 'Transaction 4711 changed while the matches were ranked; try again.',
  },
  tooLarge: {
    error: 'body_too_large',
    message: 'The request body is longer than 262144 bytes.',
  },
  otherType: {
    error: 'unsupported_media_type',
    message: 'The Content-Type must be application/json; it is "text/csv".',
  },
  tooManyRequests: {
    error: 'rate_limited',
    message: 'Too many requests with this credential; try again in 17 seconds.',
  },
  internal: { error: 'internal', message: 'Internal error' },
  unavailable: {
    error: 'workspace_unavailable',
    message: 'The workspace cannot be read at the moment',
  },
  budget: {
    error: 'budget_exceeded',
    message: 'Matching took longer than 1000 ms; try again with narrower filters.',
  },
} as const satisfies Readonly<Record<string, ErrorBody>>
