// Sends rows to PostgreSQL by COPY, over the driver's own connection.
import { once } from 'node:events'
import { Query } from 'pg'
import type { PostgresConnection } from './connect.js'
import { explainFaults } from './faults.js'

/** Methods of the driver's connection that its types omit. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** A COPY of rows in memory. Not named `rows`, which is a property of the driver's class. */
class CopyIn extends Query {
  constructor(
    sql: string,
    private readonly content: Buffer,
  ) {
    super(sql)
  }

  /** Called by the driver when the server waits for rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.content)
    connection.endCopyFrom()
  }
}

/**
 * Runs `COPY … FROM STDIN`, one statement.
 * @param rows in the format that the statement names, less than a gigabyte
 * @throws StoreError, StoreUnavailableError when the connection is lost
 */
export async function copyIn(
  { client, place }: PostgresConnection,
  sql: string,
  rows: Buffer,
): Promise<void> {
  await explainFaults(place, () => once(client.query(new CopyIn(sql, rows)), 'end'))
}
