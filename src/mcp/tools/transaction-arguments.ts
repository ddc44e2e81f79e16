import { ACCOUNT_IDS } from '../../wire/filter-parameters.js'
import { FILTERS, type FilterDateName, isDateFilter } from '../../wire/filter-rows.js'
import * as parameters from '../../wire/parameter-table.js'
import { GROUP_BY, SUMMARY_SORT_BY } from '../../wire/summary-parameters.js'
import { type Argument, argumentOf, type SentArguments } from './arguments.js'
import { FIELDS_ARGUMENT } from './fields.js'
import type { ToolView } from './tool.js'

const DATE_FIELDS: Readonly<Record<FilterDateName, string>> = {
  booked: 'bookingDate',
  valued: 'valueDate',
  imported: 'importDate',
  updated: 'updatedAt',
}

/** By the end of a parameter's name. */
const SIDES: Readonly<Record<string, string>> = {
  From: 'on this day or later, UTC.',
  To: 'on this day or earlier, UTC.',
  After: 'after this instant, or midnight of this day, UTC.',
  Before: 'before this instant, or midnight of this day, UTC.',
}

/**
 * Filters in fewer words than for people who read the API: a model is sent all of them in every
 * conversation.
 */
const FILTER_TEXTS: Readonly<Record<string, string>> = {
  category: 'The detailed category: its id or exact name.',
  parentCategory: 'A broad category and all below it: its id or exact name.',
  amountFrom: 'amount is this or greater; money out is negative.',
  amountTo: 'amount is this or less; money out is negative.',
  absoluteAmount: 'amount is exactly this, whatever its sign.',
  direction: 'Money in (amount above 0) or out (below 0).',
  currency: 'ISO 4217 code.',
  [ACCOUNT_IDS.name]:
    'These own accounts: ids or IBANs, separated by commas, at most 50. Not with account.',
  uncategorized: 'true: neither category nor parent category. false: either.',
  ownTransfers: 'Transfers between own accounts: exclude them for income and spending.',
}

const FILTER_ARGUMENTS = FILTERS.map((parameter): Argument => {
  const { name, description } = parameter
  const short = isDateFilter(parameter) ? dateText(name) : FILTER_TEXTS[name]
  return { name, parameter, description: short ?? description }
})

function dateText(name: string): string {
  const [, date, side = ''] = /^([a-z]+)([A-Z].*)$/.exec(name) ?? []
  return `${DATE_FIELDS[date as FilterDateName]} ${SIDES[side]}`
}

/** Items of an answer that a model reads by itself: some 5,000 tokens. */
const TOOL_LIMIT_DEFAULT = 25

/** The argument that both tools share. @param description for the model */
export function limitArgument(description: string): Argument {
  const parameter = { ...parameters.LIMIT, fallback: TOOL_LIMIT_DEFAULT }
  return { name: parameter.name, parameter, description }
}

/** The limit of a page, as sent or its default. */
export function limitOf(sent: SentArguments): string {
  return sent.get(parameters.LIMIT.name) ?? String(TOOL_LIMIT_DEFAULT)
}

const GROUP_SORTS = [...SUMMARY_SORT_BY.choices.keys()]

/** The fields that items are sorted by, and those of groups. */
const SORT_BY: parameters.ChoiceParameter<string> = {
  ...parameters.SORT_BY,
  description:
    `_id is the transaction id. With groupBy: ${GROUP_SORTS.join(', ')}; out is negative, so the ` +
    'most spent comes first with order asc. Without sortBy, groups are in the order of their ' +
    'values.',
  choices: new Map<string, string>([...parameters.SORT_BY.choices, ...SUMMARY_SORT_BY.choices]),
}

const ACCOUNT: Argument = {
  name: 'account',
  parameter: parameters.IDENTIFIER,
  description: 'This own account: its id or IBAN. Not with counterpartIban.',
}

/** All arguments of get_transactions, in display order, with the texts for an integration. */
export function transactionArguments({ toolNames }: Pick<ToolView, 'toolNames'>): Argument[] {
  const source = toolNames.includes('get_accounts') ? ' get_accounts returns both.' : ''
  const account = { ...ACCOUNT, description: ACCOUNT.description + source }
  return TRANSACTION_ARGUMENTS.map((argument) => (argument === ACCOUNT ? account : argument))
}

/** All arguments of get_transactions, in display order. */
export const TRANSACTION_ARGUMENTS: readonly Argument[] = [
  {
    name: 'id',
    parameter: parameters.TRANSACTION_ID,
    description: 'The transaction with this id. No other argument but fields.',
  },
  ACCOUNT,
  {
    name: 'counterpartIban',
    parameter: parameters.COUNTERPART_IBAN,
    description: 'The counterpart has this IBAN. Not with account.',
  },
  {
    name: 'search',
    parameter: parameters.QUERY,
    description:
      `Up to ${parameters.QUERY.termsMax} terms separated by spaces, each contained in a text ` +
      'of the transaction: purpose, type, name, IBAN, bank or reference of the counterpart, ' +
      'end-to-end reference, journal number, PayPal invoice number, category names; not in ' +
      'amounts or dates. Exact: for a reference that may be misspelt use match.',
  },
  {
    name: 'match',
    parameter: parameters.MATCH_QUERY,
    description:
      'An invoice or contract number of 2 or more letters or digits, which may be misspelt: ' +
      'finds its payments, the best first, each with a score from 0 to 1 for ranking (not a ' +
      'probability). Not with search, groupBy, order, sortBy. Evaluates the ' +
      'newest 100,000 transactions that pass the filters.',
  },
  ...FILTER_ARGUMENTS,
  {
    name: 'groupBy',
    parameter: GROUP_BY,
    description:
      `Returns groups with their sums, per currency, in place of items: one or two of ` +
      `${GROUP_BY.words.join(', ')}, separated by a comma.`,
  },
  {
    ...argumentOf(parameters.THRESHOLD),
    description: 'Only with match. The minimum score of a result.',
  },
  {
    ...argumentOf(parameters.EXPLAIN),
    description: 'Only with match. Adds an explanation: what matched, where and how.',
  },
  argumentOf(SORT_BY),
  {
    ...argumentOf(parameters.ORDER),
    description: 'Descending, unless asc or 1.',
  },
  {
    name: 'offset',
    parameter: parameters.OFFSET,
    description: 'nextOffset of the previous answer, to continue there.',
  },
  limitArgument(
    `Maximum number of results; with match 1 to ${parameters.MATCH_LIMIT.max}. 0: only count and ` +
      'sums, not with match.',
  ),
  FIELDS_ARGUMENT,
]
