// Workload: ten keys, each on one connection, match, search and list in turn and pause between two
// requests; alone, and next to one key that matches on 300 connections without a pause, over all of
// 100,000 rows (threshold 0). Both engines; alone and with the hostile key in turn, several rounds;
// one phase of each precedes them as a warm-up.
// Data: the demo's company (corpus.ts), seed 7.
// Read: p99 of the honest keys with the hostile one against p99 without, at most doubled.
// Run: npm run bench -- shares [--rows N] [--seconds S] [--rounds R] [--record]
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '../src/admin/api-keys.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { ControlFile } from '../src/store/control-file.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { callersPriority, startCallers, startServer } from './child.js'
import { Client } from './client.js'
import { copyCorpus, openCorpus, WORKSPACE_ID } from './corpus.js'
import { type Target as Bound, shown, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { medianOf, pairedRatio, type Quantiles, quantilesOf } from './statistics.js'

const KINDS = ['match', 'search', 'list'] as const
type Kind = (typeof KINDS)[number]

/** Upper bound of the honest keys' p99 with the hostile key over p99 without. */
const GROWTH_MAX = 2

/** Pause between two requests of an honest key, as of a client that uses the answers. */
const PAUSE_MS = 40

/** Amount of load. */
export interface ShareOptions {
  readonly engines: readonly ('uws' | 'node')[]
  readonly honestCount: number
  readonly connectionCount: number
}

/** Waiting times of the honest keys in one phase. */
interface Phase {
  readonly requestMs: Readonly<Record<Kind, Quantiles>>
  /** Number of answers other than 200. */
  readonly refusedCount: number
}

/** Figures of one engine, one entry per round. */
export interface ShareFigures {
  readonly engine: 'uws' | 'node'
  readonly alone: readonly Phase[]
  readonly contended: readonly Phase[]
  /** Answers to the hostile key by status, over all rounds. */
  readonly hostileAnswers: Readonly<Record<string, number>>
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
    const keys = makeKeys(scratch, options.honestCount + 1)
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

function makeKeys(path: string, count: number): string[] {
  const control = ControlFile.open(makeDataDirectory(path).controlPath)
  try {
    const input = { workspaceId: WORKSPACE_ID, name: 'n', scopes: SCOPES, accountIds: null }
    return Array.from({ length: count }, () => {
      return createApiKey(
        { control, nowMs: Date.now(), actor: CLI_ACTOR },
        { ...input, expiresAtMs: null },
      ).key
    })
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
  { scratch, engine, keys: [hostile = '', ...honest] }: SharesSetup,
  { seconds, rounds, rowCount }: Settings,
  { connectionCount }: ShareOptions,
): Promise<ShareFigures> {
  const words = ['serve', '--data-dir', scratch, '--port', '0', '--json', '--preload']
  const server = await startServer('src/main.js', [...words, '--engine', engine])
  const alone: Phase[] = []
  const contended: Phase[] = []
  const hostileAnswers: Record<string, number> = {}
  try {
    const ask = (): Promise<Phase> => askFor(server.port, honest, { seconds, rowCount })
    for (let round = 0; round <= rounds; round++) {
      alone.push(await ask())
      const parameters = [String(server.port), hostile, WORKSPACE_ID, String(connectionCount)]
      const caller = await startCallers('bench/hostile-caller.js', parameters)
      await wait(500)
      contended.push(await ask())
      const lastLine = caller.nextLine()
      await caller.stop()
      const { answers } = JSON.parse(await lastLine) as { answers: Record<string, number> }
      for (const [status, count] of Object.entries(answers)) {
        hostileAnswers[status] = (hostileAnswers[status] ?? 0) + count
      }
    }
    return { engine, alone: alone.slice(1), contended: contended.slice(1), hostileAnswers }
  } finally {
    await server.stop()
  }
}

async function askFor(
  port: number,
  keys: readonly string[],
  { seconds, rowCount }: { readonly seconds: number; readonly rowCount: number },
): Promise<Phase> {
  const durations: Record<Kind, number[]> = { match: [], search: [], list: [] }
  let refusedCount = 0
  const endMs = performance.now() + seconds * 1_000
  const askInTurn = async (key: string, number: number): Promise<void> => {
    const client = new Client(port)
    const fields = { Authorization: `Bearer ${key}` }
    for (let i = number; performance.now() < endMs; i += 1) {
      const kind = KINDS[i % KINDS.length] ?? 'list'
      const sentMs = performance.now()
      const { status } = await client.ask({ path: pathOf(kind, i * 7_919, rowCount), fields })
      durations[kind].push(performance.now() - sentMs)
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
  return { requestMs, refusedCount }
}

/** A different text and a different page each time. */
function pathOf(kind: Kind, number: number, rowCount: number): string {
  const root = `/v1/${WORKSPACE_ID}/transactions`
  if (kind === 'list') return `${root}?limit=100&offset=${number % rowCount}`
  if (kind === 'search') return `${root}/search?query=rechnung+${number % 1_000}`
  return `${root}/match?query=RE-2025-${String(number % 100_000).padStart(5, '0')}`
}

/** The figures as Markdown. */
export function reportShares(figures: readonly ShareFigures[]): string {
  const head = ['engine', 'honest', 'next to', 'p50 ms', 'p99 ms', 'refused']
  const rows = figures.flatMap(({ engine, alone, contended }) =>
    KINDS.flatMap((kind) =>
      [alone, contended].map((phases, place) => {
        const middle = (pick: (quantiles: Quantiles) => number): string =>
          shown(medianOf(phases.map(({ requestMs }) => pick(requestMs[kind]))))
        const refused = phases.reduce((sum, { refusedCount }) => sum + refusedCount, 0)
        const times = [middle(({ p50 }) => p50), middle(({ p99 }) => p99)]
        return [engine, kind, place === 0 ? '-' : 'the hostile key', ...times, String(refused)]
      }),
    ),
  )
  const targets = figures.flatMap(({ engine, alone, contended }) =>
    KINDS.map((kind): Bound => {
      const p99s = (phases: readonly Phase[]): number[] =>
        phases.map(({ requestMs }) => requestMs[kind].p99)
      return {
        what: `p99 of a ${kind} with the hostile key, against without, ${engine}`,
        measured: pairedRatio(p99s(contended), p99s(alone)),
        unit: '×',
        bound: GROWTH_MAX,
        direction: 'at most',
      }
    }),
  )
  const answered = figures.map(({ engine, hostileAnswers }) => {
    const counts = Object.entries(hostileAnswers).map(([status, count]) => `${count} × ${status}`)
    return `Answers of the hostile key on ${engine}: ${counts.join(', ')}.`
  })
  const notes = [callersPriority(), ...answered].join('\n')
  return `${targetTable(targets)}\n\n${table(head, rows)}\n\n${notes}`
}
