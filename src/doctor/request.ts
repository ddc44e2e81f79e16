import { randomBytes } from 'node:crypto'
import { withoutSecrets } from '../auth/secret.js'
import { DOCTOR_ANSWER_MS_MAX, faultOfConnection } from './connection-fault.js'

/** Bytes that are read of an answer: ten times the longest answer of a tool to an agent. */
export const DOCTOR_BODY_BYTES_MAX = 1_000_000

/** Characters that a finding shows of an answer: enough to identify the page's origin. */
export const DOCTOR_SHOWN_CHARS_MAX = 200

/** A JSON object whose members are unchecked. */
export type ParsedObject = Readonly<Record<string, unknown>>

/** The parts of a request other than its URL. */
export interface RequestOptions {
  /** Default: GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form, or raw text. */
  readonly body?: URLSearchParams | string
  /** Sent as Bearer, never shown. */
  readonly credential?: string | undefined
  /** Text after method and URL in the finding. */
  readonly note?: string
}

/** The reply to a request, from any server. */
export interface DoctorReply {
  /** As shown: method, URL without its query, and note. */
  readonly request: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, when it is a JSON object. */
  readonly json: ParsedObject | undefined
  /** Whether the server is kontor: it returns the X-Request-Id of a request. */
  readonly isKontors: boolean
}

/** No reply, or not in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(
    readonly request: string,
    readonly observed: string,
    readonly fix: string,
    options: ErrorOptions,
  ) {
    super(observed, options)
  }
}

/**
 * Sends a request over HTTP as an external client. Redirects are not followed: a client would send
 * its credential along, or lose it. Bounded in time and bytes.
 * @throws NoAnswer
 */
export async function request(url: string, options: RequestOptions = {}): Promise<DoctorReply> {
  const { method = 'GET', body, credential, note } = options
  const requestLine = [method, url.replace(/\?.*/, ''), ...(note === undefined ? [] : [note])].join(
    ' ',
  )
  const requestId = `doctor-${randomBytes(8).toString('hex')}`
  const headers = {
    'X-Request-Id': requestId,
    ...options.headers,
    ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
  }
  const signal = AbortSignal.timeout(DOCTOR_ANSWER_MS_MAX)
  try {
    const sent = { method, headers, redirect: 'manual', signal } as const
    const response = await fetch(url, body === undefined ? sent : { ...sent, body })
    const text = await readText(response)
    const isKontors = response.headers.get('x-request-id') === requestId
    const { status } = response
    return {
      request: requestLine,
      url,
      status,
      headers: response.headers,
      text,
      json: jsonOf(text),
      isKontors,
    }
  } catch (error) {
    const { observed, fix } = faultOfConnection(error, url)
    throw new NoAnswer(requestLine, observed, fix, { cause: error })
  }
}

/** The body as text, truncated at the limit. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let byteCount = 0
  while (reader !== undefined && byteCount < DOCTOR_BODY_BYTES_MAX) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    byteCount += value.length
  }
  // Closes the connection when there is more.
  await reader?.cancel()
  return Buffer.concat(parts).toString('utf8')
}

/** Parses a JSON object; undefined when the text is none. */
export function jsonOf(text: string): ParsedObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as ParsedObject) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** An answer in a few words that are safe to print, whatever its content. */
export function shortly({ status, headers, text }: DoctorReply): string {
  const location = headers.get('location')
  const type = headers.get('content-type')?.split(';')[0]
  const words = [String(status), ...(type === undefined ? [] : [type])]
  if (location !== null) words.push(`to ${location}`)
  if (text.trim() !== '') words.push(text)
  return printableText(words.join(' '))
}

/** A foreign text on one line, without secrets and truncated. */
export function printableText(text: string): string {
  const line = withoutSecrets(text.slice(0, DOCTOR_SHOWN_CHARS_MAX * 4))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > DOCTOR_SHOWN_CHARS_MAX ? `${line.slice(0, DOCTOR_SHOWN_CHARS_MAX)}…` : line
}
