import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'

/** The reply to a body. */
export interface BodyReply {
  readonly status: number
  /** Sent as JSON; undefined = the reply has no body. */
  readonly body: unknown
}

/** JSON-RPC leaves this code to servers; the library's transport uses it as well. */
const SERVER_ERROR = -32_000

/**
 * Takes the messages of one POST and collects their answers, in the revisions that begin with
 * `initialize`. It does what the library's transport does with JSON answers and no session, without
 * the web's Request, Response and streams. Those survive a collection of the young generation,
 * which then takes milliseconds; with their streams they are a quarter of a short call's time.
 */
export class BodyTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  #versions: readonly string[] = []
  /** By id, in the order of the requests; undefined = not answered yet. */
  readonly #answers = new Map<RequestId, JSONRPCMessage | undefined>()
  #openCount = 0
  #resolveAnswers: (answers: readonly unknown[]) => void = () => undefined

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  setSupportedProtocolVersions(versions: readonly string[]): void {
    this.#versions = versions
  }

  /** Stores an answer; other messages have no receiver. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) return
    if (!this.#answers.has(message.id)) return
    // Of requests with one id, the last answer that arrives before all are answered is kept.
    if (this.#answers.get(message.id) === undefined) this.#openCount -= 1
    this.#answers.set(message.id, message)
    if (this.#openCount === 0) this.#resolveAnswers([...this.#answers.values()])
  }

  /**
   * Passes a body, whose messages the caller has counted, to a connected server, and returns its
   * answers.
   * @param version MCP-Protocol-Version as sent; undefined = absent
   */
  async answer(body: unknown, version: string | undefined): Promise<BodyReply> {
    const isBatch = Array.isArray(body)
    const sent: readonly unknown[] = isBatch ? body : [body]
    const messages = parsed(sent)
    if (messages === undefined) {
      return refusal(ProtocolErrorCode.ParseError, 'Parse error: Invalid JSON-RPC message')
    }
    const refused = this.#rejectionOf(messages, version)
    if (refused !== undefined) return refused
    for (const message of messages) {
      if (isJSONRPCRequest(message)) this.#answers.set(message.id, undefined)
    }
    this.#openCount = this.#answers.size
    if (this.#openCount === 0) {
      for (const message of messages) this.onmessage?.(message)
      return { status: 202, body: undefined }
    }
    const answers = await new Promise<readonly unknown[]>((resolve) => {
      this.#resolveAnswers = resolve
      for (const message of messages) this.onmessage?.(message)
    })
    return { status: 200, body: answers.length === 1 ? answers[0] : answers }
  }

  #rejectionOf(
    messages: readonly JSONRPCMessage[],
    version: string | undefined,
  ): BodyReply | undefined {
    if (messages.some(isInitializeRequest)) {
      if (messages.length === 1) return undefined
      const message = 'Invalid Request: Only one initialization request is allowed'
      return refusal(ProtocolErrorCode.InvalidRequest, message)
    }
    if (version === undefined || this.#versions.includes(version)) return undefined
    const known = `supported versions: ${this.#versions.join(', ')}`
    return refusal(SERVER_ERROR, `Bad Request: Unsupported protocol version: ${version} (${known})`)
  }
}

/** undefined = one of them is no message. */
function parsed(sent: readonly unknown[]): JSONRPCMessage[] | undefined {
  try {
    return sent.map((message) => parseJSONRPCMessage(message))
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function refusal(code: number, message: string): BodyReply {
  return { status: 400, body: { jsonrpc: '2.0', error: { code, message }, id: null } }
}
