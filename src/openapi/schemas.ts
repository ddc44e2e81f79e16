import typia from 'typia'
import type { Account } from '../domain/account.js'
import type { Category } from '../domain/category.js'
import type { KeyScope } from '../domain/key-scope.js'
import type { MatchedTransaction } from '../domain/matched-transaction.js'
import type { Transaction } from '../domain/transaction.js'
import { ERROR_STATUS } from '../errors.js'
import { EXAMPLES } from './examples.js'
import { isJsonObject, type Json, type JsonObject, jsonObject } from './openapi.js'

const collection = typia.json.schemas<
  [Account, Transaction, MatchedTransaction, Category, KeyScope],
  '3.0'
>()

/** Additions to a type's schema: in words for callers, not for developers of kontor. */
const NOTES: Readonly<Record<string, JsonObject>> = {
  Account: {
    description: 'A bank account of the workspace. A field without a value is left out.',
    example: jsonObject(EXAMPLES.Account),
  },
  Transaction: {
    description:
      'A booked transaction. A field without a value is left out; `account`, `category`, ' +
      '`parentCategory` and `counterpart` are always there, `{}` when nothing is known.',
    example: jsonObject(EXAMPLES.Transaction),
  },
  MatchedTransaction: {
    description:
      'A transaction and how well it matches. With `explain=true` there is also an ' +
      '`explanation`.',
    example: jsonObject(EXAMPLES.MatchedTransaction),
  },
  MatchReasons: { description: 'Why a match has its score.' },
  MatchField: { description: 'A field that a reference is looked for in.' },
  MatchEvidence: {
    description:
      'A kind of evidence, the weakest first: only `words` are there; a number that is another ' +
      'one (`conflict`); the reference `damaged`, cut off for example; its parts `regrouped`; ' +
      'the same once `normalized`; `exact`.',
  },
  MatchAdjustment: { description: 'What lowered a score.' },
  Category: {
    description: 'A category. `parentCategory` is `{}` for a broad category.',
    example: jsonObject(EXAMPLES.Category),
  },
  KeyScope: {
    description: 'What the credential of the request is and may see.',
    example: jsonObject(EXAMPLES.KeyScope),
  },
  Scope: { description: 'What a credential may do.' },
  ResourceId: {
    description: 'The number of a resource. It never changes.',
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
  counterpart: 'The other side of the payment.',
  createdAt: 'When kontor first saw the transaction.',
  updatedAt: 'When kontor last changed it.',
  importDate: 'When the transaction was imported.',
  bookingDate: 'When the bank booked it.',
  valueDate: 'When it counts for interest.',
  endToEndReference: 'SEPA end-to-end reference, passed through unchanged from payer to payee.',
  originalAmount: 'The amount in the currency it was made in, when that is another.',
  originalCurrency: 'The currency of `originalAmount`.',
  paypal: 'What PayPal knows of the payment.',
}

/** Meanings of fields that their types do not already give. */
const FIELD_NOTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Account: {
    holderName: 'Who holds the account.',
    accountNumber: 'The account number at the bank.',
    name: 'The name the account goes by.',
    bankName: 'The name of the bank.',
    iban: 'IBAN, upper case, without spaces.',
    bic: 'BIC (SWIFT code) of the bank.',
    availableFunds: 'What can be spent: the balance and the agreed overdraft.',
    overdraft: 'The agreed overdraft.',
    createdAt: 'When kontor first saw the account.',
    updatedAt: 'When kontor last changed it.',
  },
  Transaction: TRANSACTION_NOTES,
  MatchedTransaction: {
    ...TRANSACTION_NOTES,
    score: 'How well it matches, from 0 to 1: it ranks, and is no probability.',
    explanation: 'Only with `explain=true`: what matched where, and how.',
  },
  MatchReasons: {
    field: 'The field that says most.',
    matched: 'The stretch of the field that is taken for the reference.',
    kind: 'What kind of evidence it is.',
    adjustments: 'What lowered the score, the gravest first.',
  },
  Counterpart: {
    iban: 'IBAN, upper case, without spaces.',
    customerReference: "The counterpart's own reference for the payment.",
  },
  PayPal: {
    invoiceNumber: 'The invoice number given to PayPal.',
    fee: 'What PayPal kept.',
    net: 'What was left after the fee.',
  },
  KeyScope: {
    type: 'An API key, or an OAuth access token.',
    name: 'The name given to the key or client.',
    expiresAt: 'When the credential ends; left out when it does not.',
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
        description: 'One sentence for people: what is wrong, where, and what is allowed.',
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
