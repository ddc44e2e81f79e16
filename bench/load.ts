// Load from wrk: one thread, some connections, the requests of a prebuilt list in turn, so that the
// client's cost is small and the same for all contenders.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../src/errors.js'
import type { Target } from './client.js'
import { cpuMicroseconds } from './process-figures.js'

/** Keep-alive connections unless a load has its own number; each has one request in flight. */
export const CONNECTION_COUNT = 16

/** Sixteen of the twin's slowest answers in a row; wrk counts a later answer as an error. */
const TIMEOUT = '30s'

/** Figures of a period of load. */
export interface LoadFigures {
  readonly requestCount: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly megabytesPerSecond: number
  /** CPU time of all threads of the server; undefined where the system does not report it. */
  readonly cpuUsPerRequest: number | undefined
  /** Share of one core that the server used; below 1 it waited for its client. */
  readonly serverBusy: number | undefined
}

/** Server, requests and duration of a load. */
export interface Load {
  readonly port: number
  /** Process id of the server, for its CPU time. */
  readonly pid: number
  readonly targets: readonly Target[]
  readonly seconds: number
  /** {@link CONNECTION_COUNT} if absent. */
  readonly connectionCount?: number
}

/** @throws CommandError when wrk is not installed */
export function assertWrk(): void {
  const { error } = spawnSync('wrk', ['--version'])
  if (error === undefined) return
  throw new CommandError('failed', 'wrk is not installed: it is the Debian package wrk')
}

/**
 * The wrk script that sends the requests of the list in turn, repeatedly. The list is a file: a Lua
 * program cannot hold that many constants.
 * @param listPath file with {@link targetList}
 */
export function wrkScript(listPath: string): string {
  return `local requests, count, at = {}, 0, 0
function init(args)
  local fields = {}
  for line in io.lines(${JSON.stringify(listPath)}) do
    local name, value = line:match('^([^/:]+): (.*)$')
    if name then
      fields[name] = value
    elseif line == '' then
      fields = {}
    else
      count = count + 1
      local path, body = line:match('^([^\\t]*)\\t(.*)$')
      requests[count] = wrk.format(body and 'POST' or 'GET', path or line, fields, body)
    end
  end
end
function request()
  at = at % count + 1
  return requests[at]
end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\\nFIGURES {"requestCount":%d,"durationUs":%d,"bytes":%d,"p50Us":%d,"p99Us":%d,' ..
    '"faults":%d}\\n', summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`
}

/**
 * The targets as lines: a group of header fields up to an empty line, then the paths to request
 * with them, each with a tab and its body if it has one.
 */
export function targetList(targets: readonly Target[]): string {
  let text = ''
  let sent: Target['fields'] = {}
  for (const { path, fields, body } of targets) {
    if (fields !== sent) {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
      text += `\n${lines.join('')}`
      sent = fields
    }
    text += body === undefined ? `${path}\n` : `${path}\t${body}\n`
  }
  return text
}

interface WrkFigures {
  readonly requestCount: number
  readonly durationUs: number
  readonly bytes: number
  readonly p50Us: number
  readonly p99Us: number
  /** Answers other than 2xx, and failed connections. */
  readonly faults: number
}

/** Parses the output of {@link wrkScript}. @throws Error when the output is something else */
export function readFigures(output: string): WrkFigures {
  const line = /^FIGURES (.*)$/m.exec(output)?.[1]
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`)
  return JSON.parse(line) as WrkFigures
}

/** Loads a server with wrk. @throws Error when any answer is not 2xx or a connection fails */
export async function loadWithWrk(load: Load): Promise<LoadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  try {
    const script = join(folder, 'targets.lua')
    writeFileSync(join(folder, 'targets.txt'), targetList(load.targets))
    writeFileSync(script, wrkScript(join(folder, 'targets.txt')))
    const { connectionCount = CONNECTION_COUNT, seconds } = load
    const words = ['-t1', `-c${connectionCount}`, `-d${seconds}s`, '--timeout', TIMEOUT]
    const url = `http://127.0.0.1:${load.port}`
    const cpuBefore = cpuMicroseconds(load.pid)
    const figures = readFigures(await outputOf([...words, '-s', script, url]))
    const cpuAfter = cpuMicroseconds(load.pid)
    if (figures.faults > 0) throw new Error(`${figures.faults} of the requests failed`)
    const { requestCount, durationUs } = figures
    const cpuUs =
      cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore
    return {
      requestCount,
      requestsPerSecond: requestCount / (durationUs / 1e6),
      p50Ms: figures.p50Us / 1e3,
      p99Ms: figures.p99Us / 1e3,
      megabytesPerSecond: figures.bytes / durationUs,
      cpuUsPerRequest: cpuUs === undefined ? undefined : cpuUs / requestCount,
      serverBusy: cpuUs === undefined ? undefined : cpuUs / durationUs,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outputOf(words: readonly string[]): Promise<string> {
  const child = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const take = (piece: Buffer): void => {
    text += piece.toString('utf8')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(text)
      else reject(new Error(`wrk ended with ${code}:\n${text}`))
    })
  })
}
