import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError, messageOf } from '../errors.js'
import { originOf } from '../http/cors.js'
import { chooseEngine, isLoopback } from '../http/engine/choose-engine.js'
import { listenUws, loadUws } from '../http/engine/engine-uws.js'
import type { Engine, ListenOptions } from '../http/engine/exchange.js'
import { addressOf } from '../http/engine/listen-address.js'
import {
  ANSWER_CHARS_DEFAULT,
  ANSWER_CHARS_MAX,
  ANSWER_CHARS_MIN,
  DRAIN_MS_MAX,
  MATCH_BUDGET_MS_DEFAULT,
  MATCH_BUDGET_MS_MAX,
  MATCH_THREADS_MAX,
  OFFLINE_MS_MAX,
  RATE_LIMIT_MAX,
  STOP_MS_MAX,
} from '../limits.js'
import type { MetricsServer } from '../metrics/metrics-server.js'
import { memoryBudgetDefault } from '../snapshot/memory-budget.js'
import { dataDirectoryAt, makeDataDirectory, makeFolder } from '../store/data-directory.js'
import { accessLogOf } from './access-log.js'
import { readBaseUrl } from './base-url.js'
import { readByteSize } from './byte-size.js'
import { COMMON_FLAGS, type Context, defineCommand } from './command.js'
import { withStore } from './control.js'
import type { Demo, LoneDemo } from './demo.js'
import { formatDuration, parseDuration } from './duration.js'
import { checkInboxFolder } from './inbox-folder.js'
import { LOG_FORMATS, LOG_LEVELS, type Log } from './log.js'
import { reasonOf } from './logged-error.js'
import { ownUrl } from './own-url.js'
import { programVersion } from './program-version.js'
import { type ServedStore, serveDirectory } from './served-store.js'
import { openService, type Service } from './service.js'
import { withServiceLog } from './service-log.js'
import type { ServiceOptions } from './service-options.js'
import { writeListening, writeListeningJson } from './started-service.js'
import { type StopSignals, stopSignals } from './stop-signal.js'

const FLAGS = {
  port: {
    kind: 'count',
    placeholder: 'N',
    default: 8080,
    min: 0,
    max: 65_535,
    summary: 'port to listen on; 0 = any free port',
  },
  host: {
    kind: 'text',
    placeholder: 'H',
    default: '127.0.0.1',
    summary: 'address to listen on; 0.0.0.0 = all addresses',
  },
  'base-url': {
    kind: 'text',
    placeholder: 'URL',
    summary: 'public address of the service, when it is behind a proxy',
  },
  engine: {
    kind: 'text',
    placeholder: 'E',
    default: 'auto',
    choices: ['auto', 'uws', 'node'],
    summary: 'uws: faster, for loopback or behind a proxy; node: for direct network access',
  },
  'behind-proxy': {
    kind: 'switch',
    summary: 'only a proxy can reach the port; trust its X-Forwarded-For',
  },
  'tls-cert': { kind: 'text', placeholder: 'F', summary: 'certificate chain (PEM); enables https' },
  'tls-key': { kind: 'text', placeholder: 'F', summary: 'private key of the certificate (PEM)' },
  'cors-origin': {
    kind: 'texts',
    placeholder: 'O',
    summary: 'origin whose scripts may read responses',
  },
  'rate-limit': {
    kind: 'count',
    placeholder: 'N',
    min: 1,
    max: RATE_LIMIT_MAX,
    summary: 'requests per minute and credential; no limit by default',
  },
  'memory-budget': {
    kind: 'text',
    placeholder: 'SIZE',
    summary: 'memory for loaded workspaces, such as 4GB; default 70 % of the machine',
  },
  'upload-max': {
    kind: 'text',
    placeholder: 'SIZE',
    default: '250MB',
    summary: 'size of the files that a browser may upload at once',
  },
  inbox: {
    kind: 'text',
    placeholder: 'DIR',
    summary: 'import the files that appear in DIR/WORKSPACE; see kontor inbox --help',
  },
  'match-budget-ms': {
    kind: 'count',
    placeholder: 'N',
    default: MATCH_BUDGET_MS_DEFAULT,
    min: 1,
    max: MATCH_BUDGET_MS_MAX,
    summary: 'time limit of a match in milliseconds, waiting included',
  },
  'match-threads': {
    kind: 'count',
    placeholder: 'N',
    min: 1,
    max: MATCH_THREADS_MAX,
    summary: 'threads that score matches; by default one per core, up to four',
  },
  'mcp-answer-chars': {
    kind: 'count',
    placeholder: 'N',
    default: ANSWER_CHARS_DEFAULT,
    min: ANSWER_CHARS_MIN,
    max: ANSWER_CHARS_MAX,
    summary:
      'maximum characters of the text of a reply to an agent (about three per token); ' +
      'structuredContent repeats it',
  },
  offline: {
    kind: 'text',
    placeholder: 'T',
    summary: 'with --store: how long to serve from memory without the database (60s; 0 = never)',
  },
  drain: {
    kind: 'text',
    placeholder: 'D',
    default: '0',
    summary: 'how long /readyz answers 503 after SIGTERM before the port closes, such as 10s',
  },
  'metrics-port': {
    kind: 'count',
    placeholder: 'N',
    min: 0,
    max: 65_535,
    summary: 'port for GET /metrics (Prometheus text format); by default there is none',
  },
  'metrics-host': {
    kind: 'text',
    placeholder: 'H',
    default: '127.0.0.1',
    summary: 'address of the metrics port',
  },
  log: {
    kind: 'text',
    placeholder: 'F',
    default: 'text',
    choices: LOG_FORMATS,
    summary: 'format of the log on stderr',
  },
  'log-level': {
    kind: 'text',
    placeholder: 'L',
    default: 'info',
    choices: LOG_LEVELS,
    summary: 'minimum severity of logged events',
  },
  'access-log': { kind: 'switch', summary: 'log each request' },
  preload: { kind: 'switch', summary: 'load all workspaces before listening' },
  demo: { kind: 'switch', summary: 'create the demo workspace if there is no other, and load it' },
} as const

