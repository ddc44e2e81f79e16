import type { BigIntStats } from 'node:fs'
import type { ImportReport } from '../statements/import/import-report.js'
import type { WorkspaceAddress } from '../store/workspace.js'

/** Options of an import as its sender wrote them; absent = the default. */
export interface ImportSettings {
  /** For files without an account: an IBAN, else an account number. */
  readonly account?: string | undefined
  /** ISO 4217, for files without a currency. */
  readonly currency?: string | undefined
  /** For a CSV file of an unknown layout: `amount=Betrag,bookingDate=Buchungstag`. */
  readonly columns?: string | undefined
  /** For a file that does not declare its encoding: one of ENCODING_NAMES. */
  readonly encoding?: string | undefined
  /** Whether refused entries are skipped and listed instead of failing the import. */
  readonly lenient?: boolean | undefined
  /** Whether NDJSON may replace the content of existing rows. */
  readonly update?: boolean | undefined
  /** Whether camt.054 entries that are not in any imported statement are imported. */
  readonly includesNotifications?: boolean | undefined
  /** Whether the file may create more than NEW_ACCOUNTS_MAX accounts. */
  readonly allowsManyAccounts?: boolean | undefined
}

/** A bank file that a thread imports into a workspace. */
export interface ImportTask extends ImportSettings {
  /** Of the workspace, which must exist. */
  readonly address: WorkspaceAddress
  /** The path of the bank file. */
  readonly path: string
  /** A descriptor to read it by instead; the thread leaves it open. */
  readonly descriptor?: number
  /**
   * Of the descriptor's file before it is read ({@link stampOf}); when it differs before the
   * commit, nothing of the file is kept. Absent = the file cannot change.
   */
  readonly stamp?: string | undefined
  /** The file name; its extension hints at the format. */
  readonly name: string
  /** The import time, epoch ms. */
  readonly nowMs: number
  /** Shared: written by the thread alone, {@link PROGRESS_BYTES} and {@link PROGRESS_ROWS}. */
  readonly progress: Float64Array
  /** Shared, of length 1: the stage of the import, see {@link GOES_ON}. */
  readonly stage: Int32Array
}

/**
 * The stage of an import in `stage[0]`. It begins at GOES_ON and changes once, by
 * Atomics.compareExchange: the main thread stores IS_CANCELLED or IS_LATE, and nothing of the file
 * is kept; or the import thread stores IS_KEPT, and all of it is.
 */
export const GOES_ON = 0
export const IS_CANCELLED = 1
export const IS_LATE = 2
export const IS_KEPT = 3

/** The cause of a failed import whose file was written to while it was read. */
export const CAUSE_WRITTEN = 'written to'

/** Index of the number of bytes read. */
export const PROGRESS_BYTES = 0
/** Index of the number of entries read. */
export const PROGRESS_ROWS = 1
/** Length of a task's progress. */
export const PROGRESS_LENGTH = 2

/** The result of an import. */
export type ImportOutcome =
  | (Omit<ImportReport, 'accountIds'> & {
      readonly kind: 'done'
      readonly format: string
      readonly accounts: number
      readonly bytes?: number
      readonly sha256?: string
      /** Sequence of the workspace's last change after the import. */
      readonly sequence: number
    })
  /**
   * Nothing of the file was kept. `reason` is a sentence for the sender and may quote the file;
   * `cause` is for the audit log and quotes nothing.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: string }
  /** Cancelled or late, as `stage` says; nothing of the file was kept. */
  | { readonly kind: 'cancelled' }

/** Equal for a file that was neither written nor replaced; a renaming does not change it. */
export function stampOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`
}
