import { shortened } from '../shortened.js'
import type { BalanceProof } from './file-balances.js'
import type { FieldChange, RowChange, RowKind } from './row-change.js'

/** Listed warnings of one import; further ones usually repeat these. */
export const WARNINGS_LISTED_MAX = 100

/** Length of one warning: a reader's sentence may quote a field of any length. */
export const WARNING_CHARS_MAX = 500

/** Differences of fields that a report lists: a page of them; the counts include the others. */
export const CHANGES_LISTED_MAX = 100

/** Ids of changed rows of one kind that a report lists: a line of the audit log stays short. */
const CHANGED_IDS_MAX = 100

/** The result of the import of one file. */
export interface ImportReport {
  /** Ids of the accounts that the file names, created ones included. */
  readonly accountIds: ReadonlySet<number>
  /** Transactions that did not exist before. */
  readonly added: number
  /** Transactions that existed already, with the same content. */
  readonly unchanged: number
  /** Transactions that existed with other content, which was replaced. */
  readonly updated: number
  /** Entries that were refused; always 0 when the import is not lenient. */
  readonly skipped: number
  /** Accounts, categories and transactions that differ from the file and were kept. */
  readonly kept: number
  /** Accounts, categories and transactions from before the import whose content was replaced. */
  readonly changed: number
  /** The first of the fields that differ, of the rows that were kept or changed. */
  readonly changes: readonly RowChange[]
  /** The first ids of the changed rows, by kind; kinds without one are absent. */
  readonly changedIds: Readonly<Partial<Record<RowKind, readonly number[]>>>
  /** Sentences; after the first 100, one with the number of the others. */
  readonly warnings: readonly string[]
  /** Absent for NDJSON, which has no statements. */
  readonly balances?: BalanceProof
}

/** Counts while an import runs. */
export class ImportCounter {
  readonly accountIds = new Set<number>()
  added = 0
  unchanged = 0
  updated = 0
  skipped = 0
  #kept = 0
  #changed = 0
  readonly #changes: RowChange[] = []
  readonly #changedIds: Partial<Record<RowKind, number[]>> = {}
  readonly #warnings: string[] = []
  #unlistedCount = 0

  /** Lists a warning, cut at {@link WARNING_CHARS_MAX}, or counts it. */
  warn(sentence: string): void {
    if (this.#warnings.length < WARNINGS_LISTED_MAX) {
      this.#warnings.push(shortened(sentence, WARNING_CHARS_MAX))
    } else {
      this.#unlistedCount += 1
    }
  }

  /** Counts a row that was kept. @param differences called while they are listed */
  keep(kind: RowKind, id: number, differences: () => readonly FieldChange[]): void {
    this.#kept += 1
    this.#list(kind, id, differences)
  }

  /** Counts a row from before the import whose content is replaced. @param differences as `keep` */
  change(kind: RowKind, id: number, differences: () => readonly FieldChange[]): void {
    this.#changed += 1
    this.#changedIds[kind] ??= []
    const ids = this.#changedIds[kind]
    if (ids.length < CHANGED_IDS_MAX) ids.push(id)
    this.#list(kind, id, differences)
  }

  /** The counts so far; later counting does not change it. */
  report(): ImportReport {
    const more = this.#unlistedCount
    return {
      accountIds: new Set(this.accountIds),
      added: this.added,
      unchanged: this.unchanged,
      updated: this.updated,
      skipped: this.skipped,
      kept: this.#kept,
      changed: this.#changed,
      changes: [...this.#changes],
      changedIds: structuredClone(this.#changedIds),
      warnings: more === 0 ? [...this.#warnings] : [...this.#warnings, `and ${more} more warnings`],
    }
  }

  #list(kind: RowKind, id: number, differences: () => readonly FieldChange[]): void {
    const room = CHANGES_LISTED_MAX - this.#changes.length
    if (room <= 0) return
    this.#changes.push(
      ...differences()
        .slice(0, room)
        .map((each) => ({ kind, id, ...each })),
    )
  }
}
