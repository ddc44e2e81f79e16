import type { RowChange, RowKind } from '../statements/import/row-change.js'

/** A bank file that a thread brings into a workspace. */
export interface ImportTask {
  /** Of the workspace's file; it must be there. */
  readonly workspacePath: string
  /** Where the bank file is. */
  readonly path: string
  /** What it is called; its end says something of the format. */
  readonly name: string
  /** When the import counts as done, epoch ms. */
  readonly nowMs: number
  /** For files that name no account: an IBAN, else an account number. */
  readonly account?: string
  /** ISO 4217, for files that name none. */
  readonly currency?: string
  /** For a CSV file that nobody knows: `amount=Betrag,bookingDate=Buchungstag`. */
  readonly columns?: string
  /** Whether NDJSON may replace the content of rows that are there. */
  readonly update: boolean
  /** Shared: the thread alone writes, {@link PROGRESS_BYTES} and {@link PROGRESS_ROWS}. */
  readonly progress: Float64Array
}

/** Index of the bytes that were read. */
export const PROGRESS_BYTES = 0
/** Index of the entries that were read. */
export const PROGRESS_ROWS = 1
/** Length of a task's progress. */
export const PROGRESS_LENGTH = 2

/** How an import went. */
export type ImportOutcome =
  | {
      readonly kind: 'done'
      readonly format: string
      readonly accounts: number
      readonly added: number
      readonly unchanged: number
      readonly updated: number
      readonly kept: number
      readonly changed: number
      readonly changes: readonly RowChange[]
      readonly changedIds: Readonly<Partial<Record<RowKind, readonly number[]>>>
      readonly bytes?: number
      readonly sha256?: string
      readonly warnings: readonly string[]
    }
  /**
   * Nothing of the file was kept. `reason` is a sentence for its sender and may quote the file;
   * `cause` is for the audit log, and quotes nothing.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: string }
