// The PostgreSQL server of a bench. Its CPU time is known if it runs on this machine.
import { PostgresConnection } from '../src/store/postgres/connect.js'
import { familyCpuMicroseconds, parentOf } from './process-figures.js'

/** Reads the CPU time that a server has used, in microseconds; NaN = it is unknown. */
export type ServerClock = () => number

/**
 * First does the work that filling the database has left to the server, which would do it at any
 * time. @throws StoreError when the database cannot be reached
 */
export async function serverClock(url: string): Promise<ServerClock> {
  const connection = await PostgresConnection.open(url, { applicationName: 'kontor bench' })
  try {
    await connection.query('VACUUM (ANALYZE)')
    const [found] = await connection.query<{ pid: number; isLocal: boolean }>(
      `SELECT pg_backend_pid() AS pid,
         coalesce(inet_server_addr() = inet_client_addr(), true) AS "isLocal"`,
    )
    const server = found?.isLocal ? parentOf(found.pid) : undefined
    return () => (server === undefined ? Number.NaN : (familyCpuMicroseconds(server) ?? Number.NaN))
  } finally {
    await connection.close()
  }
}
