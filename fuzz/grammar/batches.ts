import type { Random } from '../../src/demo/random.js'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { BATCH_MEMBERS, BATCH_QUERY_MEMBERS } from '../../src/wire/batch-body.js'
import { type Grammar, type Ground, wholeRequest } from '../shot.js'
import { damaged, hostileText } from './texts.js'

const PATHS = OPERATIONS.filter(({ method }) => method === 'POST').map(({ path }) => path)
const TYPES = ['application/json', 'application/json;charset=utf-8', 'text/plain', '']
const VALUES: readonly unknown[] = [0, 1, -1, 1e99, 574.7, '1.50', null, true, '', 'EUR', [], {}]
const MEMBERS = [...Object.keys(BATCH_MEMBERS), ...Object.keys(BATCH_QUERY_MEMBERS), '__proto__']

/** Bodies of batch matches: valid, nearly valid, damaged, deep and empty ones. */
export const batches: Grammar = (random, ground) => {
  const { host, apiKey, restrictedKey } = ground
  const target = random
    .pick(PATHS)
    .replace('{workspaceId}', 'demo')
    .replace('{identifier}', String(random.below(6)))
    .replace('{iban}', 'DE89370400440532013000')
  const type = random.chance(950) ? 'application/json' : random.pick(TYPES)
  const lines = [
    `Host: ${host}`,
    `Authorization: Bearer ${random.pick([apiKey, restrictedKey])}`,
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
  ]
  const count = random.chance(20) ? random.between(0, 502) : random.between(1, 5)
  const queries = Array.from({ length: count }, (_, i) => query(random, ground, i))
  const json = JSON.stringify(spoilt(random, { queries, explain: random.chance(500) }))
  const text = random.chance(30) ? '['.repeat(random.between(1, 30_000)) : json
  const body = random.chance(100) ? damaged(random, Buffer.from(text), 3) : Buffer.from(text)
  return wholeRequest({ method: 'POST', target, fields: lines, body })
}

function query(random: Random, { words }: Ground, place: number): object {
  const amount = random.pick<unknown>([574.7, '574.70', -1, null, undefined])
  const counterpartName = random.chance(300) ? hostileText(random, words, 100) : undefined
  const known = { amount, counterpartName }
  return spoilt(random, { id: String(place), query: hostileText(random, words, 200), ...known })
}

/** The object, now and then with a member of another value or name. */
function spoilt(random: Random, members: object): object {
  if (!random.chance(80)) return members
  return { ...members, [random.pick(MEMBERS)]: random.pick(VALUES) }
}
