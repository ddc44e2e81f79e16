// A program that calls kontor, in a process of its own.   node embedded-run.js OPTIONS
import { readFileSync } from 'node:fs'
import { openKontor } from '../src/embedded/kontor.js'
import { MATCH_BUDGET_MS_MAX } from '../src/limits.js'
import { Client } from './client.js'
import { WORKSPACE_ID } from './corpus.js'
import type { CallFigures, ProgramFigures, ProgramOptions } from './embedded.js'
import {
  answerInProcess,
  answerOverHttp,
  CALL_KINDS,
  type CallKind,
  type ProgramCall,
} from './embedded-calls.js'
import { cpuMicroseconds, memoryFigures } from './process-figures.js'
import { quantilesOf } from './statistics.js'

const options = JSON.parse(process.argv[2] ?? '') as ProgramOptions
const calls = JSON.parse(readFileSync(options.callsPath, 'utf8')) as ProgramCall[]
const { answer, close } = await opened()
const byKind: [CallKind, CallFigures][] = []
for (const kind of CALL_KINDS) {
  const ofKind = calls.filter((call) => call.kind === kind)
  // The first calls wait for the caches to fill and for the compiler.
  for (const call of ofKind) await answer(call)
  byKind.push([kind, await measured(ofKind)])
}
const figures: ProgramFigures = {
  byKind: Object.fromEntries(byKind) as ProgramFigures['byKind'],
  residentBytes: memoryFigures(process.pid)?.residentBytes ?? Number.NaN,
}
process.stdout.write(JSON.stringify(figures))
await close()

async function opened(): Promise<{
  readonly answer: (call: ProgramCall) => unknown
  readonly close: () => void | Promise<void>
}> {
  const { served, dataDir } = options
  if (served !== undefined) {
    const client = new Client(served.port)
    return {
      answer: (call) => answerOverHttp(client, served.apiKey, call),
      close: () => client.close(),
    }
  }
  const memoryBudgetBytes = Number.MAX_SAFE_INTEGER
  const budgets = { memoryBudgetBytes, matchBudgetMs: MATCH_BUDGET_MS_MAX }
  const kontor = await openKontor({ dataDir, ...budgets })
  const workspace = await kontor.workspace(WORKSPACE_ID)
  return { answer: (call) => answerInProcess(workspace, call), close: () => kontor.close() }
}

async function measured(ofKind: readonly ProgramCall[]): Promise<CallFigures> {
  const durations: number[] = []
  const cpuBefore = cpuUs()
  const startedMs = performance.now()
  for (const call of ofKind) {
    const callStartedMs = performance.now()
    await answer(call)
    durations.push((performance.now() - callStartedMs) * 1_000)
  }
  const seconds = (performance.now() - startedMs) / 1_000
  const callCount = ofKind.length
  return {
    callUs: quantilesOf(durations),
    callsPerSecond: callCount / seconds,
    cpuUsPerCall: (cpuUs() - cpuBefore) / callCount,
  }
}

/** CPU time of this program and of the service that answers it; NaN where it is not reported. */
function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  const { served } = options
  const ofService = served === undefined ? 0 : (cpuMicroseconds(served.pid) ?? Number.NaN)
  return user + system + ofService
}
