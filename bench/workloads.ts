import { strict as assert } from 'node:assert'
import { type Random, randomOf } from '../src/demo/random.js'
import { Client, type Target } from './client.js'
import { type Corpus, RESTRICTED_ACCOUNTS, WORKSPACE_ID } from './corpus.js'
import type { CorpusFacts } from './facts.js'
import { SHAPES, type Shape, type ShapeQuery } from './shapes.js'

/** Rows of a page when the caller names no limit. */
const PAGE_ROWS = 100

/** Requests of the plain workloads; the pages among them are four times the processor's caches. */
const TARGET_COUNT = 4_000

/** Number of single transactions: 28 MB of rows, more than a core's own cache. */
const SINGLE_COUNT = 40_000

/** Values per shape, and offsets per value. */
const VALUES_PER_SHAPE = 5
const OFFSETS_PER_VALUE = 16

/** The requests of a workload, sent repeatedly. */
export interface Workload {
  readonly name: 'page' | 'filtered' | 'single'
  readonly title: string
  /** In random order. */
  readonly targets: readonly Target[]
}

/** The requests of one shape. */
export interface ShapeTargets {
  readonly shape: Shape
  readonly targets: readonly Target[]
}

const BASE = `/v1/${WORKSPACE_ID}`

function fieldsOf(corpus: Corpus, isRestricted: boolean): Target['fields'] {
  // The twin has no keys, so a header field names the accounts; all contenders receive it.
  if (!isRestricted) return { Authorization: `Bearer ${corpus.apiKey}` }
  return {
    Authorization: `Bearer ${corpus.restrictedKey}`,
    'X-Accounts': RESTRICTED_ACCOUNTS.join(','),
  }
}

/** Pages of 100 in default order, at random offsets over all rows. */
export function pageWorkload(corpus: Corpus, facts: CorpusFacts): Workload {
  const random = randomOf(corpus.seed)
  const fields = fieldsOf(corpus, false)
  const targets = Array.from({ length: TARGET_COUNT }, () => ({
    path: `${BASE}/transactions?offset=${random.below(facts.rowCount - PAGE_ROWS)}`,
    fields,
  }))
  return { name: 'page', title: 'page of 100, default order, random offsets', targets }
}

/** Random single transactions. */
export function singleWorkload(corpus: Corpus, facts: CorpusFacts): Workload {
  const random = randomOf(corpus.seed)
  const fields = fieldsOf(corpus, false)
  const targets = Array.from({ length: SINGLE_COUNT }, () => ({
    // The corpus numbers its rows from 1 without gaps.
    path: `${BASE}/transactions/${1 + random.below(facts.rowCount)}`,
    fields,
  }))
  return { name: 'single', title: 'single transaction, random ids', targets }
}

/** Pages at random offsets and random single transactions, in turn, for readers with pauses. */
export function readTargets({ apiKey, rowCount }: Corpus, random: Random): Target[] {
  const fields = { Authorization: `Bearer ${apiKey}` }
  return Array.from({ length: 4_000 }, (_, i) => {
    const at = random.below(rowCount)
    const page = i % 2 === 0 ? `?limit=100&offset=${at}` : `/${at + 1}`
    return { path: `${BASE}/transactions${page}`, fields }
  })
}

/**
 * The requests of every shape. A running kontor reports each list's length, which determines the
 * offsets; the comparison with the twin verifies the lengths.
 */
export async function shapeTargets(
  corpus: Corpus,
  facts: CorpusFacts,
  port: number,
): Promise<ShapeTargets[]> {
  const random = randomOf(corpus.seed)
  const client = new Client(port)
  const all: ShapeTargets[] = []
  const shapes = SHAPES.filter(({ hasParent }) => !hasParent || facts.parentNames.length > 0)
  for (const shape of shapes) {
    const fields = fieldsOf(corpus, shape.isRestricted)
    const targets: Target[] = []
    for (let value = 0; value < VALUES_PER_SHAPE; value++) {
      const query = shape.query(facts, random)
      const total = await totalOf(client, { path: pathOf(query, { limit: '0' }), fields })
      for (let i = 0; i < OFFSETS_PER_VALUE; i++) {
        const offset = random.below(Math.max(1, total - PAGE_ROWS))
        targets.push({ path: pathOf(query, { offset: String(offset) }), fields })
      }
    }
    all.push({ shape, targets: shuffled(targets, random) })
  }
  client.close()
  return all
}

/** All shapes together. */
export function filteredWorkload(corpus: Corpus, shapes: readonly ShapeTargets[]): Workload {
  const targets = shuffled(
    shapes.flatMap((one) => one.targets),
    randomOf(corpus.seed),
  )
  return { name: 'filtered', title: `filtered or sorted page, ${shapes.length} shapes`, targets }
}

/** Some of a workload's requests, spread over it. */
export function sampleOf(targets: readonly Target[], count: number): readonly Target[] {
  const step = Math.max(1, Math.floor(targets.length / count))
  return targets.filter((_, i) => i % step === 0).slice(0, count)
}

function pathOf(query: ShapeQuery, more: Readonly<Record<string, string>>): string {
  return `${BASE}${query.path}?${new URLSearchParams({ ...query.parameters, ...more })}`
}

async function totalOf(client: Client, target: Target): Promise<number> {
  const { status, fields } = await client.ask(target)
  assert.equal(status, 200, target.path)
  return Number(fields['x-total-count'])
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    const kept = copy[i]! // other <= i < length
    copy[i] = copy[other]!
    copy[other] = kept
  }
  return copy
}
