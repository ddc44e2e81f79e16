// Workload: four callers read over HTTP, by API key and by access token in turn, and pause between
// requests: with a quiet token endpoint, with one client that refreshes tokens without a pause, and
// with one user who signs in without a pause. The three take turns over several rounds; a warm-up
// of reads and refreshes before the first round lets V8 compile the code.
// Data: a workspace of 20,000 rows, and control.db with the live tokens of auth.ts.
// Read: p99 of the reads with a busy token endpoint against p99 with a quiet one, at most doubled.
// Run: npm run bench -- auth
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../src/admin/api-keys.js'
import { createOperator } from '../src/admin/operators.js'
import { fillDemo } from '../src/demo/fill.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { makeDataDirectory, workspacePath } from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { makeFamilies } from './auth.js'
import { callersPriority, startCallers, startServer } from './child.js'
import type { Target } from './client.js'
import { Readers, type ReadFigures } from './readers.js'
import { type Target as GrowthTarget, shown, table, targetTable } from './report.js'
import { medianOf, pairedRatio } from './statistics.js'
import type { CallerFacts } from './token-caller.js'

const WORKSPACE_ID = 'w'
const PERSON = { name: 'bench', password: 'correct horse' }

/** Consents whose tokens are refreshed in turn in one round. */
const REFRESHED_COUNT = 100

/** Upper bound of p99 of reads with a busy token endpoint over p99 with a quiet one. */
const GROWTH_MAX = 2

/** Amounts of data and of requests. */
export interface AuthReadOptions {
  readonly rowCount: number
  /** More than 100 per round and 100 for the warm-up, which are refreshed; reads use the others. */
  readonly tokenCount: number
  readonly seconds: number
  readonly rounds: number
  readonly seed: number
}

/** Durations seen by readers, one entry per round. */
export interface AuthReadFigures {
  readonly quiet: readonly ReadFigures[]
  readonly busy: Readonly<Record<CallKind, readonly BusyReadFigures[]>>
}

type CallKind = 'refresh' | 'sign-in'

interface BusyReadFigures extends ReadFigures {
  readonly callsPerSecond: number
}

