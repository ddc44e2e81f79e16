import { SqliteStore } from './sqlite/sqlite-store.js'
import type { Store, StoreOptions } from './store.js'

/**
 * Opens what a program works on: the data directory, or the database of a URL, whose schema is
 * brought to the newest version. PostgreSQL's part of the program is loaded for a URL alone.
 * @throws StoreError that says what to do
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options
  if (url === undefined) return new SqliteStore(options)
  const { PostgresStore } = await import('./postgres/postgres-store.js')
  return PostgresStore.open(url, options)
}
