// Workload: every page of the dashboard over HTTP, one after the other, by an operator who has
// signed in; pages with rows differ each time. The first call of each kind is reported separately,
// and a warm-up round is left out.
// Data: a copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7; 60 keys, 10 integrations
// and 10,000 entries of the audit log, so that no page has less than a screen.
// Read: milliseconds to the last byte against the bound of pages-report.ts; no floor and no peer.
// Run: npm run bench -- pages [--rows N] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createApiKey } from '../src/admin/api-keys.js'
import { createIntegration } from '../src/admin/integrations.js'
import { createOperator } from '../src/admin/operators.js'
import { appendAudit } from '../src/auth/audit.js'
import { randomOf } from '../src/demo/random.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { startServer } from './child.js'
import { Client } from './client.js'
import { type Corpus, copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { checkPage, type PageKind, pageKinds } from './dashboard-pages.js'
import { DashboardSession, type FirstVisit, type Operator } from './dashboard-session.js'
import { readFacts } from './facts.js'
import { memoryFigures, untilAtRest } from './process-figures.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** All figures of the bench. */
export interface PagesFigures {
  readonly rowCount: number
  readonly pages: readonly PageFigures[]
  readonly firstVisit: FirstVisit
  /** Memory of the service at the end; NaN where the system does not report it. */
  readonly residentBytes: number
}

/** One kind of page. */
export interface PageFigures {
  readonly name: string
  /** The very first call, after the service has become idle. */
  readonly firstMs: number
  /** The calls after a warm-up round, to the last byte. */
  readonly laterMs: Quantiles
  /** The largest page, uncompressed. */
  readonly bytes: number
  /**
   * Share of the later pages that reload by themselves: live ones, and sums still being added up.
   */
  readonly renewedShare: number
}

/** Options that differ between a full run and a smoke run. */
export interface PagesOptions {
  /** Calls of each kind in a round. */
  readonly callCount: number
  /** References to match in turn. */
  readonly referenceCount: number
}

const OPERATOR: Operator = { name: 'bench', password: 'a password of the bench' }

const KEY_COUNT = 60
const INTEGRATION_COUNT = 10
const AUDIT_EVENT_COUNT = 10_000

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measurePages(
  settings: Settings,
  { callCount, referenceCount }: PagesOptions,
): Promise<PagesFigures> {
  const { say, rounds } = settings
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'pages')
  copyCorpus(corpus, scratch)
  const integrationId = await furnish(scratch)
  say('loading')
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [scratch, WORKSPACE_ID, budget])
  const client = new Client(server.port)
  try {
    const facts = readFacts(corpus.twinPath)
    const random = randomOf(settings.seed)
    const references = await readReferences(client, corpus, referenceCount)
    const askCount = callCount * (rounds + 1)
    const kinds = pageKinds({ facts, random, integrationId, references, askCount })
    await untilAtRest(server.pid)
    const session = await DashboardSession.begin(client, OPERATOR)
    say('first calls')
    const progresses: PageProgress[] = []
    for (const kind of kinds) progresses.push(await requestFirst(session, client, corpus, kind))
    const firstVisit = await session.weighFirstVisit()
    say('warming up')
    await askRound(session, progresses, callCount)
    for (const progress of progresses) progress.later = []
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`)
      await askRound(session, progresses, callCount)
    }
    const pages = progresses.map(figuresOf)
    const residentBytes = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
    return { rowCount: facts.rowCount, pages, firstVisit, residentBytes }
  } finally {
    client.close()
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Creates an operator, and data for every page. @returns the id of an integration */
async function furnish(folder: string): Promise<string> {
  const control = ControlFile.open(makeDataDirectory(folder).controlPath)
  const nowMs = Date.now()
  try {
    assert((await createOperator({ control, nowMs, actor: CLI_ACTOR }, OPERATOR)) !== undefined)
    const event = { action: 'workspace.import', subject: WORKSPACE_ID } as const
    await control.atomically(function* () {
      for (let i = 0; i < AUDIT_EVENT_COUNT; i++) yield* appendAudit(CLI_ACTOR, nowMs, event)
    })
    const context = { control, nowMs, actor: CLI_ACTOR }
    const all = { workspaceId: WORKSPACE_ID, scopes: SCOPES, accountIds: null }
    for (let i = 0; i < KEY_COUNT; i++) {
      await createApiKey(context, { ...all, name: `key ${i}`, expiresAtMs: null })
    }
    const made: string[] = []
    for (let i = 0; i < INTEGRATION_COUNT; i++) {
      const input = { ...all, kind: 'mcp', name: `agent ${i}`, tools: null } as const
      made.push((await createIntegration(context, input)).id)
    }
    return made[0] ?? ''
  } finally {
    control.close()
  }
}

/** References, or else prefixes of purposes, of some rows in the window of a match. */
async function readReferences(client: Client, corpus: Corpus, count: number): Promise<string[]> {
  const fields = { Authorization: `Bearer ${corpus.apiKey}` }
  const path = `/v1/${WORKSPACE_ID}/transactions?sortBy=bookingDate&limit=${count}`
  const { status, body } = await client.ask({ path, fields })
  assert.equal(status, 200, body.toString('utf8'))
  const rows = JSON.parse(body.toString('utf8')) as {
    readonly endToEndReference?: string
    readonly purpose?: string
  }[]
  const texts = rows.map(({ endToEndReference, purpose }) => endToEndReference ?? purpose ?? '')
  const references = texts.map((text) => text.slice(0, 40).trim()).filter((text) => text !== '')
  assert(references.length > 0, 'some rows have a reference')
  return references
}

/** Progress through the pages of a kind. */
interface PageProgress {
  readonly kind: PageKind
  readonly firstMs: number
  /** Number of requested pages, including the first. */
  pageCount: number
  bytes: number
  later: PageTiming[]
}

interface PageTiming {
  readonly ms: number
  readonly isRenewed: boolean
}

/** Pages of a kind whose rows are compared with those of REST. */
const CHECKED_MAX = 5

async function requestFirst(
  session: DashboardSession,
  client: Client,
  corpus: Corpus,
  kind: PageKind,
): Promise<PageProgress> {
  const startedMs = performance.now()
  const text = await session.open(pageAt(kind, 0).path)
  const firstMs = performance.now() - startedMs
  await checkPage(client, corpus, pageAt(kind, 0), text)
  // Charts are left out, because their first request has to be the measured one.
  for (const page of kind.pages.slice(1).slice(-CHECKED_MAX)) {
    if (!page.path.includes('/charts')) {
      await checkPage(client, corpus, page, await session.open(page.path))
    }
  }
  return { kind, firstMs, pageCount: 1, bytes: Buffer.byteLength(text), later: [] }
}

/** Requests every kind of page equally often, one after the other. */
async function askRound(
  session: DashboardSession,
  walks: readonly PageProgress[],
  callCount: number,
): Promise<void> {
  for (let i = 0; i < callCount; i++) {
    for (const progress of walks) await askNext(session, progress)
  }
}

async function askNext(session: DashboardSession, progress: PageProgress): Promise<void> {
  const { path } = pageAt(progress.kind, progress.pageCount)
  const startedMs = performance.now()
  const text = await session.open(path)
  const ms = performance.now() - startedMs
  progress.later.push({ ms, isRenewed: text.includes('data-refresh="') })
  progress.pageCount += 1
  progress.bytes = Math.max(progress.bytes, Buffer.byteLength(text))
}

function pageAt({ pages }: PageKind, i: number): PageKind['pages'][number] {
  const page = pages[i % pages.length]
  assert(page !== undefined, 'a kind has a page')
  return page
}

function figuresOf({ kind, firstMs, bytes, later }: PageProgress): PageFigures {
  const renewedShare = later.filter(({ isRenewed }) => isRenewed).length / later.length
  const laterMs = quantilesOf(later.map(({ ms }) => ms))
  return { name: kind.name, firstMs, laterMs, bytes, renewedShare }
}