/** Measures over a new data directory and deletes it at the end. */
export async function measureAuthReads(options: AuthReadOptions): Promise<AuthReadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-auth-reads-'))
  try {
    const { targets, facts } = await prepare(folder, options)
    const parameters = [folder, WORKSPACE_ID, String(Number.MAX_SAFE_INTEGER)]
    const server = await startServer('bench/live-server.js', parameters)
    const path = join(folder, 'caller.json')
    const origin = `http://127.0.0.1:${server.port}`
    writeFileSync(path, JSON.stringify({ ...facts, issuer: `${origin}${facts.issuer}` }))
    let readers: Readers | undefined
    try {
      readers = await Readers.start(server, targets)
      return await measureOn({ readers, path }, options)
    } finally {
      await readers?.stop()
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface AuthSetup {
  readonly readers: Readers
  /** File with the facts of a caller. */
  readonly path: string
}

async function measureOn(setup: AuthSetup, options: AuthReadOptions): Promise<AuthReadFigures> {
  const { readers } = setup
  const { seconds, rounds } = options
  const quiet: ReadFigures[] = []
  const busy = { refresh: [] as BusyReadFigures[], 'sign-in': [] as BusyReadFigures[] }
  await readers.readFor(seconds)
  await readWhileBusy(setup, 'refresh', { seconds, round: rounds })
  for (let round = 0; round < rounds; round++) {
    quiet.push(await readers.readFor(seconds))
    for (const kind of ['refresh', 'sign-in'] as const) {
      busy[kind].push(await readWhileBusy(setup, kind, { seconds, round }))
    }
  }
  return { quiet, busy }
}

async function readWhileBusy(
  { readers, path }: AuthSetup,
  kind: CallKind,
  { seconds, round }: { readonly seconds: number; readonly round: number },
): Promise<BusyReadFigures> {
  const caller = await startCallers('bench/token-caller.js', [kind, path, String(round)])
  const startedMs = performance.now()
  const figures = await readers.readFor(seconds)
  const lastLine = caller.nextLine()
  await caller.stop()
  const { callCount } = JSON.parse(await lastLine) as { callCount: number }
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  return { ...figures, callsPerSecond: callCount / elapsedSeconds }
}

interface Prepared {
  readonly targets: readonly Target[]
  /** The issuer's path, without its origin. */
  readonly facts: CallerFacts
}

async function prepare(folder: string, options: AuthReadOptions): Promise<Prepared> {
  const { rowCount, tokenCount, rounds, seed } = options
  const directory = makeDataDirectory(folder)
  const file = WorkspaceFile.open(workspacePath(directory, WORKSPACE_ID))
  await fillDemo(file, { transactions: rowCount, seed })
  file.close()
  const control = ControlFile.open(directory.controlPath)
  try {
    const made = await makeFamilies(control, WORKSPACE_ID, tokenCount)
    await createOperator({ control, nowMs: Date.now(), actor: CLI_ACTOR }, PERSON)
    const input = { workspaceId: WORKSPACE_ID, name: 'n', scopes: SCOPES, accountIds: null }
    const { key } = await createApiKey(
      { control, nowMs: Date.now(), actor: CLI_ACTOR },
      { ...input, expiresAtMs: null },
    )
    const refreshTokens = Array.from({ length: rounds + 1 }, (_, round) =>
      made.families
        .slice(round * REFRESHED_COUNT, (round + 1) * REFRESHED_COUNT)
        .map(({ refresh }) => refresh),
    )
    const readers = made.families.slice(refreshTokens.length * REFRESHED_COUNT)
    const issuer = `/v1/${WORKSPACE_ID}/oauth2/${made.integrationId}`
    const facts = { ...PERSON, issuer, clientId: made.clientId, refreshTokens }
    return {
      targets: targetsOf(
        key,
        readers.map(({ access }) => access),
        rowCount,
      ),
      facts,
    }
  } finally {
    control.close()
  }
}

/**
 * Pages and single transactions; every second one uses an access token, a different one each time.
 */
function targetsOf(key: string, tokens: readonly string[], rowCount: number): Target[] {
  return Array.from({ length: 10_000 }, (_, i) => {
    const credential = i % 2 === 0 ? key : tokens[i % tokens.length]
    const below = `/v1/${WORKSPACE_ID}/transactions`
    const at = (i * 7_919) % rowCount
    const path = i % 4 < 2 ? `${below}?limit=100&offset=${at}` : `${below}/${at + 1}`
    return { path, fields: { Authorization: `Bearer ${credential}` } }
  })
}

/** The figures as Markdown. */
export function reportAuthReads({ quiet, busy }: AuthReadFigures): string {
  const rowOf = (name: string, rounds: readonly ReadFigures[], calls: string): string[] => {
    const median = (figureOf: (round: ReadFigures) => number): string =>
      shown(medianOf(rounds.map(figureOf)))
    return [
      ...[name, calls, median(({ requestMs }) => requestMs.p50)],
      ...[median(({ requestMs }) => requestMs.p99), median(({ delayMs }) => delayMs.p99)],
    ]
  }
  const busyRow = (name: string, kind: CallKind): string[] => {
    const calls = medianOf(busy[kind].map(({ callsPerSecond }) => callsPerSecond))
    return rowOf(name, busy[kind], shown(calls))
  }
  const p99s = (rounds: readonly ReadFigures[]): number[] =>
    rounds.map(({ requestMs }) => requestMs.p99)
  const target = (what: string, kind: CallKind): GrowthTarget => ({
    what: `p99 of reads during ${what}, against none`,
    measured: pairedRatio(p99s(busy[kind]), p99s(quiet)),
    unit: '×',
    bound: GROWTH_MAX,
    direction: 'at most',
  })
  const targets = [target('refreshes', 'refresh'), target('sign-ins', 'sign-in')]
  const head = ['reads', 'calls a second', 'p50 ms', 'p99 ms', 'loop p99 ms']
  const rows = [
    rowOf('no token requests', quiet, '-'),
    busyRow('one client refreshes without a pause', 'refresh'),
    busyRow('one user signs in without a pause', 'sign-in'),
  ]
  return `${callersPriority()}\n\n${table(head, rows)}\n\n${targetTable(targets)}`
}
