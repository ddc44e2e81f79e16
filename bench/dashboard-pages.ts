// The dashboard pages with data, and the REST requests for the same rows.
import { strict as assert } from 'node:assert'
import type { Random } from '../src/demo/random.js'
import { type EpochMs, formatInstant } from '../src/instant.js'
import type { Client } from './client.js'
import { type Corpus, WORKSPACE_ID } from './corpus.js'
import type { CorpusFacts } from './facts.js'

/** One page with its query. */
export interface AskedPage {
  /** Path and query. */
  readonly path: string
  /** The REST operation of the same rows, below the workspace; absent = no rows are shown. */
  readonly rest?: string
}

/** Pages of one kind, requested in turn. */
export interface PageKind {
  readonly name: string
  readonly pages: readonly AskedPage[]
}

/** The parts of pages that do not come from the corpus. */
export interface PageOptions {
  readonly facts: CorpusFacts
  readonly random: Random
  readonly integrationId: string
  /** References of existing transactions. */
  readonly references: readonly string[]
  /** Number of requests of each kind. */
  readonly askCount: number
}

const WORKSPACE = `/dashboard/workspaces/${WORKSPACE_ID}`
const EXPLORER = `${WORKSPACE}/transactions`
const DAY_MS = 86_400_000

/** Rows on a page of the explorer. */
const ROWS_SHOWN = 50

/** Search texts; few of them, as in real use. */
const WORDS = ['miete', 'rechnung', 'paypal', 'gmbh', 'gehalt']

/** Number of different pages of a kind whose query changes with each request. */
const VARIETY = 200

/** Every kind of page, in the order of an operator's first visit. */
export function pageKinds(options: PageOptions): PageKind[] {
  const { integrationId } = options
  return [
    one('overview', '/dashboard'),
    one('workspaces', '/dashboard/workspaces'),
    one('workspace', WORKSPACE),
    one('overview of the workspace', `${WORKSPACE}/overview`),
    ...explorerKinds(options),
    one('keys', '/dashboard/keys'),
    one('keys of the workspace', `${WORKSPACE}/keys`),
    one('integrations', '/dashboard/integrations'),
    one('integrations of the workspace', `${WORKSPACE}/integrations`),
    one('integration', `/dashboard/integrations/${integrationId}`),
    one('activity', '/dashboard/activity'),
    one('audit log', '/dashboard/activity/audit'),
    one('audit log, nothing found', '/dashboard/activity/audit?actor=nobody'),
  ]
}

function explorerKinds({ facts, random, references, askCount }: PageOptions): PageKind[] {
  const { rowCount, categories } = facts
  const many = (make: (i: number) => AskedPage, count = VARIETY): AskedPage[] =>
    Array.from({ length: count }, (_, i) => make(i))
  const sorted = (): AskedPage => {
    const category = encodeURIComponent(random.pick(categories).name)
    return listed('/transactions', `category=${category}&sortBy=amount`)
  }
  // One more than `askCount`, because the first call is timed separately.
  const spans = many((i) => charted(spanOf(facts, i)), askCount + 1)
  return [
    {
      name: 'transactions',
      pages: many(() => listed('/transactions', `offset=${random.below(rowCount)}`)),
    },
    { name: 'transactions of a category by amount', pages: many(sorted) },
    {
      name: 'search',
      pages: many(() => {
        const query = `query=${random.pick(WORDS)}&offset=${random.below(1_000)}`
        return listed('/transactions/search', query)
      }),
    },
    { name: 'match', pages: references.map((reference) => matched(reference)) },
    { name: 'charts of everything', pages: [charted('')] },
    { name: 'charts, first request', pages: spans },
    one('custom schema', `${EXPLORER}/schema`),
    {
      name: 'transaction',
      pages: many(() => {
        const id = 1 + random.below(rowCount)
        return { path: `${EXPLORER}/${id}`, rest: `/transactions/${id}` }
      }),
    },
  ]
}

function one(name: string, path: string): PageKind {
  return { name, pages: [{ path }] }
}

function listed(operation: string, query: string): AskedPage {
  return { path: `${EXPLORER}?${query}`, rest: `${operation}?${query}&limit=${ROWS_SHOWN}` }
}

function matched(reference: string): AskedPage {
  const query = `query=${encodeURIComponent(reference)}`
  return { path: `${EXPLORER}/match?${query}`, rest: `/transactions/match?${query}` }
}

interface DaySpan {
  readonly from: EpochMs
  readonly to: EpochMs
}

function charted(span: DaySpan | ''): AskedPage {
  if (span === '') return { path: `${EXPLORER}/charts`, rest: '/transactions?limit=0' }
  const { from, to } = span
  const after = formatInstant(from - 1)
  const before = formatInstant(to + DAY_MS)
  return {
    path: `${EXPLORER}/charts?bookedFrom=${dayText(from)}&bookedTo=${dayText(to)}`,
    rest: `/transactions?bookedAfter=${after}&bookedBefore=${before}&limit=0`,
  }
}

/** A span of some months of the history; differs with `i`. */
function spanOf({ firstBookedAt, lastBookedAt }: CorpusFacts, i: number): DaySpan {
  const firstDay = Math.floor(firstBookedAt / DAY_MS)
  const dayCount = Math.max(1, Math.floor(lastBookedAt / DAY_MS) - firstDay)
  const from = (firstDay + (i % dayCount)) * DAY_MS
  return { from, to: from + (90 + Math.floor(i / dayCount)) * DAY_MS }
}

function dayText(ms: EpochMs): string {
  return formatInstant(ms).slice(0, 10)
}

interface RestRow {
  readonly id: number
  readonly counterpart: { readonly name?: string }
}

/** Asserts that a page shows the same rows and the same number of hits as the REST response. */
export async function checkPage(
  client: Client,
  { apiKey }: Corpus,
  { path, rest }: AskedPage,
  text: string,
): Promise<void> {
  assert.match(text, /<main id="content"/, path)
  if (rest === undefined) return
  const fields = { Authorization: `Bearer ${apiKey}` }
  const {
    status,
    body,
    fields: head,
  } = await client.ask({ path: `/v1/${WORKSPACE_ID}${rest}`, fields })
  assert.equal(status, 200, `${rest}: ${body}`)
  const answer = JSON.parse(body.toString('utf8')) as RestRow | readonly RestRow[]
  if (!isList(answer)) {
    const { name } = answer.counterpart
    assert(plainText(text).includes(name ?? `/${answer.id}/json`), `${path} shows ${name}`)
    return
  }
  const ids = [...text.matchAll(/\/transactions\/(\d+)"/g)].map(([, id]) => Number(id))
  assert.deepEqual(
    ids,
    answer.map(({ id }) => id),
    path,
  )
  const total = Number(head['x-total-count']).toLocaleString('en-US')
  if (total !== '0') assert(text.includes(total), `${path} says that there are ${total}`)
}

function isList(answer: RestRow | readonly RestRow[]): answer is readonly RestRow[] {
  return Array.isArray(answer)
}

function plainText(text: string): string {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
  return plain.replaceAll('&amp;', '&')
}
