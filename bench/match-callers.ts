// Callers that match without a pause, in a process of their own.
//   node match-callers.js PORT KEY WORKSPACE QUESTIONS_PATH CALLERS SECONDS
// Prints the number of answers by status and their durations.
import { readFileSync } from 'node:fs'
import { Client } from './client.js'
import type { ClassedQuery } from './match-queries.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** Answers that the callers got. */
export interface CallerFigures {
  /** Status → number of answers. */
  readonly answers: Readonly<Record<string, number>>
  readonly requestMs: Quantiles
  readonly requestsPerSecond: number
}

const [port, key, workspaceId, path = '', callers, seconds] = process.argv.slice(2)
const questions = JSON.parse(readFileSync(path, 'utf8')) as ClassedQuery[]
const fields = { Authorization: `Bearer ${key}` }
const paths = questions.map(({ query }) => {
  return `/v1/${workspaceId}/transactions/match?query=${encodeURIComponent(query)}`
})
const answers: Record<string, number> = {}
const durations: number[] = []
const beganMs = performance.now()
const endMs = beganMs + Number(seconds) * 1_000
let next = 0

async function call(): Promise<void> {
  const client = new Client(Number(port))
  while (performance.now() < endMs) {
    const target = { path: paths[next++ % paths.length] ?? '', fields }
    const sentMs = performance.now()
    const { status } = await client.ask(target)
    durations.push(performance.now() - sentMs)
    answers[status] = (answers[status] ?? 0) + 1
  }
  client.close()
}

await Promise.all(Array.from({ length: Number(callers) }, call))
const requestsPerSecond = durations.length / ((performance.now() - beganMs) / 1_000)
const figures: CallerFigures = { answers, requestMs: quantilesOf(durations), requestsPerSecond }
process.stdout.write(JSON.stringify(figures))
