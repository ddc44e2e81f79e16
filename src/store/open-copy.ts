// Source and target of a copy, by the path of a directory or the URL of a database.
import type { StoreSink, StoreSource } from './copy-store.js'
import { SqliteSink, SqliteSource } from './sqlite/sqlite-copy.js'

/** Whether a text is the URL of a database; any other is the path of a directory. */
function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place)
}

/** Opens the source of a copy. @throws StoreError */
export async function openSource(place: string): Promise<StoreSource> {
  if (!isDatabase(place)) return new SqliteSource(place)
  const { PostgresSource } = await import('./postgres/postgres-copy.js')
  return PostgresSource.open(place)
}

/**
 * Opens the target of a copy; migrates the schema of a database.
 * @param program its version, as `0.3.0`
 * @throws StoreError
 */
export async function openSink(place: string, program: string): Promise<StoreSink> {
  if (!isDatabase(place)) return new SqliteSink(place)
  const { PostgresSink } = await import('./postgres/postgres-copy.js')
  return PostgresSink.open(place, program)
}
