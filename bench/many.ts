// Workload: many small workspaces under a memory budget for a tenth of them, requested by a few
// callers; the r-th workspace is requested with a frequency proportional to 1 / r.
//   answers  every status must be 200
//   memory   resident memory of the process while workspaces are loaded and evicted
// Data: copies of the demo's company with 2,000 rows, whose files are replaced one after the other.
// Read: memory against the budget, and no status but 200; no floor and no peer.
// Run: npm run bench -- many [--seconds S] [--record]
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '../src/admin/api-keys.js'
import { type Random, randomOf } from '../src/demo/random.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { indexesOfSegment } from '../src/snapshot/segment-indexes.js'
import { snapshotBytes } from '../src/snapshot/snapshot-bytes.js'
import {
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { openCorpus } from './corpus.js'
import { readSnapshot } from './in-process.js'
import { cpuMicroseconds, memoryFigures } from './process-figures.js'
import { shown, type Target, table, targetTable } from './report.js'
import type { Settings } from './settings.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** All figures of the bench. */
export interface ManyFigures {
  readonly workspaceCount: number
  readonly budgetBytes: number
  readonly requestCount: number
  readonly requestsPerSecond: number
  readonly requestMs: Quantiles
  readonly errorCount: number
  /** Memory before any load, at the end, and the peak; NaN where the system does not report it. */
  readonly emptyBytes: number
  readonly residentBytes: number
  readonly peakResidentBytes: number
  readonly serverBusy: number
}

/** Options that differ between a full run and a smoke run. */
export interface ManyOptions {
  readonly workspaceCount: number
  /** Number of workspaces that fit in the budget. */
  readonly residentCount: number
  readonly rowCount: number
  readonly seconds: number
}

const CALLER_COUNT = 4

/** Memory allowed beyond the budget: the program, the loading thread, uncollected garbage. */
const OVERHEAD_BYTES = 150_000_000

interface Field {
  readonly directory: DataDirectory
  readonly sourcePath: string
  readonly budgetBytes: number
  readonly keys: readonly string[]
}

/** Measures over its own directory, which is deleted at the end. */
export async function measureMany(settings: Settings, options: ManyOptions): Promise<ManyFigures> {
  const corpus = await openCorpus({ ...settings, rowCount: options.rowCount })
  const scratch = join(corpus.path, 'many')
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
  try {
    settings.say(`making ${options.workspaceCount} workspaces`)
    const field = await makeField(scratch, corpus.workspacePath, options)
    const words = [scratch, '', String(field.budgetBytes)]
    const server = await startServer('bench/live-server.js', words)
    try {
      settings.say('asking')
      return await askAll(server, field, options.seconds, randomOf(settings.seed))
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function makeField(
  scratch: string,
  sourcePath: string,
  { workspaceCount, residentCount }: ManyOptions,
): Promise<Field> {
  const directory = makeDataDirectory(scratch)
  const control = ControlFile.open(directory.controlPath)
  const keys: string[] = []
  for (let i = 0; i < workspaceCount; i++) {
    const workspaceId = workspaceIdOf(i)
    copyFileSync(sourcePath, workspacePath(directory, workspaceId))
    const input = { workspaceId, name: 'many', scopes: SCOPES, accountIds: null, expiresAtMs: null }
    keys.push((await createApiKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, input)).key)
  }
  control.close()
  return {
    directory,
    sourcePath,
    budgetBytes: (await bytesOfOne(sourcePath)) * residentCount,
    keys,
  }
}

function workspaceIdOf(number: number): string {
  return `w${number}`
}

/** Bytes that the service counts for one of the workspaces. */
async function bytesOfOne(path: string): Promise<number> {
  const snapshot = await readSnapshot(path)
  const segments = snapshot.segments.map((live) => ({
    ...live,
    ...indexesOfSegment(live.segment),
  }))
  return snapshotBytes({ ...snapshot, segments })
}

async function askAll(
  server: ServerProcess,
  { directory, sourcePath, budgetBytes, keys }: Field,
  seconds: number,
  random: Random,
): Promise<ManyFigures> {
  const client = new Client(server.port)
  const durations: number[] = []
  const ranks = rankSums(keys.length)
  const emptyBytes = memoryFigures(server.pid)?.residentBytes ?? Number.NaN
  const cpuBefore = cpuMicroseconds(server.pid) ?? Number.NaN
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1_000
  let errorCount = 0
  const call = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const number = rankOf(ranks, random)
      const path = `/v1/${workspaceIdOf(number)}/transactions?offset=${random.below(1_900)}`
      const sentMs = performance.now()
      const fields = { Authorization: `Bearer ${keys[number]}` }
      const { status } = await client.ask({ path, fields })
      durations.push(performance.now() - sentMs)
      if (status !== 200) errorCount += 1
    }
  }
  const renew = async (): Promise<void> => {
    for (let i = 0; performance.now() < endMs; i++) {
      renewFile(workspacePath(directory, workspaceIdOf(i % keys.length)), sourcePath)
      await wait(100)
    }
  }
  await Promise.all([...Array.from({ length: CALLER_COUNT }, call), renew()])
  const elapsedMs = performance.now() - startedMs
  const memory = memoryFigures(server.pid)
  client.close()
  return {
    workspaceCount: keys.length,
    budgetBytes,
    requestCount: durations.length,
    requestsPerSecond: durations.length / (elapsedMs / 1_000),
    requestMs: quantilesOf(durations),
    errorCount,
    emptyBytes,
    residentBytes: memory?.residentBytes ?? Number.NaN,
    peakResidentBytes: memory?.peakResidentBytes ?? Number.NaN,
    serverBusy: ((cpuMicroseconds(server.pid) ?? Number.NaN) - cpuBefore) / 1_000 / elapsedMs,
  }
}

/** Replaces the file of a workspace by rename: no request sees a partial file. */
function renewFile(path: string, sourcePath: string): void {
  copyFileSync(sourcePath, `${path}.new`)
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  renameSync(`${path}.new`, path)
}

/** Sums of 1 / rank, up to each rank. */
function rankSums(count: number): Float64Array {
  const sums = new Float64Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    sum += 1 / (i + 1)
    sums[i] = sum
  }
  return sums
}

