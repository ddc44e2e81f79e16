import type { EpochMs } from '../../instant.js'
import type { PostgresConnection } from './connect.js'

const NOW = 'SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS "nowMs"'

/**
 * How far the database's clock is ahead of this machine's, in ms. 0 if the database's time lies
 * between those of the request and the answer, so that no difference is measurable.
 * @param clock time of the machine
 */
export async function clockOffset(
  connection: Pick<PostgresConnection, 'query'>,
  clock: () => EpochMs = Date.now,
): Promise<number> {
  const askedMs = clock()
  const [row] = await connection.query<{ nowMs: number }>(NOW)
  const answeredMs = clock()
  if (row === undefined) throw new Error('a SELECT without FROM returns one row')
  const { nowMs } = row
  if (nowMs < askedMs) return nowMs - askedMs
  return Math.max(0, nowMs - answeredMs)
}