type ServeContext = Context<typeof FLAGS>

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'start the server',
  description:
    'Serves all workspaces of the data directory, or of the database of --store, until\n' +
    'SIGTERM or SIGINT. Then it drains for the time given by --drain, finishes the requests in\n' +
    'progress and exits within ten seconds. Other programs may write to the workspaces at any\n' +
    'time; their changes are served within a second.',
  flags: FLAGS,
  examples: [
    'kontor serve',
    'kontor serve --port 443 --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem',
    'kontor serve --behind-proxy --base-url https://bank.example.org',
    'kontor serve --store postgres://kontor@db.example.org/kontor',
  ],
  run: withServiceLog(async (context: ServeContext, log) => {
    const tls = tlsOf(context.flags)
    const corsOrigins = context.flags['cors-origin'].map(readOrigin)
    const requestsPerMinute = context.flags['rate-limit']
    const memoryBudgetBytes = readMemoryBudget(context.flags['memory-budget'])
    const givenUrl = readBaseUrl(context.flags['base-url'])
    const address = { port: context.flags.port }
    const { host } = context.flags
    const isTls = tls !== undefined
    const servedUrl = (): string => ownUrl({ host, port: address.port, isTls })
    const baseUrl = (): string => givenUrl ?? servedUrl()
    const { clock } = context
    const matchBudgetMs = context.flags['match-budget-ms']
    const matchThreads = context.flags['match-threads']
    const mcpAnswerChars = context.flags['mcp-answer-chars']
    const limits = { requestsPerMinute, memoryBudgetBytes, matchBudgetMs, matchThreads }
    const answersLoopback = reachesLoopback(host)
    const loopbackHost = isLoopback(await addressOf(host)) ? host : undefined
    const drainMs = readDrain(context.flags.drain)
    const uploadBytesMax = readByteSize('--upload-max', context.flags['upload-max'])
    const common = { baseUrl, log, clock, corsOrigins, answersLoopback, loopbackHost }
    const inboxPath = context.flags.inbox
    if (inboxPath !== undefined) checkInboxFolder(inboxPath)
    const offlineMs = readOffline(context.flags)
    const options = { ...common, ...limits, mcpAnswerChars, uploadBytesMax, inboxPath, offlineMs }
    const store = await openServed(context, options)
    const loneDemo = context.flags.demo ? await offerDemo(context, log) : undefined
    const service = openService(store, options)
    let closeMetrics: (() => Promise<void>) | undefined
    let engineName = ''
    try {
      if (context.flags.preload) await preload(service, await store.catalog.list(), log)
      // The time limit of a first match would end while it waits for the load.
      else if (loneDemo !== undefined) await preload(service, [loneDemo.workspaceId], log)
      // Before the service is reachable: a signal may follow at once.
      const stop = stopSignals()
      const metrics = await listenForScrapes(context, log, { service, engine: () => engineName })
      closeMetrics = metrics?.stop
      const engine = await listen(context, log, { tls, answer: service.answer })
      if (!isTls && !baseUrl().startsWith('https:')) warnOfPlainText(context, log)
      engineName = engine.name
      try {
        address.port = engine.port
        // After listening: a start that fails must not create a key, which is shown only once.
        const demo = loneDemo?.isIncomplete ? await madeDemo(context) : undefined
        const firstRun = await service.openFirstRun()
        const firstRunUrl = firstRun === undefined ? undefined : baseUrl() + firstRun
        const write = context.flags.json ? writeListeningJson : writeListening
        await write(context.stdout, {
          ...{ url: servedUrl(), tryUrl: baseUrl(), demo, firstRunUrl },
          storeFlags: storeFlagsOf(context.flags),
        })
        await stop.first
        await drain(service, stop, { drainMs, log })
        log('info', 'service', 'stopping')
      } finally {
        // Also when stdout is closed: a listening engine would keep the process alive.
        service.endWaits()
        await engine.stop(STOP_MS_MAX)
      }
    } finally {
      await closeMetrics?.()
      await service.close()
    }
    log('info', 'service', 'stopped')
  }),
})

