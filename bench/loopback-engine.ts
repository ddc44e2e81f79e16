import { listenNode } from '../src/http/engine/engine-node.js'
import { listenUws, loadUws } from '../src/http/engine/engine-uws.js'
import type { Engine, Handler } from '../src/http/engine/exchange.js'

/** Listens on a free port of loopback, with the engine that `--engine auto` selects. */
export async function listenOnLoopback(answer: Handler): Promise<Engine> {
  const uws = await loadUws()
  const options = {
    host: '127.0.0.1',
    port: 0,
    answer,
    onFault: (error: unknown) => void process.stderr.write(`${String(error)}\n`),
  }
  return uws === undefined ? listenNode(options) : listenUws(uws, options)
}
