/** A file that cannot be opened or used: the sentence says which file and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
