import { type RequestOptions, request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { CommandError, messageOf } from '../errors.js'
import { isLoopback } from '../http/engine/choose-engine.js'
import { readBaseUrl } from './base-url.js'
import { defineCommand } from './command.js'
import { ownUrl } from './own-url.js'

/** Time for a service to answer both probes: container runtimes wait for some seconds. */
const ANSWERS_MS_MAX = 3_000

/** Upper bound of a probe's answer. */
const ANSWER_BYTES_MAX = 4_096

const FLAGS = {
  url: {
    kind: 'text',
    placeholder: 'URL',
    summary: 'address of the service; default: --host and --port on this machine',
  },
  port: {
    kind: 'count',
    placeholder: 'N',
    default: 8080,
    min: 1,
    max: 65_535,
    summary: 'port that the service listens on',
  },
  host: {
    kind: 'text',
    placeholder: 'H',
    default: '127.0.0.1',
    summary: 'address that the service listens on; for 0.0.0.0, loopback is used',
  },
  'tls-cert': {
    kind: 'text',
    placeholder: 'F',
    summary: 'certificate of the service: if set, https is used; the file is not read',
  },
  live: { kind: 'switch', summary: 'check only whether it is alive, not whether it is ready' },
} as const

export const healthCommand = defineCommand({
  name: 'health',
  summary: 'check whether a running server is alive and ready',
  description:
    'Requests /livez and /readyz, prints one line, and exits with 0 when the service is ready,\n' +
    'or with 1 when it is not ready or does not answer within three seconds: for the\n' +
    'HEALTHCHECK of a container. It reads the environment of kontor serve (KONTOR_PORT,\n' +
    'KONTOR_HOST, KONTOR_TLS_CERT), so in the same container it needs no flags. On loopback the\n' +
    'certificate is not verified, because it is issued for the public name.',
  flags: FLAGS,
  examples: ['kontor health', 'kontor health --url https://bank.example.org --json'],
  run: async ({ flags, stdout }) => {
    const isTls = flags['tls-cert'] !== undefined
    const own = ownUrl({ host: askedHost(flags.host), port: flags.port, isTls })
    const url = readBaseUrl(flags.url, '--url') ?? own
    const health = await healthOf(url, flags.live ? ['/livez'] : ['/livez', '/readyz'])
    if (flags.json) await stdout.write(`${JSON.stringify({ url, ...health })}\n`)
    if (!health.ok) throw new CommandError('failed', `${url} ${health.fault}`)
    if (!flags.json) await stdout.write(`${url} is ${flags.live ? 'alive' : 'ready'}\n`)
  },
})

/** A wildcard address cannot be connected to; the loopback address of its family can. */
function askedHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** The result of the probes. */
interface Health {
  readonly ok: boolean
  /** The fault, as the text after the URL in a sentence; absent = none. */
  readonly fault?: string
  /** The reasons of a service that is not ready, as it reports them. */
  readonly reasons?: readonly string[]
}

async function healthOf(url: string, paths: readonly string[]): Promise<Health> {
  const signal = AbortSignal.timeout(ANSWERS_MS_MAX)
  try {
    for (const path of paths) {
      const { status, text } = await ask(`${url}${path}`, signal)
      if (status === 200) continue
      const reasons = reasonsIn(text)
      if (status !== 503 || reasons === undefined) {
        return { ok: false, fault: `is not kontor: ${path} answered ${status}` }
      }
      return { ok: false, fault: `is not ready: ${reasons.join(', ')}`, reasons }
    }
    return { ok: true }
  } catch (error) {
    if (signal.aborted) return { ok: false, fault: `did not answer within ${ANSWERS_MS_MAX} ms` }
    // All addresses of a name have failed; the first error gives the reason.
    const reason = error instanceof AggregateError ? error.errors[0] : error
    return { ok: false, fault: `cannot be reached: ${messageOf(reason)}` }
  }
}

interface HealthReply {
  readonly status: number
  readonly text: string
}

function ask(url: string, signal: AbortSignal): Promise<HealthReply> {
  return new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    // An agent would keep the connection open, and the process alive.
    const options: RequestOptions = { signal, agent: false }
    const isHere = isLoopback(hostname.replace(/^\[|\]$/g, ''))
    const sent =
      protocol === 'https:'
        ? tlsRequest(url, { ...options, rejectUnauthorized: !isHere })
        : request(url, options)
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      let byteCount = 0
      response.on('data', (part: Buffer) => {
        byteCount += part.length
        if (byteCount > ANSWER_BYTES_MAX) response.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The reasons of a service that is not ready; undefined when the text is none of its answers. */
function reasonsIn(text: string): readonly string[] | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('reasons' in body)) return undefined
    return Array.isArray(body.reasons) ? body.reasons.map(String) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
