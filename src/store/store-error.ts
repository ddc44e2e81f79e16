/** A file that cannot be opened or used: the message names the file and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
