// The two ends of a copy, by what a user names: a directory, or the URL of a database.
import type { StoreSink, StoreSource } from './copy-store.js'
import { SqliteSink, SqliteSource } from './sqlite/sqlite-copy.js'

/** Whether a text names a database; any other names a directory. */
function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place)
}

/** Opens what is copied. @throws StoreError */
export async function openSource(place: string): Promise<StoreSource> {
  if (!isDatabase(place)) return new SqliteSource(place)
  const { PostgresSource } = await import('./postgres/postgres-copy.js')
  return PostgresSource.open(place)
}

/**
 * Opens what is filled; the schema of a database is brought to the newest version.
 * @param program its version, as `0.3.0`
 * @throws StoreError
 */
export async function openSink(place: string, program: string): Promise<StoreSink> {
  if (!isDatabase(place)) return new SqliteSink(place)
  const { PostgresSink } = await import('./postgres/postgres-copy.js')
  return PostgresSink.open(place, program)
}