/** The flags of a command for the served store. The URL of one may have a password. */
function storeFlagsOf({ store, 'data-dir': dataDir }: ServeContext['flags']): string {
  if (store !== undefined) return ' --store URL'
  if (dataDir === COMMON_FLAGS['data-dir'].default) return ''
  return ` --data-dir ${quotedForShell(dataDir)}`
}

function quotedForShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Only for `--demo`: the generator of the demo takes memory that a service has no use for. */
function loadDemo(): Promise<typeof import('./demo.js')> {
  return import('./demo.js')
}

async function madeDemo(context: ServeContext): Promise<Demo> {
  const { makeDemo } = await loadDemo()
  return withStore(context, (store) => makeDemo(store, context, {}))
}

async function offerDemo(context: ServeContext, log: Log): Promise<LoneDemo | undefined> {
  try {
    const { fillMissingDemo } = await loadDemo()
    return await withStore(context, (store) => fillMissingDemo(store, context))
  } catch (error) {
    log('warn', 'service', 'cannot create the demo workspace, continuing without it', {
      reason: reasonOf(error),
    })
    return undefined
  }
}

async function preload(service: Service, workspaceIds: readonly string[], log: Log): Promise<void> {
  for (const workspaceId of workspaceIds) {
    await service.preload(workspaceId).catch((error: unknown) => {
      // The updater has logged the reason; the other workspaces are served all the same.
      const reason = reasonOf(error)
      log('warn', 'workspaces', 'cannot preload workspace, continuing without it', {
        workspaceId,
        reason,
      })
    })
  }
}

async function listen(
  { flags }: ServeContext,
  log: Log,
  parts: { tls: ListenOptions['tls']; answer: ListenOptions['answer'] },
): Promise<Engine> {
  const uws = flags.engine === 'node' ? undefined : await loadUws()
  const { engine, reason } = chooseEngine({
    requested: flags.engine as 'auto' | 'uws' | 'node',
    uwsLoads: uws !== undefined,
    tls: parts.tls !== undefined,
    host: flags.host,
    behindProxy: flags['behind-proxy'],
  })
  log('info', 'http', 'engine chosen', { engine, reason })
  const options: ListenOptions = {
    host: flags.host,
    port: flags.port,
    behindProxy: flags['behind-proxy'],
    answer: parts.answer,
    onFault: (error, requestId) =>
      log('error', 'http', 'request failed', { requestId, err: error }),
    ...(flags['access-log'] ? { onAnswered: accessLogOf(log) } : {}),
    ...(parts.tls === undefined ? {} : { tls: parts.tls }),
  }
  if (engine === 'uws' && uws !== undefined) return listenUws(uws, options)
  const { listenNode } = await import('../http/engine/engine-node.js')
  return listenNode(options)
}

/** Any host between a network and this port can read keys, passwords and bank data. */
function warnOfPlainText({ flags }: ServeContext, log: Log): void {
  const { host } = flags
  if (isLoopback(host) || flags['behind-proxy']) return
  const advice =
    'use a proxy that terminates TLS with --behind-proxy, or set --tls-cert and --tls-key'
  log('warn', 'http', 'keys and bank data cross the network without TLS', { host, advice })
}

