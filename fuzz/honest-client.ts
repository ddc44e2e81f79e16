// An honest client, on a thread of its own so that shots do not delay it: requests a page
// repeatedly and reports its waiting times.
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Worker data. */
export interface HonestOptions {
  readonly port: number
  readonly key: string
}

/** Figures of the client, posted on request. */
export interface HonestFigures {
  readonly waitedMs: readonly number[]
  /** Answers other than 200. */
  readonly failures: readonly string[]
}

const PAUSE_MS = 5
const FAILURES_MAX = 20

const { port, key } = workerData as HonestOptions
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const waitedMs: number[] = []
const failures: string[] = []
let isAsked = false

parentPort?.once('message', () => {
  isAsked = true
})

function ask(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` }
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}

const paths = ['/v1/demo/transactions?limit=25', '/v1/demo/accounts', '/v1/demo/transactions/1']
for (let i = 0; !isAsked; i++) {
  const startedMs = performance.now()
  const reply = await ask(paths[i % paths.length] ?? '/').catch((error: Error) => error.message)
  waitedMs.push(performance.now() - startedMs)
  if (reply !== 200 && failures.length < FAILURES_MAX) failures.push(String(reply))
  await wait(PAUSE_MS)
}
agent.destroy()
parentPort?.postMessage({ waitedMs, failures } satisfies HonestFigures)
