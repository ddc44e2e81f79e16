import { randomBytes } from 'node:crypto'
import { withoutSecrets } from '../auth/secret.js'
import {
  DOCTOR_ANSWER_MS_MAX,
  DOCTOR_BODY_BYTES_MAX,
  DOCTOR_SHOWN_CHARS_MAX,
} from '../credential-limits.js'
import { faultOfConnection } from './connection-fault.js'

/** A JSON object whose members are still to be looked at. */
export type JsonObject = Readonly<Record<string, unknown>>

/** How something is asked. */
export interface Asking {
  /** GET unless told otherwise. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form, or text as it is. */
  readonly body?: URLSearchParams | string
  /** Sent as Bearer, never shown. */
  readonly credential?: string | undefined
  /** What is shown behind method and URL. */
  readonly note?: string
}

/** What came of asking, whoever has answered. */
export interface Reply {
  /** As it is shown: method, URL without its query, and note. */
  readonly asked: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, when it is a JSON object. */
  readonly json: JsonObject | undefined
  /** Whether it was kontor: it gives the X-Request-Id of a request back. */
  readonly isKontors: boolean
}

/** Nobody has answered, or not in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(
    readonly asked: string,
    readonly came: string,
    readonly mend: string,
    options: ErrorOptions,
  ) {
    super(came, options)
  }
}

/**
 * Asks over HTTP, as a stranger does. Redirects are not followed: a client would send its
 * credential along, or lose it. Bounded in time and bytes.
 * @throws NoAnswer
 */
export async function ask(url: string, asking: Asking = {}): Promise<Reply> {
  const { method = 'GET', body, credential, note } = asking
  const asked = [method, url.replace(/\?.*/, ''), ...(note === undefined ? [] : [note])].join(' ')
  const requestId = `doctor-${randomBytes(8).toString('hex')}`
  const headers = {
    'X-Request-Id': requestId,
    ...asking.headers,
    ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
  }
  const signal = AbortSignal.timeout(DOCTOR_ANSWER_MS_MAX)
  try {
    const sent = { method, headers, redirect: 'manual', signal } as const
    const response = await fetch(url, body === undefined ? sent : { ...sent, body })
    const text = await readText(response)
    const isKontors = response.headers.get('x-request-id') === requestId
    const { status } = response
    return { asked, url, status, headers: response.headers, text, json: jsonOf(text), isKontors }
  } catch (error) {
    const { came, mend } = faultOfConnection(error, url)
    throw new NoAnswer(asked, came, mend, { cause: error })
  }
}

/** The body as text, cut where it gets too long. */
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
  // Ends the connection when there is more.
  await reader?.cancel()
  return Buffer.concat(parts).toString('utf8')
}

/** The JSON object that a text is; undefined when it is none. */
export function jsonOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** An answer in a few words that are safe to print, whoever has written it. */
export function shortly({ status, headers, text }: Reply): string {
  const location = headers.get('location')
  const type = headers.get('content-type')?.split(';')[0]
  const words = [String(status), ...(type === undefined ? [] : [type])]
  if (location !== null) words.push(`to ${location}`)
  if (text.trim() !== '') words.push(text)
  return shownText(words.join(' '))
}

/** A text that others have written, on one line, without secrets and not too long. */
export function shownText(text: string): string {
  const line = withoutSecrets(text.slice(0, DOCTOR_SHOWN_CHARS_MAX * 4))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > DOCTOR_SHOWN_CHARS_MAX ? `${line.slice(0, DOCTOR_SHOWN_CHARS_MAX)}…` : line
}
