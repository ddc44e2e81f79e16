// Serves one workspace by kontor's own service and engine, then loads a second one, and watches the
// event loop of the process.   node loading-server.js DATA_DIR SERVED LOADED
// Prints {"url"} when SERVED is loaded; on SIGUSR2 loads LOADED and prints the delays during the
// load.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fieldsText } from '../src/cli/log-text.js'
import { serveDirectory } from '../src/cli/served-store.js'
import { openService } from '../src/cli/service.js'
import type { ServiceOptions } from '../src/cli/service-options.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { listenOnLoopback } from './loopback-engine.js'

const [path = '', served = '', loaded = ''] = process.argv.slice(2)
let cached = (): void => undefined
/** Resolves when the served workspace is cached; the service then has no more work for it. */
const isCached = new Promise<void>((resolve) => {
  cached = resolve
})
const options: ServiceOptions = {
  memoryBudgetBytes: Number.MAX_SAFE_INTEGER,
  baseUrl: () => 'http://127.0.0.1',
  log: (_level, _component, message, fields) => {
    process.stderr.write(`${message}${fieldsText(fields)}\n`)
    if (message === 'workspace cached' && fields?.['workspaceId'] === served) cached()
  },
  clock: Date.now,
}
const service = openService(serveDirectory(makeDataDirectory(path), options), options)
await service.preload(served)
// The service alone does not keep a process alive.
const alive = setInterval(() => undefined, 1_000)
await isCached
clearInterval(alive)
const engine = await listenOnLoopback(service.answer)
process.once('SIGUSR2', () => void loadSecond())
process.once('SIGTERM', () => void stop())
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${engine.port}` })}\n`)

async function loadSecond(): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const startedMs = performance.now()
  await service.preload(loaded)
  const loadMs = performance.now() - startedMs
  delays.disable()
  const ms = (nanoseconds: number): number => nanoseconds / 1e6
  const figures = {
    loadMs,
    p50Ms: ms(delays.percentile(50)),
    p99Ms: ms(delays.percentile(99)),
    maxMs: ms(delays.max),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function stop(): Promise<void> {
  await engine.stop(0)
  await service.close()
}
