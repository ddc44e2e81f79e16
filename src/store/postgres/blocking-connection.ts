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

  /** Runs `COPY … FROM STDIN`. @param rows in the format of the statement; they are moved */
  copyIn(sql: string, rows: Uint8Array<ArrayBuffer>): void {
    this.#ask({ kind: 'copy', sql, rows }, [rows.buffer])
  }

  /** Ends the connection, without waiting for that; a later request is an error. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#send({ kind: 'close' })
    this.thread.unref()
  }

  #ask(request: ConnectionRequest, moved?: readonly ArrayBuffer[]): readonly object[] {
    if (this.#isClosed) throw new StoreAwayError(`${this.place}: the connection is closed`)
    this.#send(request, moved)
    Atomics.wait(this.answerCount, 0, this.#answersTaken)
    this.#answersTaken += 1
    const received: { message: ConnectionAnswer } | undefined = receiveMessageOnPort(this.port)
    assert(received !== undefined, 'an answer is sent before it is counted')
    const { message } = received
    if ('fault' in message) throw errorOf(message)
    return message.rows
  }

  #send(request: ConnectionRequest, moved: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(request, moved)
  }
}
