// Receives rows by binary COPY over the driver's own connection, with backpressure.
import { Query } from 'pg'
import { afterHeader, BinaryFields } from './binary-fields.js'
import type { PostgresConnection } from './connect.js'
import { explained, LATE } from './faults.js'

/** Rows of a batch; larger batches mean fewer awaits. */
const BATCH_ROWS = 500

/** Bytes of the field count before each row; a count of -1 ends the rows. */
const FIELD_COUNT_BYTES = 2

/** A COPY to this process, which yields its rows in batches. */
class CopyOut<Row> extends Query {
  readonly #fields = new BinaryFields()
  #rows: Row[] = []
  #hasBegun = false
  #isPaused = false
  #failure: unknown
  /** Ends the wait for the next batch. */
  #wake: () => void = () => undefined

  /** Whether the connection is free for another statement. */
  isOver = false

  constructor(
    select: string,
    private readonly connection: PostgresConnection,
    private readonly rowOf: (fields: BinaryFields) => Row,
  ) {
    super(`COPY (${select}) TO STDOUT (FORMAT binary)`)
    this.on('error', (error) => this.#end(error))
    this.on('end', () => this.#end(undefined))
  }

  /** Called by the driver, with complete rows: PostgreSQL sends each in a separate message. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== undefined) return
    try {
      this.#take(chunk)
    } catch (error) {
      this.#failure = error
      this.#wake()
    }
  }

  /** At least {@link BATCH_ROWS} rows, or the last ones; an empty array at the end. */
  async next(): Promise<readonly Row[]> {
    if (!this.#isFull && !this.isOver) await this.#more()
    if (this.#failure !== undefined) throw explained(this.connection.place, this.#failure)
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** Waits until a batch is full, or there is none. */
  async #more(): Promise<void> {
    const { answerMsMax } = this.connection
    const late = (): void => {
      this.#failure = new Error(LATE)
      this.#wake()
    }
    const timer = answerMsMax === undefined ? undefined : setTimeout(late, answerMsMax)
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      this.#resume()
    })
    clearTimeout(timer)
  }

  get #isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#failure !== undefined
  }

  #take(chunk: Buffer): void {
    let at = this.#hasBegun ? 0 : afterHeader(chunk)
    this.#hasBegun = true
    while (at < chunk.length && chunk.readInt16BE(at) !== -1) {
      this.#fields.begin(chunk, at + FIELD_COUNT_BYTES)
      this.#rows.push(this.rowOf(this.#fields))
      at = this.#fields.at
    }
    if (this.#isPaused || !this.#isFull) return
    // Rows that are already read from the socket still arrive.
    this.#isPaused = true
    this.connection.client.connection.stream.pause()
    this.#wake()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.connection.client.connection.stream.resume()
  }

  #end(error: unknown): void {
    this.#failure ??= error
    this.isOver = true
    this.#resume()
    this.#wake()
  }
}

/**
 * The rows of a SELECT, in batches. The SELECT begins with the first batch; no other statement may
 * be sent until the last one. Leaving the loop early closes the connection, because the server
 * would send all remaining rows.
 * @param rowOf must read all columns of the SELECT, in their order
 * @throws StoreError, StoreUnavailableError when the connection is lost, and any error of `rowOf`
 */
export async function* copyOut<Row>(
  connection: PostgresConnection,
  select: string,
  rowOf: (fields: BinaryFields) => Row,
): AsyncGenerator<readonly Row[]> {
  const copy = new CopyOut(select, connection, rowOf)
  connection.client.query(copy)
  try {
    for (;;) {
      const rows = await copy.next()
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    if (!copy.isOver) void connection.close()
  }
}
