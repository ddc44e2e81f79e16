// Callers that read and pause between requests. The first of two SIGUSR2 begins a period, the
// second prints {"p50","p99","max","requestCount"} of it, in milliseconds; SIGTERM ends the
// process.
//   node read-callers.js FILE PORT
// FILE is JSON: the targets, requested in turn.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type Target } from './client.js'
import { quantilesOf } from './statistics.js'

/** Concurrent callers, and the pause of each: two cores then have idle time. */
const CALLER_COUNT = 4
const CALLER_PAUSE_MS = 4

const [path = '', port = ''] = process.argv.slice(2)
const targets = JSON.parse(readFileSync(path, 'utf8')) as readonly Target[]
const client = new Client(Number(port))
let next = 0
let isReading = false
let durations: number[] = []
let callers: readonly Promise<void>[] = []
process.on('SIGUSR2', () => void (isReading ? report() : begin()))
process.once('SIGTERM', () => process.exit())
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)
setInterval(() => undefined, 60_000)

function begin(): void {
  isReading = true
  durations = []
  callers = Array.from({ length: CALLER_COUNT }, call)
}

async function call(): Promise<void> {
  while (isReading) {
    const target = targets[next++ % targets.length]! // below the length
    const sentMs = performance.now()
    const { status } = await client.ask(target)
    durations.push(performance.now() - sentMs)
    // A row that a writer has deleted is correctly not found.
    const isGone = status === 400 && /\/transactions\/\d+$/.test(target.path)
    if (status !== 200 && !isGone) throw new Error(`${status}: ${target.path}`)
    await wait(CALLER_PAUSE_MS)
  }
}

async function report(): Promise<void> {
  isReading = false
  await Promise.all(callers)
  const figures = { ...quantilesOf(durations), requestCount: durations.length }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
