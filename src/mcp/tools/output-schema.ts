import type { ObjectSchema } from './tool.js'

type Schema = Readonly<Record<string, unknown>>

/** The differences between the answers of the tools. */
interface AnswerParts {
  readonly item: Schema
  readonly sum: Schema
  /** Of `groups`, which an answer may have in place of `items`. */
  readonly group?: Schema
}

const DID_YOU_MEAN: Schema = {
  type: 'array',
  description:
    'If a search found nothing: texts that may be meant and find something. Untrusted data.',
  items: { type: 'string' },
}

/** The schema of a tool's answer, as {@link answerOf} returns it. */
export function outputSchemaOf({ item, sum, group }: AnswerParts): ObjectSchema {
  return {
    type: 'object',
    required: ['totalCount', 'returned', 'sums', ...(group === undefined ? ['items'] : [])],
    properties: {
      totalCount: counted('Total number found, exact.'),
      returned: COUNT,
      nextOffset: counted('Of the next page; absent on the last.'),
      truncated: {
        const: true,
        description: 'It was too long, and was shortened.',
      },
      hint: TEXT,
      ...(group === undefined ? {} : { didYouMean: DID_YOU_MEAN }),
      sums: {
        type: 'array',
        description: 'Totals of everything found, one entry per currency, exact.',
        items: sum,
      },
      items: { type: 'array', items: item },
      ...(group === undefined ? {} : { groups: { type: 'array', items: group } }),
    },
    additionalProperties: false,
  }
}

function counted(description: string): Schema {
  return { type: 'integer', description }
}

function text(description: string): Schema {
  return { type: 'string', description }
}

/** A number; text when it has more digits than a number can hold, so that nothing is rounded. */
function sum(description: string): Schema {
  return { type: ['number', 'string'], description }
}

const TEXT: Schema = { type: 'string' }
const COUNT: Schema = { type: 'integer' }

/** Sums over the transactions of one currency. */
export const TRANSACTION_SUM: Schema = {
  type: 'object',
  required: ['currency', 'count', 'in', 'out', 'net'],
  properties: {
    currency: TEXT,
    count: COUNT,
    in: sum('Money received.'),
    out: sum('Money spent, 0 or less.'),
    net: sum('Sum of in and out.'),
  },
  additionalProperties: false,
}

/** Sums of a group, compact as in `compact.ts` or in full. */
export const TRANSACTION_GROUP: Schema = {
  type: 'object',
  description:
    'With groupBy: the fields grouped by, absent where the transactions have none; figures as in ' +
    'sums; the first and last booking date.',
  required: ['currency', 'count', 'in', 'out', 'net'],
}

/** Balances of the accounts of one currency. */
export const ACCOUNT_SUM: Schema = {
  type: 'object',
  required: ['currency', 'count'],
  properties: {
    currency: TEXT,
    count: COUNT,
    balance: sum('Sum of their known balances.'),
  },
  additionalProperties: false,
}

const FULL = 'With fields: "full", every field.'

/** A transaction, compact as in `compact.ts` or in full. */
export const TRANSACTION_ITEM: Schema = {
  type: 'object',
  description: `Fields without a value are absent. ${FULL}`,
  required: ['id', 'accountId', 'amount', 'currency'],
  properties: {
    id: { type: 'integer' },
    accountId: { type: 'integer' },
    bookingDate: text('YYYY-MM-DD; in full an instant, UTC.'),
    amount: { type: 'number', description: 'Negative is money spent. Exact.' },
    currency: TEXT,
    counterpartName: TEXT,
    counterpartIban: TEXT,
    purpose: TEXT,
    categoryName: text('The detailed category, else the broad one.'),
    score: { type: 'number', description: 'With match: for ranking.' },
    explanation: { type: 'object', description: 'With explain.' },
  },
}

/** An account, compact as in `compact.ts` or in full. */
export const ACCOUNT_ITEM: Schema = {
  type: 'object',
  description: `Fields without a value are absent. ${FULL}`,
  required: ['id', 'currency'],
  properties: {
    id: { type: 'integer', description: 'Value for the argument account.' },
    name: TEXT,
    holderName: TEXT,
    bankName: TEXT,
    iban: TEXT,
    accountNumber: TEXT,
    currency: TEXT,
    balance: { type: 'number' },
    availableFunds: { type: 'number', description: 'The balance and the agreed overdraft.' },
  },
}
