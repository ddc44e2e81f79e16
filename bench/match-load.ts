// Single transactions read by one caller, first alone, then while others match without a pause.
import { setTimeout as wait } from 'node:timers/promises'
import { randomOf } from '../src/demo/random.js'
import { runToEnd, type ServerProcess, startServer } from './child.js'
import { Client } from './client.js'
import { WORKSPACE_ID } from './corpus.js'
import type { CallerFigures } from './match-callers.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** The served data, and the length of each period of reads. */
export interface MatchLoad {
  /** Data directory. */
  readonly path: string
  readonly apiKey: string
  readonly rowCount: number
  readonly questionsPath: string
  readonly callerCount: number
  readonly seconds: number
  readonly seed: number
}

/** Milliseconds that a reader waits and by which the event loop is late. */
export interface ReaderFigures {
  readonly requestMs: Quantiles
  readonly requestCount: number
  /** Time between two ticks of a timer of one millisecond. */
  readonly delayMs: Quantiles
}

/** Both periods, and the answers to the matching callers during the second. */
export interface MatchLoadFigures {
  readonly callerCount: number
  readonly quiet: ReaderFigures
  readonly matched: ReaderFigures
  readonly callers: CallerFigures
}

/** Pause between two reads, so that the figure shows waiting for others. */
const PAUSE_MS = 2

/** Serves the workspace in a process of its own and reads from it. */
export async function measureMatchLoad(load: MatchLoad): Promise<MatchLoadFigures> {
  const { path, apiKey, callerCount, seconds } = load
  const budget = String(Number.MAX_SAFE_INTEGER)
  const server = await startServer('bench/live-server.js', [path, WORKSPACE_ID, budget])
  const client = new Client(server.port)
  const callers = (forSeconds: number): Promise<CallerFigures> => {
    const words = [server.port, apiKey, WORKSPACE_ID, load.questionsPath, callerCount, forSeconds]
    return runToEnd('bench/match-callers.js', words.map(String)).then(
      ({ stdout }) => JSON.parse(stdout) as CallerFigures,
    )
  }
  try {
    // The first match waits for the index; later ones let V8 compile the code.
    await untilMatched(client, apiKey)
    await callers(seconds)
    await readWhile(server, client, load, wait(seconds * 1_000))
    const quiet = await readWhile(server, client, load, wait(seconds * 1_000))
    const matching = callers(seconds)
    const matched = await readWhile(server, client, load, matching)
    return { callerCount, quiet, matched, callers: await matching }
  } finally {
    client.close()
    await server.stop()
  }
}

/** Resolves when a workspace answers matches: its index is built. */
export async function untilMatched(client: Client, apiKey: string): Promise<void> {
  const fields = { Authorization: `Bearer ${apiKey}` }
  const path = `/v1/${WORKSPACE_ID}/transactions/match?query=RE-2026-0815`
  for (;;) {
    const { status } = await client.ask({ path, fields })
    if (status === 200) return
    if (status !== 503) throw new Error(`${path} is answered with ${status}`)
  }
}

/** Reads single transactions with pauses, and watches the event loop, until something is done. */
export async function readWhile(
  server: ServerProcess,
  client: Client,
  { apiKey, rowCount, seed }: Pick<MatchLoad, 'apiKey' | 'rowCount' | 'seed'>,
  until: Promise<unknown>,
): Promise<ReaderFigures> {
  const random = randomOf(seed)
  const fields = { Authorization: `Bearer ${apiKey}` }
  const durations: number[] = []
  let isOver = false
  const ended = until.then(() => {
    isOver = true
  })
  process.kill(server.pid, 'SIGUSR2')
  while (!isOver) {
    // The corpus numbers its rows from 1 without gaps.
    const path = `/v1/${WORKSPACE_ID}/transactions/${1 + random.below(rowCount)}`
    const sentMs = performance.now()
    const { status } = await client.ask({ path, fields })
    durations.push(performance.now() - sentMs)
    if (status !== 200) throw new Error(`${path} is answered with ${status}`)
    await Promise.race([wait(PAUSE_MS), ended])
  }
  await ended
  const line = server.nextLine()
  process.kill(server.pid, 'SIGUSR2')
  const delayMs = JSON.parse(await line) as Quantiles
  return { requestMs: quantilesOf(durations), requestCount: durations.length, delayMs }
}
