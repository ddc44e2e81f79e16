// A small HTTP client: one request at a time over keep-alive connections. It checks answers, and
// replaces wrk where a smoke run needs a little load.
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'

/** A request, with the same text for every contender. */
export interface Target {
  /** Path and query. */
  readonly path: string
  /** Header fields as sent. */
  readonly fields: Readonly<Record<string, string>>
  /** Sent with POST, one line of text; absent = GET. */
  readonly body?: string
}

/** A response. */
export interface Answered {
  readonly status: number
  readonly fields: IncomingHttpHeaders
  /** Names and values in turn, as sent. */
  readonly rawFields: readonly string[]
  readonly body: Buffer
}

/** A client of one server on this machine. */
export class Client {
  readonly #agent: Agent

  constructor(
    readonly port: number,
    maxSockets = 16,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets })
  }

  ask(target: Target): Promise<Answered> {
    const { port } = this
    const options = {
      host: '127.0.0.1',
      port,
      path: target.path,
      headers: target.fields,
      method: target.body === undefined ? 'GET' : 'POST',
      agent: this.#agent,
    }
    return new Promise((resolve, reject) => {
      const request = send(options, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            fields: response.headers,
            rawFields: response.rawHeaders,
            body: Buffer.concat(pieces),
          })
        })
      })
      request.on('error', reject)
      request.end(target.body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
