// kontor's own service and engine in a process that can watch its event loop.
//   node live-server.js DATA_DIR WORKSPACE MEMORY_BUDGET_BYTES [MATCH_BUDGET_MS]
// Prints {"url"} when WORKSPACE is loaded. The first of two SIGUSR2 starts the measurement, the
// second prints the delays since then. An empty WORKSPACE loads nothing in advance.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fieldsText } from '../src/cli/log-text.js'
import { serveDirectory } from '../src/cli/served-store.js'
import { openService } from '../src/cli/service.js'
import type { ServiceOptions } from '../src/cli/service-options.js'
import { MATCH_BUDGET_MS_DEFAULT } from '../src/limits.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { listenOnLoopback } from './loopback-engine.js'

const [path = '', workspaceId = '', budget = '', matchBudget] = process.argv.slice(2)
const options: ServiceOptions = {
  memoryBudgetBytes: Number(budget),
  matchBudgetMs: Number(matchBudget ?? MATCH_BUDGET_MS_DEFAULT),
  baseUrl: () => 'http://127.0.0.1',
  log: (_level, _component, message, fields) => {
    process.stderr.write(`${message}${fieldsText(fields)}\n`)
  },
  clock: Date.now,
  // The bench measures callers without a pause, so no rate limit applies.
  issuerRequestsPerMinute: Number.MAX_SAFE_INTEGER,
}
const service = openService(serveDirectory(makeDataDirectory(path), options), options)
if (workspaceId !== '') await service.preload(workspaceId)
const engine = await listenOnLoopback(service.answer)
const delays = monitorEventLoopDelay({ resolution: 1 })
let isWatching = false
process.on('SIGUSR2', () => (isWatching ? report() : watch()))
process.once('SIGTERM', () => void stop())
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${engine.port}` })}\n`)

function watch(): void {
  isWatching = true
  delays.reset()
  delays.enable()
}

function report(): void {
  isWatching = false
  delays.disable()
  const ms = (nanoseconds: number): number => nanoseconds / 1e6
  const figures = {
    p50: ms(delays.percentile(50)),
    p99: ms(delays.percentile(99)),
    max: ms(delays.max),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function stop(): Promise<void> {
  await engine.stop(0)
  await service.close()
}
