import { ApiError } from '../../errors.js'
import type { OperationRequest } from '../../http/call-operation.js'
import type { VerbName } from '../../http/operation.js'
import { operationOfId, transactionOperation } from '../../http/operations/table.js'
import { ACCOUNT_IDS } from '../../wire/filter-parameters.js'
import { FILTERS } from '../../wire/filter-rows.js'
import * as parameters from '../../wire/parameter-table.js'
import { GROUP_BY, SUMMARY_SORT_BY } from '../../wire/summary-parameters.js'
import { type Argument, argumentOf, type SentArguments } from './arguments.js'
import { FIELDS_ARGUMENT } from './fields.js'
import type { ToolView } from './tool.js'

const FILTER_ARGUMENTS = FILTERS.map((parameter): Argument => {
  const argument = argumentOf(parameter)
  const { description } = parameter
  if (parameter === ACCOUNT_IDS) {
    return { ...argument, description: `${description} Cannot be combined with \`account\`.` }
  }
  if (parameter.kind !== 'instant') return argument
  const ofDays =
    'Banks book at midnight UTC, so a day does not select the transactions of that day itself.'
  return { ...argument, description: `${description} ${ofDays}` }
})

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
    `${parameters.SORT_BY.description} With \`groupBy\`: ${GROUP_SORTS.join(', ')}, and without ` +
    '`sortBy` groups are in the order of their values.',
  choices: new Map<string, string>([...parameters.SORT_BY.choices, ...SUMMARY_SORT_BY.choices]),
}

const ACCOUNT: Argument = {
  name: 'account',
  parameter: parameters.IDENTIFIER,
  description:
    'Only transactions of this own account: its id or its IBAN. Cannot be combined with ' +
    '`counterpartIban`.',
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
    description:
      'Only the transaction with this id, a whole number. Cannot be combined with arguments ' +
      'except `fields`.',
  },
  ACCOUNT,
  {
    name: 'counterpartIban',
    parameter: parameters.COUNTERPART_IBAN,
    description:
      'Only transactions whose counterpart has this IBAN. Cannot be combined with `account`.',
  },
  {
    name: 'search',
    parameter: parameters.QUERY,
    description:
      `${parameters.QUERY.description} The search covers purpose, type, the counterpart’s ` +
      'name, IBAN, account number, bank and references, end-to-end reference, journal ' +
      'number, PayPal invoice number and category names; not amounts or dates. It is exact: ' +
      'for a reference that may be misspelt use `match`.',
  },
  {
    name: 'match',
    parameter: parameters.MATCH_QUERY,
    description:
      `${parameters.MATCH_QUERY.description} Finds the payments of an invoice or contract ` +
      'number even if it is misspelt, and returns the best first, each with a `score` from ' +
      '0 to 1 for ranking (not a probability). Cannot be combined with `search`, `order` or ' +
      '`sortBy`. Only the newest 100,000 transactions that match the filters are evaluated.',
  },
  ...FILTER_ARGUMENTS,
  {
    name: 'groupBy',
    parameter: GROUP_BY,
    description:
      `Sums in place of items, as \`groups\`, always apart by currency: up to two of ` +
      `${GROUP_BY.words.join(', ')}, separated by a comma. Cannot be combined with ` +
      '`match`.',
  },
  { ...argumentOf(parameters.THRESHOLD), description: onlyWithMatch(parameters.THRESHOLD) },
  { ...argumentOf(parameters.EXPLAIN), description: onlyWithMatch(parameters.EXPLAIN) },
  argumentOf(SORT_BY),
  argumentOf(parameters.ORDER),
  {
    name: 'offset',
    parameter: parameters.OFFSET,
    description:
      'Number of results to skip: `nextOffset` of the previous ' +
      'answer, to continue where it ended.',
  },
  limitArgument(
    `Maximum number of results, up to ${parameters.LIMIT.max}; with \`match\` 1 to ` +
      `${parameters.MATCH_LIMIT.max}, default ${parameters.MATCH_LIMIT.fallback}. \`0\` ` +
      'returns only the count and the sums. Fewer are returned if the answer would be too long.',
  ),
  FIELDS_ARGUMENT,
]

function onlyWithMatch({ description }: { readonly description: string }): string {
  return `Only with \`match\`. ${description}`
}

/** Arguments that are parameters in the path, or are one under another name. */
const PARAMETER_OF: Readonly<Record<string, string>> = {
  id: 'transactionId',
  account: 'identifier',
  counterpartIban: 'iban',
  search: 'query',
  match: 'query',
}

