import { strict as assert } from 'node:assert'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { StoreAwayError } from '../store-error.js'
import type { ConnectionOptions, PostgresValue } from './connect.js'
import {
  type ConnectionAnswer,
  type ConnectionOutcome,
  type ConnectionRequest,
  errorOf,
  type ThreadOptions,
} from './connection-request.js'

const THREAD_FILE = new URL('./workers/answer-requests.js', import.meta.url)

/**
 * A connection to PostgreSQL whose callers wait: a thread of its own has the connection, and the
 * calling one stands still until that has answered. Its errors are those of PostgresConnection.
 */
export class BlockingConnection {
  #answersTaken = 0
  #isClosed = false
  /** Whether a COPY has begun whose answer has not been taken. */
  #isCopying = false

  private constructor(
    /** Name of the database for messages, without user and password. */
    readonly place: string,
    private readonly thread: Worker,
    private readonly port: MessagePort,
    private readonly answerCount: Int32Array,
  ) {
    thread.once('exit', () => {
      this.#isClosed = true
    })
  }

  /** Connects, without blocking. See {@link PostgresConnection.open}. */
  static async open(url: string, options: ConnectionOptions): Promise<BlockingConnection> {
    const { port1, port2 } = new MessageChannel()
    const answerCount = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const workerData: ThreadOptions = { url, options, port: port2, answerCount }
    // Modules that flags of the process preload are of no use to the thread.
    const thread = new Worker(THREAD_FILE, { workerData, transferList: [port2], execArgv: [] })
    const opened = await new Promise<ConnectionOutcome>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject)
    })
    if ('fault' in opened) throw errorOf(opened)
    return new BlockingConnection(opened.place, thread, port1, answerCount)
  }

  /**
   * Rows that a statement returns; a BYTEA is a Uint8Array.
   * @param sql several statements when there are no values
   */
  query<Row extends object>(sql: string, values?: readonly PostgresValue[]): Row[] {
    // The statement names exactly the columns of a row.
    return this.#ask({ kind: 'query', sql, values }) as Row[]
  }

  /**
   * Begins `COPY … FROM STDIN`, while the caller goes on; the next request waits for its end.
   * @param rows in the format of the statement; they are moved
   */
  beginCopy(sql: string, rows: Uint8Array<ArrayBuffer>): void {
    this.#begin({ kind: 'copy', sql, rows }, [rows.buffer])
    this.#isCopying = true
  }

  /** Waits for the end of a COPY. @returns what was wrong with it; undefined = nothing */
  endCopy(): Error | undefined {
    if (!this.#isCopying) return undefined
    this.#isCopying = false
    const answer = this.#answer()
    return 'fault' in answer ? errorOf(answer) : undefined
  }

  /** Ends the connection, without waiting for that; a later request is an error. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#send({ kind: 'close' })
    this.thread.unref()
  }

  #ask(request: ConnectionRequest): readonly object[] {
    this.#begin(request)
    const answer = this.#answer()
    if ('fault' in answer) throw errorOf(answer)
    return answer.rows
  }

  #begin(request: ConnectionRequest, moved?: readonly ArrayBuffer[]): void {
    const fault = this.endCopy()
    if (fault !== undefined) throw fault
    if (this.#isClosed) throw new StoreAwayError(`${this.place}: the connection is closed`)
    this.#send(request, moved)
  }

  #answer(): ConnectionAnswer {
    // The thread may wake this one once more for an answer that has been taken already.
    while (Atomics.load(this.answerCount, 0) === this.#answersTaken) {
      Atomics.wait(this.answerCount, 0, this.#answersTaken)
    }
    this.#answersTaken += 1
    const received: { message: ConnectionAnswer } | undefined = receiveMessageOnPort(this.port)
    assert(received !== undefined, 'an answer is sent before it is counted')
    return received.message
  }

  #send(request: ConnectionRequest, moved: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(request, moved)
  }
}
