// Cost of a query inside the process, without a socket, for any combination of filters and order.
// Every filter and order is combined at random; each answer that is checked equals the twin's.
import { strict as assert } from 'node:assert'
import { type Random, randomOf } from '../src/demo/random.js'
import { listTransactions } from '../src/query/list.js'
import { pageOf } from '../src/query/page.js'
import { QueryCache } from '../src/query/query-cache.js'
import type { TransactionBounds } from '../src/query/transaction-query.js'
import { accountOfId, type Snapshot } from '../src/snapshot/snapshot.js'
import { BodyBuffer } from '../src/wire/body-buffer.js'
import { type ListQuery, parseListQuery } from '../src/wire/list-query.js'
import { transactionPageJson } from '../src/wire/page-json.js'
import { type CorpusFacts, dayOf, periodOf } from './facts.js'
import { medianOf, type Quantiles, quantilesOf } from './statistics.js'
import type { Twin, TwinBounds } from './twin.js'

/** Filters and order as a caller writes them. */
interface Combination {
  readonly parameters: Readonly<Record<string, string>>
  readonly bounds: TwinBounds
}

/**
 * Repetitions of each combination; the median counts, because other programs run on the machine.
 */
const TRIALS = 3

/** Milliseconds of one list: filter, sort, page and JSON. */
export interface QueryFigures {
  readonly combinationCount: number
  /** Number of answers that were compared with the twin's and are equal. */
  readonly equalAnswers: number
  /** Without cached selections of an earlier query. */
  readonly cold: Quantiles
  /** The same lists at another offset. */
  readonly warm: Quantiles
  /** The slowest cold ones, worst first. */
  readonly slowest: readonly { readonly text: string; readonly ms: number }[]
  readonly offsets: readonly OffsetFigures[]
}

/** Cost of a page at one position of the list, median of many. */
export interface OffsetFigures {
  /** 0 = the first page, 0.5 = the middle. */
  readonly share: number
  readonly defaultUs: number
  readonly byAmountUs: number
}

/** Amount of queries. */
export interface QueryOptions {
  readonly seed: number
  readonly combinationCount: number
  /** Combinations whose answer is first compared with the twin's. */
  readonly checkedCount: number
}

/** Measures lists over a snapshot. @throws AssertionError when an answer differs from the twin's */
export function measureQueries(
  snapshot: Snapshot,
  facts: CorpusFacts,
  twin: Twin,
  { seed, combinationCount, checkedCount }: QueryOptions,
): QueryFigures {
  const random = randomOf(seed)
  const combinations = Array.from({ length: combinationCount }, () => combine(facts, random))
  const lister = new Lister(snapshot)
  for (const combination of combinations.slice(0, checkedCount)) {
    checkAnswer(lister, twin, combination)
  }
  const cold: { text: string; ms: number }[] = []
  const warm: number[] = []
  for (const combination of combinations) {
    const trials = Array.from({ length: TRIALS }, () => {
      const queryCache = new QueryCache()
      const coldMs = lister.time(queryCache, combination, random)
      return { coldMs, warmMs: lister.time(queryCache, combination, random) }
    })
    cold.push({ text: textOf(combination), ms: medianOf(trials.map(({ coldMs }) => coldMs)) })
    warm.push(medianOf(trials.map(({ warmMs }) => warmMs)))
  }
  return {
    combinationCount,
    equalAnswers: Math.min(checkedCount, combinationCount),
    cold: quantilesOf(cold.map(({ ms }) => ms)),
    warm: quantilesOf(warm),
    slowest: cold.toSorted((a, b) => b.ms - a.ms).slice(0, 5),
    offsets: [0, 0.1, 0.5, 0.99].map((share) => offsetFigures(lister, facts, share)),
  }
}

const AS_IS = { staleFragments: new Map(), customSchema: undefined }

class Lister {
  readonly #buffer = new BodyBuffer()

  constructor(readonly snapshot: Snapshot) {}

