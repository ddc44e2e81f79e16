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

/**
 * Whether an error only means that another connection holds a lock, so that a retry may succeed.
 */
export function isBusy(error: unknown): boolean {
  return error instanceof StoreError && error.isBusy
}
