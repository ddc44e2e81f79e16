import { strict as assert } from 'node:assert'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { StoreUnavailableError } from '../store-error.js'
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
 * A synchronous connection to PostgreSQL: another thread has the connection, and the calling thread
 * blocks until that thread has answered. Errors are the same as of PostgresConnection.
 */
export class BlockingConnection {
  #answersTaken = 0
  #isClosed = false
  /** Whether a COPY has begun whose answer has not been received. */
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
    // No flags of the process, so that the thread does not preload their modules.
    const thread = new Worker(THREAD_FILE, { workerData, transferList: [port2], execArgv: [] })
    const opened = await new Promise<ConnectionOutcome>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject)
    })
    if ('fault' in opened) throw errorOf(opened)
    return new BlockingConnection(opened.place, thread, port1, answerCount)
  }

  /**
   * Rows of a statement; a BYTEA is a Uint8Array.
   * @param sql may be several statements if there are no values
   */
  query<Row extends object>(sql: string, values?: readonly PostgresValue[]): Row[] {
    // The statement names exactly the columns of a row.
    return this.#ask({ kind: 'query', sql, values }) as Row[]
  }

  /**
   * Begins `COPY … FROM STDIN`, while the caller continues; the next request waits for its end.
   * @param rows in the format of the statement; their buffer is transferred
   */
  beginCopy(sql: string, rows: Uint8Array<ArrayBuffer>): void {
    this.#begin({ kind: 'copy', sql, rows }, [rows.buffer])
    this.#isCopying = true
  }

  /** Waits for the end of a COPY. @returns its error; undefined = it has succeeded */
  endCopy(): Error | undefined {
    if (!this.#isCopying) return undefined
    this.#isCopying = false
    const answer = this.#answer()
    return 'fault' in answer ? errorOf(answer) : undefined
  }

  /** Ends the connection without waiting; a later request is an error. */
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
    if (this.#isClosed) throw new StoreUnavailableError(`${this.place}: the connection is closed`)
    this.#send(request, moved)
  }

  #answer(): ConnectionAnswer {
    // A late notification of an earlier answer may wake this thread, so the count is rechecked.
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
