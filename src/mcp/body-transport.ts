import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'

/** What is to be replied to a body. */
export interface BodyReply {
  readonly status: number
  /** To be sent as JSON; undefined = there is no body. */
  readonly body: unknown
}

/** JSON-RPC leaves this code to servers; the library's transport answers with it, too. */
const SERVER_ERROR = -32_000

/**
 * The messages of one POST in, their answers out, in the revisions that begin with `initialize`:
 * what the library's transport does with JSON answers and no session, without the Request, Response
 * and streams of the web that it is made of. They outlive a collection of young garbage, which then
 * takes milliseconds; they and their streams are a quarter of a short call's time.
 */
export class BodyTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  #versions: readonly string[] = []
  /** By id, in the order they were asked; undefined = not answered yet. */
  readonly #answers = new Map<RequestId, JSONRPCMessage | undefined>()
  #openCount = 0
  #tell: (answers: readonly unknown[]) => void = () => undefined

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  setSupportedProtocolVersions(versions: readonly string[]): void {
    this.#versions = versions
  }

  /** Takes an answer; other messages have nowhere to go. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) return
    if (!this.#answers.has(message.id)) return
    // Of requests with one id, the last answer before all others are there is the answer.
    if (this.#answers.get(message.id) === undefined) this.#openCount -= 1
    this.#answers.set(message.id, message)
    if (this.#openCount === 0) this.#tell([...this.#answers.values()])
  }

  /**
   * What a server that is connected makes of a body, whose messages the caller has counted.
   * @param version MCP-Protocol-Version as sent; undefined = it was not
   */
  async answer(body: unknown, version: string | undefined): Promise<BodyReply> {
    const isBatch = Array.isArray(body)
    const sent: readonly unknown[] = isBatch ? body : [body]
    const messages = parsed(sent)
    if (messages === undefined) {
      return refusal(ProtocolErrorCode.ParseError, 'Parse error: Invalid JSON-RPC message')
    }
    const refused = this.#refusalOf(messages, version)
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
      this.#tell = resolve
      for (const message of messages) this.onmessage?.(message)
    })
    return { status: 200, body: answers.length === 1 ? answers[0] : answers }
  }

  #refusalOf(
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
