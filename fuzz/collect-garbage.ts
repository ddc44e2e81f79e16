// Preloaded into the service under fire (NODE_OPTIONS): SIGUSR2 collects the garbage of its main
// thread, so that memory at rest does not depend on when V8 last did.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  process.on('SIGUSR2', () => collectGarbage())
}
