import type { Connection } from './sqlite-driver.js'

/** Number of the last change to a workspace file; 0 = there was none. @throws SQLite's error */
export function lastSequence(connection: Connection): number {
  // The sequence of an emptied `changes` table lives on in SQLite's own counter.
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'"
  return (connection.prepare(sql).pluck().get() as number | undefined) ?? 0
}
