import type { EpochMs } from '../../instant.js'
import { shortened } from '../shortened.js'
import { STATEMENT_ERROR_CHARS_MAX, type StatementFault } from '../statement.js'

/** Options of an import, for any format. */
export interface ImportOptions {
  /** importDate, createdAt and updatedAt of everything the import writes. */
  readonly now: EpochMs
  /** Refused entries are skipped and listed instead of failing the import. */
  readonly lenient: boolean
  /** Whether NDJSON may replace the content of existing rows. */
  readonly update?: boolean
  /** Account for files without one: an IBAN, else an account number. */
  readonly account?: string
  /** ISO 4217 currency for files without one. */
  readonly currency?: string
  /** camt.054: also imports entries that no imported statement contains. */
  readonly includesNotifications?: boolean
  /** Whether the file may create more than NEW_ACCOUNTS_MAX accounts. */
  readonly allowsManyAccounts?: boolean
  /** Called after every batch with the number of entries read so far. */
  readonly onProgress?: (entryCount: number) => void
  /**
   * Called before each entry, and at the end before the commit; throws to roll back. After the call
   * at the end, the import can no longer be cancelled.
   */
  readonly throwIfCancelled?: (at: 'entry' | 'end') => void
}

/** The fault of one entry, with a hint at the flag that skips it. */
export function withAdvice(fault: StatementFault): StatementFault {
  // Leaves room for the advice and the position.
  const message = shortened(fault.message, STATEMENT_ERROR_CHARS_MAX / 2)
  return { ...fault, message: `${message} (--lenient skips it)` }
}
