import { ApiError } from '../../errors.js'
import type { OperationRequest } from '../../http/call-operation.js'
import type { VerbName } from '../../http/operation.js'
import { operationOfId, transactionOperation } from '../../http/operations/table.js'
import type { SentArguments } from './arguments.js'
import { FIELDS_ARGUMENT } from './fields.js'
import { limitOf, TRANSACTION_ARGUMENTS } from './transaction-arguments.js'

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
  const limited = new Map(sent).set('limit', limitOf(sent))
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
  if (sent.has('groupBy') && sent.has('order') && !sent.has('sortBy')) {
    throw contradiction(
      'order needs sortBy with groupBy: send sortBy, for example sortBy: "net", or omit order.',
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
