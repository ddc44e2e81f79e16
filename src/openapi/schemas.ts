import typia from 'typia'
import type { Account } from '../domain/account.js'
import type { BatchMatch, BatchMatchRequest } from '../domain/batch-match.js'
import type { Category } from '../domain/category.js'
import type { KeyScope } from '../domain/key-scope.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { Transaction } from '../domain/transaction.js'
import type { TransactionChanges } from '../domain/transaction-change.js'
import type { TransactionGroup } from '../domain/transaction-group.js'
import { ERROR_STATUS } from '../errors.js'
import {
  AMOUNT_DIGITS_MAX,
  AMOUNT_SCALE_MAX,
  BATCH_ID_CODE_POINTS_MAX,
  BATCH_LIMIT_DEFAULT,
  BATCH_LIMIT_MAX,
  BATCH_QUERIES_MAX,
  FILTER_CODE_POINTS_MAX,
  MATCH_CODE_POINTS_MAX,
  MATCH_CODE_POINTS_MIN,
  MATCH_SCORE_MAX,
} from '../limits.js'
import { EXPLAIN, THRESHOLD } from '../wire/parameter-table.js'
import { BATCH_EXAMPLES, EXAMPLES } from './examples.js'
import { isJsonObject, type Json, type JsonObject, jsonObject } from './openapi.js'

const collection = typia.json.schemas<
  [
    Account,
    Transaction,
    MatchedTransaction,
    TransactionGroup,
    BatchMatchRequest,
    BatchMatch,
    Suggestion,
    TransactionChanges,
    Category,
    KeyScope,
  ],
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
  TransactionGroup: {
    description:
      'Exact sums of a group of transactions in one currency. The fields of `groupBy` come ' +
      'first; one that the transactions have no value of is absent.',
    example: jsonObject(EXAMPLES.TransactionGroup),
  },
  GroupAccount: { description: 'The own account of a group.' },
  GroupCounterpart: { description: 'The counterpart of a group.' },
  Suggestion: {
    description: 'A text that may be meant, and in how many transactions it is found.',
    example: jsonObject(EXAMPLES.Suggestion),
  },
  SuggestionKind: {
    description: 'A name of a counterpart, a category or an account, or a word of a purpose.',
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
  PaymentEvidence: {
    description:
      'A kind of evidence that a transaction is the expected payment, strongest first: the ' +
      'amount is equal, without its sign; the IBAN is equal; up to 5 % less was paid; the name ' +
      'is similar.',
  },
  BatchMatchRequest: {
    description: 'The references of a batch match. Members that are `null` count as absent.',
    example: jsonObject(BATCH_EXAMPLES.payments),
  },
  BatchMatchQuery: {
    description: 'A reference to match, and the payment that is expected for it, if known.',
  },
  BatchMatch: {
    description: 'The matches of one query of a batch.',
    example: jsonObject(EXAMPLES.BatchMatch),
  },
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
  TransactionGroup: {
    month: 'The month of the booking date, `2026-10`.',
    quarter: 'The quarter of the booking date, `2026-Q4`.',
    year: 'The year of the booking date, `2026`.',
    day: 'The day of the booking date, `2026-10-03`.',
    category: 'The category; a broad one where the transactions have no detailed one.',
    parentCategory: 'The broad category.',
    account: 'The own account.',
    counterpart: 'The counterpart.',
    direction: 'Whether money came in or went out; absent = amounts of 0.',
    currency: 'The currency of the sums.',
    firstBookingDate: 'The earliest booking date; absent = no transaction has one.',
    lastBookingDate: 'The latest booking date.',
  },
  GroupCounterpart: {
    iban: 'IBAN; absent = grouped by name.',
  },
  Suggestion: {
    text: 'To search for.',
    kind: 'The origin of the text.',
    count:
      'Number of accessible transactions that a search for `text` finds; for the kind `account`, ' +
      'the transactions of the account.',
  },
  MatchReasons: {
    field: 'The field with the strongest evidence.',
    matched: 'The part of the field that was matched with the reference.',
    kind: 'The kind of evidence.',
    adjustments: 'Adjustments that lowered the score, the most severe first.',
    evidence: 'Evidence of the expected payment, strongest first; only in a batch match.',
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
    hasMore: 'Whether there are more changes already: send the next request immediately.',
  },
  KeyScope: {
    type: 'An API key, or an OAuth access token.',
    name: 'The name given to the key or client.',
    expiresAt: 'When the credential expires; absent if it does not.',
    clientId: 'The OAuth client, with an access token.',
    integrationId: 'The OAuth integration, with an access token.',
  },
}

/** Rules of the members of request bodies, which their types do not have. */
const FIELD_RULES: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  BatchMatchRequest: {
    queries: {
      minItems: 1,
      maxItems: BATCH_QUERIES_MAX,
      description: 'The references to match; each has an entry in the answer, in this order.',
    },
    threshold: {
      minimum: 0,
      maximum: 1,
      default: THRESHOLD.fallback / MATCH_SCORE_MAX,
      description: 'The minimum `score` of a result, for all queries.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: BATCH_LIMIT_MAX,
      default: BATCH_LIMIT_DEFAULT,
      description: 'Maximum number of results of each query.',
    },
    explain: {
      default: EXPLAIN.fallback,
      description: '`true` adds an `explanation` to each result.',
    },
  },
  BatchMatchQuery: {
    id: {
      minLength: 1,
      maxLength: BATCH_ID_CODE_POINTS_MAX,
      description: 'Repeated in the answer; different for each query.',
    },
    query: {
      minLength: MATCH_CODE_POINTS_MIN,
      maxLength: MATCH_CODE_POINTS_MAX,
      description: 'The reference, as of a single match.',
    },
    amount: {
      // Schemas of which both accept null would overlap.
      oneOf: [
        { type: 'string', nullable: true, pattern: '^-?\\d+(\\.\\d{1,5})?$' },
        { type: 'number' },
      ],
      description:
        'The amount of the expected payment: a number, or decimal text with a point, of at most ' +
        `${AMOUNT_DIGITS_MAX} digits and ${AMOUNT_SCALE_MAX} decimals; its sign does not matter.`,
    },
    currency: {
      pattern: '^[A-Z]{3}$',
      description: 'The currency of `amount`, which is then required; absent = any.',
    },
    counterpartName: {
      minLength: 1,
      maxLength: FILTER_CODE_POINTS_MAX,
      description: 'The name of the counterpart.',
    },
    counterpartIban: {
      description: 'The IBAN of the counterpart, in any case, with or without spaces.',
    },
  },
}

/** The schemas of the resources and of the Error body, for `components.schemas`. */
export function resourceSchemas(): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {}
  for (const [name, schema] of Object.entries(collection.components.schemas ?? {})) {
    const own = forOpenApi(jsonObject(schema))
    const noted = withFieldNotes(own, FIELD_NOTES[name] ?? {})
    schemas[name] = { ...withFieldRules(noted, FIELD_RULES[name] ?? {}), ...NOTES[name] }
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

function withFieldRules(
  schema: JsonObject,
  rules: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const { properties } = schema
  if (!isJsonObject(properties)) return schema
  const ruled = Object.entries(properties).map(([name, field]) => {
    return [name, isJsonObject(field) ? { ...field, ...rules[name] } : field] as const
  })
  return { ...schema, properties: Object.fromEntries(ruled) }
}