  /** Times one list at a random offset, in milliseconds. */
  time(queryCache: QueryCache, { parameters, bounds }: Combination, random: Random): number {
    const query = queryOf(parameters)
    const transactionBounds = boundsOf(this.snapshot, bounds)
    const place = random.below(1_000) / 1_000
    const startedMs = performance.now()
    const listing = listTransactions(this.snapshot, queryCache, query, transactionBounds)
    const offset = Math.floor(Math.max(0, listing.total - query.limit) * place)
    transactionPageJson(this.#buffer, pageOf(listing, offset, query.limit), AS_IS)
    return performance.now() - startedMs
  }

  answer({ parameters, bounds }: Combination): { readonly json: string; readonly total: number } {
    const query = queryOf(parameters)
    const transactionBounds = boundsOf(this.snapshot, bounds)
    const listing = listTransactions(this.snapshot, new QueryCache(), query, transactionBounds)
    const page = pageOf(listing, query.offset, query.limit)
    const bytes = transactionPageJson(this.#buffer, page, AS_IS)
    return { json: Buffer.from(bytes).toString('utf8'), total: listing.total }
  }
}

function queryOf(parameters: Combination['parameters']): ListQuery {
  return parseListQuery(new URLSearchParams(parameters).toString())
}

function boundsOf(
  snapshot: Snapshot,
  { accountIds, counterpartIban }: TwinBounds,
): TransactionBounds {
  const accountCodes = accountIds?.map((id) => accountOfId(snapshot, id)?.code ?? -1)
  return { accountCodes, counterpartIban }
}

function checkAnswer(lister: Lister, twin: Twin, combination: Combination): void {
  const { parameters, bounds } = combination
  const total = lister.answer({ parameters: { ...parameters, limit: '0' }, bounds }).total
  const offset = String(Math.floor(total / 2))
  const asked = { parameters: { ...parameters, offset, limit: '50' }, bounds }
  const [ours, theirs] = [lister.answer(asked), twin.page(asked.parameters, bounds)]
  assert.equal(ours.total, theirs.total, textOf(combination))
  assert.deepEqual(JSON.parse(ours.json), JSON.parse(theirs.json), textOf(combination))
}

const SORTS = ['bookingDate', 'valueDate', 'importDate', 'amount', '_id'] as const

/** Every filter with some probability, and any order. */
function combine(facts: CorpusFacts, random: Random): Combination {
  const parameters: Record<string, string> = {
    sortBy: random.pick(SORTS),
    order: random.pick(['asc', 'desc']),
  }
  if (random.chance(300)) parameters['category'] = random.pick(facts.categories).name
  if (random.chance(300)) parameters['parentCategory'] = random.pick(facts.parentNames)
  for (const name of ['booked', 'valued', 'imported']) {
    if (!random.chance(400)) continue
    const side = random.below(4)
    if (side < 2) {
      const { after, before } = periodOf(facts, random)
      parameters[`${name}After`] = after
      parameters[`${name}Before`] = before
    } else {
      parameters[`${name}${side === 2 ? 'After' : 'Before'}`] = dayOf(facts, random)
    }
  }
  return { parameters, bounds: combineBounds(facts, random) }
}

function combineBounds({ accountIds, counterpartIbans }: CorpusFacts, random: Random): TwinBounds {
  const accounts = random.chance(500)
    ? accountIds.filter(() => random.chance(400)).slice(0, accountIds.length - 1)
    : []
  return {
    accountIds: accounts.length === 0 ? undefined : accounts,
    counterpartIban: random.chance(200) ? random.pick(counterpartIbans) : undefined,
  }
}

function textOf({ parameters, bounds }: Combination): string {
  const { accountIds, counterpartIban } = bounds
  const path = counterpartIban === undefined ? '' : `counterpart ${counterpartIban} `
  const accounts = accountIds === undefined ? '' : `accounts ${accountIds.join(',')} `
  return `${path}${accounts}?${new URLSearchParams(parameters)}`
}

/** Pages around one position; each is requested once, so that none is in a cache. */
function offsetFigures(lister: Lister, facts: CorpusFacts, share: number): OffsetFigures {
  const queryCache = new QueryCache()
  const start = Math.floor(Math.max(0, facts.rowCount - 20_100) * share)
  const buffer = new BodyBuffer()
  const time = (parameters: Record<string, string>): number => {
    const durations: number[] = []
    for (let i = 0; i < 200; i++) {
      const offset = Math.min(start + i * 100, facts.rowCount - 100)
      const query = queryOf({ ...parameters, offset: String(Math.max(0, offset)) })
      const startedMs = performance.now()
      const listing = listTransactions(lister.snapshot, queryCache, query, {})
      transactionPageJson(buffer, pageOf(listing, query.offset, query.limit), AS_IS)
      durations.push((performance.now() - startedMs) * 1_000)
    }
    return quantilesOf(durations).p50
  }
  return { share, defaultUs: time({}), byAmountUs: time({ sortBy: 'amount' }) }
}
