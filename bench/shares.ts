// Workload: ten keys, each on one connection, match, search and list in turn and pause between
// two requests; alone, and next to each hostile caller in turn (HOSTILES): a key that matches over
// all of 100,000 rows (threshold 0), or lists pages, on 300 connections without a pause; and ten
// connections without a credential that pipeline requests without a pause. Both engines, several
// rounds; one round precedes them as a warm-up.
// Data: the demo's company (corpus.ts), seed 7.
// Check, before the times: answers next to a hostile caller equal those of the service at rest.
// Read: p99 of the honest keys next to the hostile key that matches against p99 alone, at most
// doubled; next to the others at most 100 ms (docs/operating/security.md).
// Run: npm run bench -- shares [--rows N] [--seconds S] [--rounds R] [--record]
import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '../src/admin/api-keys.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { type ServerProcess, startCallers, startServer } from './child.js'
import { Client } from './client.js'
import { copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** Kinds of requests of the honest keys. */
export const KINDS = ['match', 'search', 'list'] as const
type Kind = (typeof KINDS)[number]

/** Hostile callers: a key that repeats a request, and connections that pipeline one. */
export const HOSTILES = ['match', 'list', 'pipelined unknown path', 'pipelined dashboard'] as const
type Hostile = (typeof HOSTILES)[number]

/** Targets of the hostile callers that pipeline. */
const PIPELINED: Readonly<Partial<Record<Hostile, string>>> = {
  'pipelined unknown path': '/x',
  'pipelined dashboard': '/dashboard',
}

/** Pause between two requests of an honest key, as of a client that uses the answers. */
const PAUSE_MS = 40

/** Answers of each honest key that are compared. */
const CHECKED_COUNT = 6

/** Repetitions of a request that is checked and was refused: on a busy machine a match may be. */
const REPEATS_MAX = 50

/** Amount of load. */
export interface ShareOptions {
  readonly engines: readonly ('uws' | 'node')[]
  readonly honestCount: number
  /** Connections of a hostile key. */
  readonly connectionCount: number
  /** Connections that pipeline. */
  readonly pipeliningCount: number
}

/** Waiting times of the honest keys in one phase. */
export interface SharePhase {
  readonly requestMs: Readonly<Record<Kind, Quantiles>>
  /** Of all requests. */
  readonly anyMs: Quantiles
  /** Number of answers other than 200. */
  readonly refusedCount: number
}

/** Figures next to one hostile caller, one phase per round. */
export interface ContendedFigures {
  readonly hostile: Hostile
  readonly phases: readonly SharePhase[]
  /** Answers to the hostile caller by status, over all rounds. */
  readonly hostileAnswers: Readonly<Record<string, number>>
}

/** Figures of one engine, one phase per round. */
export interface ShareFigures {
  readonly engine: 'uws' | 'node'
  readonly alone: readonly SharePhase[]
  readonly contended: readonly ContendedFigures[]
}

/** Measures over a copy of the corpus, which is deleted at the end. */
export async function measureShares(
  settings: Settings,
  options: ShareOptions,
): Promise<readonly ShareFigures[]> {
  const corpus = await openCorpus(settings)
  const scratch = join(corpus.path, 'shares')
  copyCorpus(corpus, scratch)
  try {
    const keys = await makeKeys(scratch, options.honestCount + 1)
    const figures: ShareFigures[] = []
    for (const engine of options.engines) {
      settings.say(`  ${engine}`)
      figures.push(await measureEngine({ scratch, engine, keys }, settings, options))
    }
    return figures
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function makeKeys(path: string, count: number): Promise<string[]> {
  const control = ControlFile.open(makeDataDirectory(path).controlPath)
  try {
    const input = { workspaceId: WORKSPACE_ID, name: 'n', scopes: SCOPES, accountIds: null }
    const context = { control, nowMs: Date.now(), actor: CLI_ACTOR }
    const keys: string[] = []
    for (let i = 0; i < count; i++) {
      keys.push((await createApiKey(context, { ...input, expiresAtMs: null })).key)
    }
    return keys
  } finally {
    control.close()
  }
}

interface SharesSetup {
  readonly scratch: string
  readonly engine: 'uws' | 'node'
  /** The hostile key first, then the others. */
  readonly keys: readonly string[]
}

async function measureEngine(
  { scratch, engine, keys: [hostileKey = '', ...honest] }: SharesSetup,
  { seconds, rounds, rowCount, say }: Settings,
  options: ShareOptions,
): Promise<ShareFigures> {
  const words = ['serve', '--data-dir', scratch, '--port', '0', '--json', '--preload']
  const server = await startServer('program/main.js', [...words, '--engine', engine])
  const ask = (): Promise<SharePhase> => askFor(server.port, honest, { seconds, rowCount })
  const start = (hostile: Hostile): Promise<ServerProcess> =>
    startHostile(hostile, server.port, hostileKey, options)
  const alone: SharePhase[] = []
  const contended = HOSTILES.map((hostile) => {
    return { hostile, phases: [] as SharePhase[], hostileAnswers: {} as Record<string, number> }
  })
  try {
    const expected = await answersTo(server.port, honest, rowCount)
    for (let round = 0; round <= rounds; round++) {
      alone.push(await ask())
      for (const { hostile, phases, hostileAnswers } of contended) {
        const caller = await start(hostile)
        await wait(500)
        if (round === 0) {
          assert.deepEqual(await answersTo(server.port, honest, rowCount), expected)
        }
        phases.push(await ask())
        add(hostileAnswers, await answersOf(caller))
        const { p50, p99 } = phases.at(-1)?.anyMs ?? alone[0]!.anyMs
        say(`    ${round}, ${hostile}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
      }
    }
  } finally {
    await server.stop()
  }
  return {
    engine,
    alone: alone.slice(1),
    contended: contended.map((figures) => ({ ...figures, phases: figures.phases.slice(1) })),
  }
}

function startHostile(
  hostile: Hostile,
  port: number,
  key: string,
  { connectionCount, pipeliningCount }: ShareOptions,
): Promise<ServerProcess> {
  const path = PIPELINED[hostile]
  if (path !== undefined) {
    const parameters = [String(port), path, String(pipeliningCount)]
    return startCallers('bench/pipelining-caller.js', parameters)
  }
  const parameters = [String(port), hostile, key, WORKSPACE_ID, String(connectionCount)]
  return startCallers('bench/hostile-caller.js', parameters)
}

/** Ends a hostile caller. @returns its answers by status */
async function answersOf(caller: ServerProcess): Promise<Readonly<Record<string, number>>> {
  const lastLine = caller.nextLine()
  await caller.stop()
  const { answers } = JSON.parse(await lastLine) as { answers: Record<string, number> }
  return answers
}

function add(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}

/** The first answers of each key, by path. A refused request is repeated. */
async function answersTo(
  port: number,
  keys: readonly string[],
  rowCount: number,
): Promise<ReadonlyMap<string, string>> {
  const client = new Client(port)
  const answers = new Map<string, string>()
  for (const [number, key] of keys.entries()) {
    const fields = { Authorization: `Bearer ${key}` }
    for (let i = number; i < number + CHECKED_COUNT; i++) {
      const path = pathOf(i, rowCount)
      let answered = await client.ask({ path, fields })
      for (let again = 0; answered.status === 503 && again < REPEATS_MAX; again++) {
        await wait(PAUSE_MS)
        answered = await client.ask({ path, fields })
      }
      assert.equal(answered.status, 200, path)
      answers.set(path, answered.body.toString('utf8'))
    }
  }
  client.close()
  return answers
}

async function askFor(
  port: number,
  keys: readonly string[],
  { seconds, rowCount }: { readonly seconds: number; readonly rowCount: number },
): Promise<SharePhase> {
  const durations: Record<Kind, number[]> = { match: [], search: [], list: [] }
  let refusedCount = 0
  const endMs = performance.now() + seconds * 1_000
  const askInTurn = async (key: string, number: number): Promise<void> => {
    const client = new Client(port)
    const fields = { Authorization: `Bearer ${key}` }
    for (let i = number; performance.now() < endMs; i += 1) {
      const sentMs = performance.now()
      const { status } = await client.ask({ path: pathOf(i, rowCount), fields })
      durations[kindOf(i)].push(performance.now() - sentMs)
      if (status !== 200) refusedCount += 1
      await wait(PAUSE_MS)
    }
    client.close()
  }
  await Promise.all(keys.map(askInTurn))
  const { match, search, list } = durations
  const requestMs = {
    match: quantilesOf(match),
    search: quantilesOf(search),
    list: quantilesOf(list),
  }
  return { requestMs, anyMs: quantilesOf([...match, ...search, ...list]), refusedCount }
}

function kindOf(i: number): Kind {
  return KINDS[i % KINDS.length] ?? 'list'
}

/** A different text and a different page each time. */
function pathOf(i: number, rowCount: number): string {
  const number = i * 7_919
  const root = `/v1/${WORKSPACE_ID}/transactions`
  const kind = kindOf(i)
  if (kind === 'list') return `${root}?limit=100&offset=${number % rowCount}`
  if (kind === 'search') return `${root}/search?query=rechnung+${number % 1_000}`
  return `${root}/match?query=RE-2025-${String(number % 100_000).padStart(5, '0')}`
}
