import typia from 'typia'
import type { Account } from '../domain/account.js'
import type { Category } from '../domain/category.js'
import type { KeyScope } from '../domain/key-scope.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Transaction } from '../domain/transaction.js'
import type { TransactionChanges } from '../domain/transaction-change.js'
import { ERROR_STATUS } from '../errors.js'
import { EXAMPLES } from './examples.js'
import { isJsonObject, type Json, type JsonObject, jsonObject } from './openapi.js'

const collection = typia.json.schemas<
  [Account, Transaction, MatchedTransaction, Category, KeyScope, TransactionChanges],
  '3.0'
>()

/** Additions to a type's schema: in words for callers, not for developers of kontor. */
const NOTES: Readonly<Record<string, JsonObject>> = {
  Account: {
    description: 'A bank account of the workspace. Fields without a value are absent.',
    example: jsonObject(EXAMPLES.Account),
  },
  Transaction: {
    description:
      'A booked transaction. Fields without a value are absent; `account`, `category`, ' +
      '`parentCategory` and `counterpart` are always present, `{}` if nothing is known.',
    example: jsonObject(EXAMPLES.Transaction),
  },
  MatchedTransaction: {
    description:
      'A transaction and how well it matches. With `explain=true` there is also an ' +
      '`explanation`.',
    example: jsonObject(EXAMPLES.MatchedTransaction),
  },
  MatchReasons: { description: 'Reasons for the score of a match.' },
  MatchField: { description: 'A field that is compared with the reference.' },
  MatchEvidence: {
    description:
      'A kind of evidence, weakest first: only `words` match; a different number ' +
      '(`conflict`); the reference is `damaged`, for example truncated; its parts are ' +
      '`regrouped`; equal when `normalized`; `exact`.',
  },
  MatchAdjustment: { description: 'Adjustments that lowered a score.' },
  Category: {
    description: 'A category. `parentCategory` is `{}` for a broad category.',
    example: jsonObject(EXAMPLES.Category),
  },
  KeyScope: {
    description: 'The credential of the request and its access.',
    example: jsonObject(EXAMPLES.KeyScope),
  },
  TransactionChanges: {
    description: 'A page of changes, in the order of their commits.',
    example: jsonObject(EXAMPLES.TransactionChanges),
  },
  UpsertChange: {
    description: 'A transaction as it is now: insert it, or replace the one with its id.',
  },
  DeleteChange: {
    description:
      'A transaction that was deleted, or that the credential cannot access any more; a copy ' +
      'that does not have it ignores this.',
  },
  Scope: { description: 'A permission of a credential.' },
  ResourceId: {
    description: 'The id of a resource. It never changes.',
    format: 'int64',
  },
  InstantText: {
    description: 'An instant: ISO 8601, UTC, with milliseconds.',
    format: 'date-time',
    example: '2026-01-31T00:00:00.000Z',
  },
  CurrencyCode: { example: 'EUR' },
}

const TRANSACTION_NOTES: Readonly<Record<string, string>> = {
  accountId: 'The id of the own account.',
  account: 'The own account.',
  currency: 'The currency of `amount`.',
  counterpart: 'The counterpart of the payment.',
  createdAt: 'When kontor first saw the transaction.',
  updatedAt: 'When kontor last changed it.',
  importDate: 'When the transaction was imported.',
  bookingDate: 'When the bank booked it.',
  valueDate: 'The date from which interest is computed.',
  endToEndReference: 'SEPA end-to-end reference, passed through unchanged from payer to payee.',
  originalAmount: 'The amount in the original currency, if different.',
  originalCurrency: 'The currency of `originalAmount`.',
  paypal: 'Details of a PayPal payment.',
}

/** Meanings of fields that their types do not already give. */
const FIELD_NOTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Account: {
    holderName: 'The account holder.',
    accountNumber: 'The account number at the bank.',
    name: 'The name of the account.',
    bankName: 'The name of the bank.',
    iban: 'IBAN, upper case, without spaces.',
    bic: 'BIC (SWIFT code) of the bank.',
    availableFunds: 'Available funds: the balance plus the agreed overdraft.',
    overdraft: 'The agreed overdraft.',
    createdAt: 'When kontor first saw the account.',
    updatedAt: 'When kontor last changed it.',
  },
  Transaction: TRANSACTION_NOTES,
  MatchedTransaction: {
    ...TRANSACTION_NOTES,
    score: 'Relevance from 0 to 1, for ranking; not a probability.',
    explanation: 'Only with `explain=true`: the evidence for the score.',
  },
  MatchReasons: {
    field: 'The field with the strongest evidence.',
    matched: 'The part of the field that was matched with the reference.',
    kind: 'The kind of evidence.',
    adjustments: 'Adjustments that lowered the score, the most severe first.',
  },
  Counterpart: {
    iban: 'IBAN, upper case, without spaces.',
    customerReference: "The counterpart's own reference for the payment.",
  },
  PayPal: {
    invoiceNumber: 'The invoice number given to PayPal.',
    fee: 'The fee of PayPal.',
    net: 'The amount after the fee.',
  },
  TransactionChanges: {
    changes: 'At most `limit` changes.',
    cursor: 'The `since` of the next request. Store it together with the changes.',
    hasMore: 'Whether there are more changes already: send the next request at once.',
  },
  KeyScope: {
    type: 'An API key, or an OAuth access token.',
    name: 'The name given to the key or client.',
    expiresAt: 'When the credential expires; absent if it does not.',
    clientId: 'The OAuth client, with an access token.',
    integrationId: 'The OAuth integration, with an access token.',
  },
}

/** The schemas of the resources and of the Error body, for `components.schemas`. */
export function resourceSchemas(): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {}
  for (const [name, schema] of Object.entries(collection.components.schemas ?? {})) {
    const own = forOpenApi(jsonObject(schema))
    schemas[name] = { ...withFieldNotes(own, FIELD_NOTES[name] ?? {}), ...NOTES[name] }
  }
  schemas['Error'] = {
    type: 'object',
    description: 'The body of every answer that is neither 200 nor 304.',
    required: ['error', 'message'],
    properties: {
      error: {
        type: 'string',
        description: 'A code for programs; this list is complete.',
        enum: Object.keys(ERROR_STATUS),
      },
      message: {
        type: 'string',
        description:
          'One sentence for people: what is wrong, which parameter, and what is allowed.',
      },
    },
  }
  return schemas
}

/**
 * Converts typia's output to OpenAPI 3.0: an empty `required` is not allowed there, and no member
 * may be next to a `$ref`.
 */
function forOpenApi(schema: JsonObject): JsonObject {
  const written: Record<string, Json> = {}
  for (const [name, value] of Object.entries(schema)) {
    const empty = Array.isArray(value) && value.length === 0
    if (value === undefined || (name === 'required' && empty)) continue
    written[name] = isJsonObject(value) ? forOpenApi(value) : value
  }
  return described(written)
}

function described(schema: JsonObject): JsonObject {
  const { $ref, description, ...rest } = schema
  if ($ref === undefined || description === undefined) return schema
  return { ...rest, description, allOf: [{ $ref }] }
}

function withFieldNotes(schema: JsonObject, notes: Readonly<Record<string, string>>): JsonObject {
  const { properties } = schema
  if (!isJsonObject(properties)) return schema
  const noted: Record<string, Json> = {}
  for (const [name, field] of Object.entries(properties)) {
    const note = notes[name]
    const own = isJsonObject(field) ? field : {}
    noted[name] = note === undefined ? own : described({ ...own, description: note })
  }
  return { ...schema, properties: noted }
}
