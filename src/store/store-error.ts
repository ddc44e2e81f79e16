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

/** The database does not answer, or not now: what is asked of it may succeed later. */
export class StoreAwayError extends StoreError {}

/** The answer to a COMMIT is lost: what was asked of the database is done, or it is not. */
export class LostCommitError extends StoreAwayError {
  /** @param place name of the database, without a password */
  constructor(place: string, options: ErrorOptions) {
    super(
      `${place}: the connection broke while a change was being kept, so it is not known whether ` +
        'it was; look before you make it again',
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
