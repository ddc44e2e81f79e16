// Workload: calls of get_transactions over HTTP by bare POSTs with an mcp key.
//   ten rows   pages at random offsets of everything, of an account, of a category, of a month, of
//              both, and of searches; as many at a time as wrk has connections
//   reads      REST reads by four callers that pause, while agents call without a pause
//   250 rows   the longest pages, one after the other, and the delay of the event loop
// Data: a copy of the demo's company (corpus.ts), 1,000,000 rows, seed 7.
// Read: calls against the bounds of mcp-report.ts; reads with agents against reads without; no
// peer.
// Run: npm run bench -- mcp [--rows N] [--seconds S] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createIntegration } from '../src/admin/integrations.js'
import { createMcpKey } from '../src/admin/mcp-keys.js'
import { type Random, randomOf } from '../src/demo/random.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { type ServerProcess, startCallers, startServer } from './child.js'
import { Client, type Target } from './client.js'
import { type Corpus, copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { type CorpusFacts, periodOf, readFacts } from './facts.js'
import type { Load, LoadFigures } from './load.js'
import { untilAtRest } from './process-figures.js'
import { Readers, type ReadFigures } from './readers.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'
import { readTargets } from './workloads.js'

/** All figures of the bench; one entry per round. */
export interface McpFigures {
  readonly rowCount: number
  readonly calls: readonly LoadFigures[]
  readonly quiet: readonly ReadFigures[]
  readonly withAgents: readonly AgentReadFigures[]
  readonly long: readonly LongFigures[]
}

/** Reads while agents call. */
export interface AgentReadFigures extends ReadFigures {
  readonly callsPerSecond: number
}

/** Pages of 250 rows. */
export interface LongFigures {
  readonly callMs: Quantiles
  readonly chars: Quantiles
  /** Time between two ticks of a timer of one millisecond during the calls. */
  readonly delayMs: Quantiles
  /** The same for as long without load: the share of the machine itself. */
  readonly idleDelayMs: Quantiles
}

/** Options that differ between a full run and a smoke run. */
export interface McpOptions {
  readonly load: (load: Load) => Promise<LoadFigures>
  /** Calls whose answers are compared with those of REST before the measurement. */
  readonly checkedCount: number
  /** Number of different calls of ten rows. */
  readonly callCount: number
  readonly longCount: number
  readonly longRoundCount: number
  readonly agentCount: number
}

/** Address and credential of an endpoint. */
interface Endpoint {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measureMcp(settings: Settings, options: McpOptions): Promise<McpFigures> {
  const { say, seed, seconds, rounds } = settings
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'mcp')
  copyCorpus(corpus, scratch)
  const endpoint = await openEndpoint(scratch)
  say('loading')
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [scratch, WORKSPACE_ID, budget])
  const client = new Client(server.port)
  let readers: Readers | undefined
  try {
    await untilAtRest(server.pid)
    const facts = readFacts(corpus.twinPath)
    const inputs = inputsOf(facts, randomOf(seed), options.callCount)
    say('checking')
    await checkCalls(client, endpoint, corpus, inputs.slice(0, options.checkedCount))
    const targets = inputs.map(({ input }) => callTarget(endpoint, { ...input, limit: 10 }))
    readers = await Readers.start(server, readTargets(corpus, randomOf(seed)))
    const path = join(scratch, 'targets.json')
    writeFileSync(path, JSON.stringify(targets))
    const figures = { calls: [] as LoadFigures[], quiet: [] as ReadFigures[] }
    const withAgents: AgentReadFigures[] = []
    // The first callers wait for the caches to fill and for the compiler.
    await options.load({ pid: server.pid, port: server.port, targets, seconds })
    await readers.readFor(seconds)
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`)
      const { pid, port } = server
      figures.calls.push(await options.load({ pid, port, targets, seconds }))
      figures.quiet.push(await readers.readFor(seconds))
      const agents = [path, String(port), String(options.agentCount)]
      withAgents.push(await readWithAgents(readers, agents, seconds))
    }
    say('pages of 250 rows')
    const longInputs = inputs.slice(0, options.longCount).map(({ input }) => input)
    const long: LongFigures[] = []
    for (let round = 0; round < options.longRoundCount; round++) {
      long.push(await measureLong(server, client, endpoint, longInputs))
    }
    return { rowCount: facts.rowCount, ...figures, withAgents, long }
  } finally {
    client.close()
    await readers?.stop()
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Creates an integration and a key of it. */
async function openEndpoint(folder: string): Promise<Endpoint> {
  const control = ControlFile.open(makeDataDirectory(folder).controlPath)
  try {
    const all = { scopes: SCOPES, accountIds: null, tools: null }
    const input = { workspaceId: WORKSPACE_ID, kind: 'mcp', name: 'agents', ...all } as const
    const { id } = await createIntegration({ control, nowMs: Date.now(), actor: CLI_ACTOR }, input)
    const named = { integrationId: id, name: 'bench', scopes: SCOPES, expiresAtMs: null }
    const { key } = await createMcpKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, named)
    const fields = {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...{ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
    }
    return { path: `/v1/${WORKSPACE_ID}/mcp/${id}`, fields }
  } finally {
    control.close()
  }
}

type Input = Readonly<Record<string, string | number>>

/** A call, and the equivalent REST request. */
interface Asked {
  readonly input: Input
  readonly path: string
}

/** Ten rows of a typical query each; there are few search texts, as in real use. */
function inputsOf(facts: CorpusFacts, random: Random, count: number): Asked[] {
  const words = ['miete', 'rechnung', 'paypal', 'gmbh', 'gehalt']
  const kinds: readonly (() => Asked)[] = [
    () => listed({}),
    () => listed({ category: random.pick(facts.categories).name }),
    () => listed(monthOf(facts, random)),
    () => listed({ ...monthOf(facts, random), sortBy: 'amount' }),
    () => {
      const account = String(random.pick(facts.accountIds))
      const input = { account, sortBy: 'bookingDate' }
      return { input, path: `/accounts/${account}/transactions?sortBy=bookingDate` }
    },
    () => {
      const search = random.pick(words)
      return { input: { search }, path: `/transactions/search?query=${search}` }
    },
  ]
  return Array.from({ length: count }, (_, i) => {
    const { input, path } = kinds[i % kinds.length]!() // below its length
    const offset = random.below(i % 2 === 0 ? 10 : 1_000)
    const sign = path.includes('?') ? '&' : '?'
    return { input: { ...input, offset }, path: `${path}${sign}offset=${offset}` }
  })
}

function listed(input: Readonly<Record<string, string>>): Asked {
  return { input, path: `/transactions?${new URLSearchParams(input)}` }
}

function monthOf(facts: CorpusFacts, random: Random): Record<string, string> {
  const { after, before } = periodOf(facts, random)
  return { bookedAfter: after, bookedBefore: before }
}

function callTarget({ path, fields }: Endpoint, input: Input): Target {
  const params = { name: 'get_transactions', arguments: input }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return { path, fields, body }
}

interface Content {
  readonly totalCount: number
  readonly items: readonly unknown[]
}

async function contentOf(client: Client, target: Target): Promise<Content> {
  const { status, body } = await client.ask(target)
  const text = body.toString('utf8')
  assert.equal(status, 200, text)
  const { result } = JSON.parse(text) as { result?: { structuredContent?: Content } }
  assert(result?.structuredContent !== undefined, text)
  return result.structuredContent
}

/** Asserts that calls find the same rows as REST. */
async function checkCalls(
  client: Client,
  endpoint: Endpoint,
  corpus: Corpus,
  asked: readonly Asked[],
): Promise<void> {
  const fields = { Authorization: `Bearer ${corpus.apiKey}` }
  for (const { input, path } of asked) {
    const target = callTarget(endpoint, { ...input, limit: 10, fields: 'full' })
    const [content, rest] = await Promise.all([
      contentOf(client, target),
      client.ask({ path: `/v1/${WORKSPACE_ID}${path}&limit=10`, fields }),
    ])
    assert.equal(String(content.totalCount), rest.fields['x-total-count'], path)
    assert.deepEqual(content.items, JSON.parse(rest.body.toString('utf8')), path)
  }
}

/** @param agents words for the program that plays them */
async function readWithAgents(
  readers: Readers,
  agents: readonly string[],
  seconds: number,
): Promise<AgentReadFigures> {
  const caller = await startCallers('bench/mcp-agents.js', agents)
  const startedMs = performance.now()
  const figures = await readers.readFor(seconds)
  const lastLine = caller.nextLine()
  await caller.stop()
  const { callCount } = JSON.parse(await lastLine) as { callCount: number }
  return { ...figures, callsPerSecond: callCount / ((performance.now() - startedMs) / 1_000) }
}

async function measureLong(
  server: ServerProcess,
  client: Client,
  endpoint: Endpoint,
  inputs: readonly Input[],
): Promise<LongFigures> {
  const durations: number[] = []
  const sizes: number[] = []
  const stop = watchLoop(server)
  const firstMs = performance.now()
  for (const input of inputs) {
    const startedMs = performance.now()
    const content = await contentOf(client, callTarget(endpoint, { ...input, limit: 250 }))
    durations.push(performance.now() - startedMs)
    sizes.push(JSON.stringify(content).length)
  }
  const elapsedMs = performance.now() - firstMs
  const delayMs = await stop()
  const stopIdle = watchLoop(server)
  await wait(elapsedMs)
  const idleDelayMs = await stopIdle()
  return { callMs: quantilesOf(durations), chars: quantilesOf(sizes), delayMs, idleDelayMs }
}

/** Watches the server's event loop. @returns function that stops and returns the delays */
function watchLoop(server: ServerProcess): () => Promise<Quantiles> {
  process.kill(server.pid, 'SIGUSR2')
  return async () => {
    const line = server.nextLine()
    // The line reports an exit in either case.
    line.catch(() => undefined)
    process.kill(server.pid, 'SIGUSR2')
    return JSON.parse(await line) as Quantiles
  }
}
