/** A file that cannot be opened or used: the message names the file and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** Whether the error only means that another connection holds a lock. */
  readonly isBusy: boolean

  constructor(message: string, options?: ErrorOptions & { readonly isBusy?: boolean }) {
    super(message, options)
    this.isBusy = options?.isBusy ?? false
  }
}

/** The database is unreachable or overloaded: a retry may succeed later. */
export class StoreUnavailableError extends StoreError {}

/**
 * The server refuses a new connection, though it has accepted one before. Connections that last are
 * not affected, so nothing else may notice it.
 */
export class StoreRefusedError extends StoreUnavailableError {}

/** The answer to a COMMIT is lost, so the change may or may not be committed. */
export class LostCommitError extends StoreUnavailableError {
  /** @param place name of the database, without a password */
  constructor(place: string, options: ErrorOptions) {
    super(
      `${place}: the connection broke during the commit, so the change may or may not have been ` +
        'made; check before you repeat it',
      options,
    )
  }
}

/**
 * Whether an error only means that another connection holds a lock, so that a retry may succeed.
 */
export function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.isBusy
}
