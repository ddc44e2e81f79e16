import type { Random } from '../../src/demo/random.js'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { LIST_TABLE } from '../../src/wire/list-query.js'
import { type Grammar, type Ground, wholeRequest } from '../shot.js'
import { encoded, hostileText, queryText } from './texts.js'

/** Valid values of parameters; the example for others. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  threshold: ['0', '0.7', '1', '1e-3'],
  explain: ['true', 'false'],
  limit: ['0', '1', '25', '100'],
  offset: ['0', '7', '4999', '999999'],
  order: ['asc', 'desc'],
  sortBy: ['bookingDate', 'amount'],
  category: ['Groceries', '3', 'Reise'],
  parentCategory: ['Living', '1'],
  amountFrom: ['-1000', '0.00001'],
  direction: ['in', 'out'],
  accountIds: ['1', '1,2,01', '99'],
  uncategorized: ['true', 'false'],
  ownTransfers: ['include', 'exclude', 'only'],
  customSchema: ['{"amount":"value"}', '{"purpose":null,"counterpart.name":"payee"}'],
}
const NAMES = [
  ...new Set(OPERATIONS.flatMap(({ queryParameters }) => queryParameters.map(({ name }) => name))),
  'unknown',
]
const LIST_PARAMETERS = LIST_TABLE.rows.map(({ parameter }) => parameter)
const VALUES = ['0', '251', '-1', '1.5', '1e3', 'true', '2024-02-30T00:00:00.000Z', '{"a":1}', '[]']
const SCHEMES = ['Bearer', 'bearer', 'Basic', 'Token', '']

/** REST operations with valid, nearly valid and invalid parameters. */
export const parameters: Grammar = (random, ground) => {
  const { host, apiKey, restrictedKey } = ground
  const operation = random.pick(OPERATIONS)
  const path = operation.path.replace(/\{\w+\}/g, (name) => segmentOf(name, random, ground))
  const isList = operation.verb !== undefined
  const pairs = new Map<string, string>()
  for (let i = isList ? random.below(5) : 0; i > 0; i--) {
    const { name, example } = random.pick(LIST_PARAMETERS)
    pairs.set(name, encoded(random.pick(RIGHT[name] ?? [example])))
  }
  if (isList && operation.verb !== 'list') {
    pairs.set('query', queryText(random, hostileText(random, ground.words, 150)))
  }
  if (random.chance(350)) pairs.set(...wrongPair(random, ground))
  const written = [...pairs].map(([name, value]) => `${name}=${value}`).join('&')
  const query = written === '' ? '' : `?${written}`
  const key = random.chance(50) ? 'ak-x' : random.pick([apiKey, restrictedKey])
  const scheme = random.chance(20) ? random.pick(SCHEMES) : 'Bearer'
  const lines = [`Host: ${host}`, `Authorization: ${scheme} ${key}`]
  const method = random.chance(50) ? random.pick(['HEAD', 'OPTIONS', 'POST', 'DELETE']) : 'GET'
  const target = `${path}${query}`.replace(/[^!-~]/g, '%')
  return wholeRequest({ method, target, fields: lines, ...(method === 'POST' ? EMPTY : {}) })
}

const EMPTY = { body: Buffer.alloc(0) }

function wrongPair(random: Random, { words }: Ground): [name: string, value: string] {
  const name = random.chance(100) ? hostileText(random, words, 20) : random.pick(NAMES)
  const value = random.chance(500) ? random.pick(VALUES) : hostileText(random, words, 600)
  return [queryText(random, name), queryText(random, value)]
}

function segmentOf(name: string, random: Random, { words }: Ground): string {
  if (name === '{workspaceId}' && !random.chance(30)) return 'demo'
  const kind = random.below(4)
  if (kind === 0) return String(random.below(30_000))
  if (kind === 1) return queryText(random, random.pick(words))
  if (kind === 2) return random.pick(['DE89370400440532013000', '1', '999999999999', 'undefined'])
  return queryText(random, hostileText(random, words, 60))
}
