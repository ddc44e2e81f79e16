import type { Work } from './work.js'

/**
 * Control data: credentials and their rights, by work of the row files of this folder. SQLite's is
 * a `ControlFile`, whose work is done when the call returns; another engine awaits each statement.
 * Every method may throw, or reject with, StoreError.
 */
export interface ControlStore extends ControlVersions {
  /**
   * Runs work outside a transaction: each statement is for itself. Returns a promise when the
   * engine awaits statements. What it finds may be over when it is acted upon: a transaction that
   * acts looks again.
   */
  look<T>(work: () => Work<T>): T | Promise<T>

  /**
   * Runs work in one transaction, which is rolled back when it throws. Changes that must survive
   * the refusal of a caller, such as the end of a family whose token was used twice, are therefore
   * returned and not thrown.
   */
  atomically<T>(work: () => Work<T>): Promise<T>

  /**
   * The same as if nothing else wrote meanwhile, for what people do: keys, clients, operators.
   */
  alone<T>(work: () => Work<T>): Promise<T>

  /** How often work of this process has counted a name: refusals by action of the audit log. */
  readonly counts: ReadonlyMap<string, number>

  /** What token requests await before they write; undefined = nothing. Never rejects. */
  readonly held: Promise<void> | undefined

  /** Closes connections. */
  close(): void | Promise<void>
}

/** How memory notices that control data have changed. Nothing here waits. */
export interface ControlVersions {
  /**
   * Differs after every noticed commit that may change the access of a credential. Commits of this
   * process are noticed at once.
   */
  dataVersion(): string

  /** Whether {@link dataVersion} notices a commit of any process before the commit returns. */
  readonly noticesAtOnce: boolean

  /**
   * Maximum age of the noticed versions in milliseconds: a later commit may be unnoticed. 0 where
   * commits are noticed at once; Infinity before the first contact.
   */
  heardAgeMs(): number

  /** Grows with each write of this process; costs nothing. */
  readonly ownWriteCount: number

  /**
   * Grows with each write of this process after which a token may be replaced, and which
   * {@link dataVersion} does not tell of; costs nothing.
   */
  readonly renewalCount: number

  /**
   * Grows with every noticed change of an API key, an MCP key or an integration, except of their
   * last use.
   */
  keyVersion(): number
}
