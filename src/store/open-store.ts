import { SqliteStore } from './sqlite/sqlite-store.js'
import type { Store, StoreOptions } from './store.js'

/**
 * Opens the data directory, or the database of a URL and migrates its schema. The PostgreSQL
 * modules are loaded for a URL only.
 * @throws StoreError with the remedy
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options
  if (url === undefined) return new SqliteStore(options)
  const { PostgresStore } = await import('./postgres/postgres-store.js')
  return PostgresStore.open(url, options)
}