/** The argument that was sent as a parameter of the operation. */
export function transactionArgumentOf(sent: SentArguments, parameter: string): string {
  const named = Object.entries(PARAMETER_OF).find(
    ([argument, name]) => name === parameter && sent.has(argument),
  )
  return named?.[0] ?? parameter
}

/**
 * Parameters of the page, its order and its form, which leave the set of transactions unchanged.
 */
const PAGE_PARAMETERS: readonly string[] = ['offset', 'limit', 'order', 'sortBy', 'explain']

/**
 * The request that the arguments describe.
 * @throws ApiError when they contradict each other; the operation validates each by itself
 */
export function transactionRequest(sent: SentArguments): OperationRequest {
  refuseContradictions(sent)
  const id = sent.get('id')
  if (id !== undefined) {
    const segments = [encodeURIComponent(id)]
    return { operation: operationOfId('getTransaction'), segments, query: '', hitsKey: '' }
  }
  const verb = verbOf(sent)
  const bounds = sent.has('account')
    ? 'account'
    : sent.has('counterpartIban')
      ? 'counterpart'
      : 'workspace'
  const operation = transactionOperation(verb, bounds)
  const place = sent.get('account') ?? sent.get('counterpartIban')
  const segments = place === undefined ? [] : [encodeURIComponent(place)]
  const limited = verb === 'match' ? sent : new Map(sent).set('limit', limitOf(sent))
  const pairs = TRANSACTION_ARGUMENTS.flatMap(({ name }) => pairOf(limited, name))
  const hits = pairs.filter(({ parameter }) => !PAGE_PARAMETERS.includes(parameter))
  const hitsKey = [operation.id, ...segments, queryOf(hits)].join('\n')
  return { operation, segments, query: queryOf(pairs), hitsKey }
}

function verbOf(sent: SentArguments): VerbName {
  if (sent.has('match')) return 'match'
  if (sent.has('groupBy')) return 'summary'
  return sent.has('search') ? 'search' : 'list'
}

interface Pair {
  readonly parameter: string
  readonly value: string
}

/** The argument as a parameter of the query; none when it is in the path or was not sent. */
function pairOf(sent: SentArguments, name: string): Pair[] {
  const value = sent.get(name)
  const isInPath = name === 'account' || name === 'counterpartIban'
  if (value === undefined || isInPath || name === FIELDS_ARGUMENT.name) return []
  return [{ parameter: PARAMETER_OF[name] ?? name, value }]
}

function queryOf(pairs: readonly Pair[]): string {
  return pairs.map(({ parameter, value }) => `${parameter}=${encodeURIComponent(value)}`).join('&')
}

/** @throws ApiError that names both arguments and says which to leave out */
function refuseContradictions(sent: SentArguments): void {
  const others = [...sent.keys()].filter((name) => name !== 'id' && name !== 'fields')
  if (sent.has('id') && others.length > 0) {
    const list = others.join(', ')
    throw contradiction(
      `id selects one transaction and can only be combined with fields, not with ${list}: ` +
        `omit id to list transactions, or omit ${list}.`,
    )
  }
  if (sent.has('search') && sent.has('match')) {
    throw contradiction(
      'search and match cannot be combined: send search for exact texts, or match ' +
        'for a reference that may be misspelt.',
    )
  }
  if (sent.has('groupBy') && sent.has('match')) {
    throw contradiction(
      'groupBy and match cannot be combined: send search for exact texts, or omit groupBy.',
    )
  }
  if (sent.has('account') && sent.has('counterpartIban')) {
    throw contradiction(
      'account and counterpartIban cannot be combined: send account and, as search, the ' +
        'counterpart’s IBAN.',
    )
  }
  if (sent.has('account') && sent.has('accountIds')) {
    throw contradiction(
      'account and accountIds cannot be combined: send account for one, or accountIds for several.',
    )
  }
  const [notWithMatch] = ['order', 'sortBy'].filter((name) => sent.has(name))
  if (sent.has('match') && notWithMatch !== undefined) {
    throw contradiction(
      `${notWithMatch} cannot be combined with match, whose results are ordered by score: omit it.`,
    )
  }
  const [onlyMatch] = ['threshold', 'explain'].filter((name) => sent.has(name))
  if (!sent.has('match') && onlyMatch !== undefined) {
    throw contradiction(
      `${onlyMatch} can only be used with match: omit it, or send the reference as match.`,
    )
  }
}

function contradiction(message: string): ApiError {
  return new ApiError('invalid_parameter', message)
}
