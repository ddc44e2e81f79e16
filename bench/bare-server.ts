// Serves a workspace by kontor's own service and engine without ever building the text index: shows
// the memory that a workspace takes before it can be searched.
//   node bare-server.js DATA_DIR WORKSPACE
// Prints {"url"} when the workspace is loaded.
import { fieldsText } from '../src/cli/log-text.js'
import { serveDirectory } from '../src/cli/served-store.js'
import { openService } from '../src/cli/service.js'
import type { ServiceOptions } from '../src/cli/service-options.js'
import { makeDataDirectory } from '../src/store/data-directory.js'
import { BuilderPool } from '../src/threads/builder-pool.js'
import { listenOnLoopback } from './loopback-engine.js'

class BareTasks extends BuilderPool {
  override index(): ReturnType<BuilderPool['index']> {
    return new Promise(() => undefined)
  }
}

const [path = '', workspaceId = ''] = process.argv.slice(2)
const options: ServiceOptions = {
  tasks: new BareTasks(),
  memoryBudgetBytes: Number.MAX_SAFE_INTEGER,
  baseUrl: () => 'http://127.0.0.1',
  log: (_level, _component, message, fields) => {
    process.stderr.write(`${message}${fieldsText(fields)}\n`)
  },
  clock: Date.now,
}
const service = openService(serveDirectory(makeDataDirectory(path), options), options)
await service.preload(workspaceId)
const engine = await listenOnLoopback(service.answer)
process.once('SIGTERM', () => void stop())
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${engine.port}` })}\n`)

async function stop(): Promise<void> {
  await engine.stop(0)
  await service.close()
}