function tlsOf(flags: ServeContext['flags']): ListenOptions['tls'] {
  const cert = flags['tls-cert']
  const key = flags['tls-key']
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new CommandError('usage', '--tls-cert and --tls-key go together; one is missing')
  }
  return { cert: readPem('--tls-cert', cert), key: readPem('--tls-key', key) }
}

function readPem(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError('failed', `${flag} ${path} cannot be read: ${messageOf(error)}`)
  }
}

/** @throws CommandError usage */
function readMemoryBudget(text: string | undefined): number {
  return text === undefined ? memoryBudgetDefault() : readByteSize('--memory-budget', text)
}

function readOrigin(text: string): string {
  const origin = originOf(text)
  if (origin !== undefined) return origin
  const wanted = 'an origin is expected, scheme and host alone, such as https://app.example.org'
  throw new CommandError('usage', `--cors-origin ${JSON.stringify(text)}: ${wanted}`)
}

/** Whether a service on this address, loopback or wildcard, is reached by a loopback name. */
function reachesLoopback(host: string): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '::'
}

interface Scraped {
  readonly service: Service
  readonly engine: () => string
}

/** Serves metrics if the flags request them: their code takes memory that few services need. */
async function listenForScrapes(
  { flags }: ServeContext,
  log: Log,
  { service: { metricSources }, engine }: Scraped,
): Promise<MetricsServer | undefined> {
  const { 'metrics-port': port, 'metrics-host': host } = flags
  if (port === undefined) return undefined
  const { serveMetrics } = await import('../metrics/metrics-server.js')
  const build = { version: programVersion(), engine }
  const onFault = (error: unknown): void =>
    log('error', 'metrics', 'metrics request failed', { reason: reasonOf(error) })
  const metrics = await serveMetrics({ host, port, metricSources, build, onFault })
  const url = `${ownUrl({ host, port: metrics.port, isTls: false })}/metrics`
  log('info', 'metrics', 'serving metrics', { url })
  return metrics
}

/** Keeps answering for `drainMs`, with a `/readyz` that reports the stop to load balancers. */
async function drain(
  service: Service,
  stop: StopSignals,
  { drainMs, log }: { readonly drainMs: number; readonly log: Log },
): Promise<void> {
  service.drain()
  if (drainMs > 0) {
    const drain = formatDuration(drainMs)
    log('info', 'service', 'draining; send the signal again to end the drain', { drain })
    const abort = new AbortController()
    await Promise.race([wait(drainMs, undefined, { signal: abort.signal }), stop.second])
    abort.abort()
  }
  stop.release()
}

/** Opens the store to serve. The PostgreSQL modules are loaded for a URL only. */
async function openServed({ flags }: ServeContext, options: ServiceOptions): Promise<ServedStore> {
  const { store: url, 'data-dir': dataDir } = flags
  if (url === undefined) return serveDirectory(makeDataDirectory(dataDir), options)
  makeFolder(dataDir)
  const { serveDatabase } = await import('./served-database.js')
  const directory = dataDirectoryAt(dataDir)
  const { log, offlineMs, baseUrl } = options
  return serveDatabase({ url, directory, log, offlineMs, baseUrl })
}

/** @returns undefined = the default   @throws CommandError usage */
function readOffline({ offline, store }: ServeContext['flags']): number | undefined {
  if (offline === undefined) return undefined
  if (store === undefined) {
    throw new CommandError('usage', '--offline needs --store: a data directory is never offline')
  }
  const offlineMs = offline === '0' ? 0 : parseDuration(offline)
  if (offlineMs !== undefined && offlineMs <= OFFLINE_MS_MAX) return offlineMs
  const wanted = `0, or a duration of at most ${formatDuration(OFFLINE_MS_MAX)}, such as 30s`
  throw new CommandError('usage', `--offline ${JSON.stringify(offline)}: ${wanted} is expected`)
}

/** @throws CommandError usage */
function readDrain(text: string): number {
  const drainMs = parseDuration(text)
  if (drainMs !== undefined && drainMs <= DRAIN_MS_MAX) return drainMs
  const wanted = `a duration of at most ${formatDuration(DRAIN_MS_MAX)} is expected, such as 10s`
  throw new CommandError('usage', `--drain ${JSON.stringify(text)}: ${wanted}`)
}
