import { WARNINGS_LISTED_MAX } from '../../limits.js'

/** What the import of one file did. */
export interface ImportReport {
  /** Ids of the accounts the file speaks of, created ones included. */
  readonly accountIds: ReadonlySet<number>
  /** Transactions that were not there before. */
  readonly added: number
  /** Transactions that were there already, with the same content. */
  readonly unchanged: number
  /** Transactions that were there with other content, which was replaced. */
  readonly updated: number
  /** Entries that were refused; always 0 when the import is not lenient. */
  readonly skipped: number
  /** Sentences; after the first 100 one that says how many more there are. */
  readonly warnings: readonly string[]
}

/** Counts while an import runs. */
export class ImportTally {
  readonly accountIds = new Set<number>()
  added = 0
  unchanged = 0
  updated = 0
  skipped = 0
  readonly #warnings: string[] = []
  #unlistedCount = 0

  warn(sentence: string): void {
    if (this.#warnings.length < WARNINGS_LISTED_MAX) this.#warnings.push(sentence)
    else this.#unlistedCount += 1
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
      warnings: more === 0 ? [...this.#warnings] : [...this.#warnings, `and ${more} more warnings`],
    }
  }
}
