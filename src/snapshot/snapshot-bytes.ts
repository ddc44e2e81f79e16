import type { Snapshot } from './snapshot.js'

/**
 * Bytes of a snapshot besides its arrays: some hundred objects, and the connection that watches its
 * file, where SQLite has the schema in memory (165 kB) and an index of the log (32 kB).
 */
export const SNAPSHOT_OVERHEAD_BYTES = 230_000

/** Approximate bytes of memory of a snapshot: its arrays, and an estimate of the rest. */
export function snapshotBytes({ segments, accounts, categories, log }: Snapshot): number {
  let total = SNAPSHOT_OVERHEAD_BYTES + arrayBytes(log)
  for (const live of segments) total += arrayBytes(live)
  for (const { bytes } of accounts) total += bytes.length
  for (const { bytes } of categories) total += bytes.length
  return total
}

/** Bytes of the arrays at the leaves of a plain value. */
export function arrayBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return value.byteLength
  let total = 0
  for (const member of Object.values(value)) total += arrayBytes(member)
  return total
}
