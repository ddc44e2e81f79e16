import { CommandError } from '../../errors.js'

/** The settings and facts that decide the engine. */
export interface EngineOptions {
  readonly requested: 'auto' | 'uws' | 'node'
  /** Whether the native binary of uWebSockets.js loads on this platform. */
  readonly uwsLoads: boolean
  /** Whether kontor itself terminates TLS. */
  readonly tls: boolean
  /** As given to --host. */
  readonly host: string
  /** --behind-proxy: behind a proxy and alone reaches the port. */
  readonly behindProxy: boolean
}

/** The engine to listen with, and why, as the end of one log line. */
export interface EngineChoice {
  readonly engine: 'uws' | 'node'
  readonly reason: string
}

const NO_BINARY =
  'uws has no native binary for this Node.js and platform (docs/operating/engines.md)'

const LOOPBACK_V4 = /^127(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}$/

/** True for 127.0.0.0/8, ::1 and the name localhost. @param host as given to --host */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || LOOPBACK_V4.test(host)
}

/**
 * Chooses the engine: `uws` is fast and lenient in the wrong places, so only this machine or a
 * proxy may reach it; every other address is served by `node`. Throws CommandError when `uws` is
 * requested and not available.
 * @see docs/internals/request.md, "Two engines implement one exchange"
 */
export function chooseEngine(options: EngineOptions): EngineChoice {
  const { requested, uwsLoads, tls, host, behindProxy } = options
  if (requested === 'node') return { engine: 'node', reason: 'set by --engine' }
  if (requested === 'uws') {
    if (tls) {
      const message = 'engine uws does not support TLS: use --engine node, or omit --tls-cert'
      throw new CommandError('usage', message)
    }
    if (!uwsLoads) {
      const message = `engine ${NO_BINARY}: use --engine node`
      throw new CommandError('failed', message)
    }
    return { engine: 'uws', reason: 'set by --engine' }
  }
  if (tls) return { engine: 'node', reason: 'kontor terminates TLS' }
  if (!uwsLoads) return { engine: 'node', reason: NO_BINARY }
  if (isLoopback(host)) return { engine: 'uws', reason: `${host} is loopback` }
  if (behindProxy) return { engine: 'uws', reason: 'behind a proxy' }
  return {
    engine: 'node',
    reason: `${host} is reachable from a network and --behind-proxy is not set`,
  }
}