/** A rank from 0, with the probability of its share of the sum. */
function rankOf(sums: Float64Array, random: Random): number {
  const drawn = (random.below(1_000_000) / 1_000_000) * (sums.at(-1) ?? 0)
  const found = sums.findIndex((sum) => sum > drawn)
  return found === -1 ? sums.length - 1 : found
}

/** The bounds for many workspaces. */
export function manyTargets(figures: ManyFigures): Target[] {
  const { errorCount, peakResidentBytes, emptyBytes, budgetBytes } = figures
  return [
    {
      what: 'answers other than 200',
      measured: errorCount,
      unit: '',
      bound: 0,
      direction: 'at most',
    },
    {
      what: 'peak resident memory beyond the empty process',
      measured: (peakResidentBytes - emptyBytes) / 1e6,
      unit: 'MB',
      bound: (budgetBytes + OVERHEAD_BYTES) / 1e6,
      direction: 'at most',
    },
  ]
}

/** The figures as Markdown. */
export function reportMany(figures: ManyFigures): string {
  const { requestMs } = figures
  const rows = [
    ['workspaces', shown(figures.workspaceCount)],
    ['budget, MB', shown(figures.budgetBytes / 1e6)],
    ['requests', shown(figures.requestCount)],
    ['requests a second', shown(figures.requestsPerSecond)],
    ['p50 / p99 / max ms', [requestMs.p50, requestMs.p99, requestMs.max].map(shown).join(' / ')],
    ['server cores', shown(figures.serverBusy)],
    ['resident MB, empty', shown(figures.emptyBytes / 1e6)],
    ['resident MB, at the end', shown(figures.residentBytes / 1e6)],
    ['resident MB, at most', shown(figures.peakResidentBytes / 1e6)],
  ]
  return `${targetTable(manyTargets(figures))}\n\n${table(['figure', ''], rows)}`
}
