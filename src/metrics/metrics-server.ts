import { createServer, type ServerResponse } from 'node:http'
import { CommandError, messageOf } from '../errors.js'
import { isLoopback } from '../http/engine/choose-engine.js'
import { namesLoopback } from '../http/known-hosts.js'
import type { Build, MetricSources } from './metric-sources.js'
import { serviceMetrics } from './service-metrics.js'

/** The address that serves metrics, and their source. */
export interface MetricsOptions {
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  readonly metricSources: MetricSources
  readonly build: Build
  /** Receives the error when a scrape could not be answered. */
  readonly onFault: (error: unknown) => void
}

/** A port of its own that serves only `GET /metrics`. */
export interface MetricsServer {
  readonly port: number
  /** Closes the port and its connections. */
  stop(): Promise<void>
}

/** A scrape is one line and a few fields. */
const HEAD_BYTES_MAX = 8 * 1_024
const REQUEST_MS_MAX = 10_000

/**
 * Serves the metrics of a service in the Prometheus text format, on a port of its own: every client
 * that reaches the port may scrape.
 * @throws CommandError `failed` when the address is not available
 */
export async function serveMetrics(options: MetricsOptions): Promise<MetricsServer> {
  const { host, port, metricSources, build, onFault } = options
  const registry = serviceMetrics(metricSources, build)
  const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX, requestTimeout: REQUEST_MS_MAX })
  const isForLoopback = isLoopback(host)
  server.on('request', ({ method, url, headers }, response) => {
    if (isForLoopback && !namesLoopback(headers.host ?? '')) {
      return replyText(response, 421, 'The Host header must be a loopback name, such as 127.0.0.1.')
    }
    if (url?.split('?')[0] !== '/metrics')
      return replyText(response, 404, 'Not found; this port serves only /metrics.')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return replyText(response, 405, 'The method must be GET or HEAD.')
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      (error: unknown) => {
        onFault(error)
        replyText(response, 500, 'The metrics cannot be read; the log has the reason.')
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(listenFault(cause, options)))
    server.listen({ host, port, exclusive: true }, resolve)
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function replyText(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${sentence}\n`)
}

function listenFault(cause: Error, { host, port }: MetricsOptions): CommandError {
  const advice = 'choose another --metrics-port or --metrics-host'
  const message = `metrics cannot be served on port ${port} of ${host} (${messageOf(cause)})`
  return new CommandError('failed', `${message}: ${advice}`, { cause })
}
