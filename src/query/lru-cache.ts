/** Bytes of cached selections per segment; each takes an eighth of a byte a row. */
const SELECTION_BYTES_MAX = 67_108_864

/**
 * The same, per row of a smaller segment: some hundred selections, two per cent of the rows' size.
 */
const SELECTION_ROW_BYTES_MAX = 16

/**
 * LRU cache of results by owner, such as a segment or a snapshot: owners never change, so results
 * stay valid. The least recently used are evicted first, and all of them go with their owner.
 */
export class LruCache<Result extends object> {
  readonly #byOwner = new WeakMap<object, OwnerEntries<Result>>()

  /** @param bytesOf bytes of a result's arrays */
  constructor(private readonly bytesOf: (result: Result) => number) {}

  /**
   * The cached result of the key, or else the result of `make`, which is then cached unless it is
   * too large for its owner's share.
   * @param owner object that the result is derived from   @param rowCount its rows, deleted or not
   */
  findOrKeep(owner: object, rowCount: number, key: string, make: () => Result): Result {
    const known = this.find(owner, key)
    if (known !== undefined) return known
    const made = make()
    this.keep(owner, rowCount, key, made)
    return made
  }

  /** The cached result of the key; undefined = none. */
  find(owner: object, key: string): Result | undefined {
    const entries = this.#byOwner.get(owner)
    const known = entries?.results.get(key)
    if (known === undefined) return undefined
    // A Map keeps insertion order: deleting and setting a key makes it the newest.
    entries?.results.delete(key)
    entries?.results.set(key, known)
    return known
  }

  /** Whether the key has a cached result. */
  has(owner: object, key: string): boolean {
    return this.#byOwner.get(owner)?.results.has(key) ?? false
  }

  /** Caches a result under a key that has none, as {@link findOrKeep} does. */
  keep(owner: object, rowCount: number, key: string, result: Result): void {
    if (this.has(owner, key)) return
    const limit = Math.min(SELECTION_BYTES_MAX, rowCount * SELECTION_ROW_BYTES_MAX)
    const byteCount = this.#sizeOf(key, result)
    if (byteCount > limit) return
    const entries = this.#byOwner.get(owner) ?? { results: new Map(), byteCount: 0 }
    this.#byOwner.set(owner, entries)
    entries.results.set(key, result)
    entries.byteCount += byteCount
    for (const [oldest, kept] of entries.results) {
      if (entries.byteCount <= limit) break
      entries.results.delete(oldest)
      entries.byteCount -= this.#sizeOf(oldest, kept)
    }
  }

  /** Caches a result under a key, in place of the former one. */
  replace(owner: object, rowCount: number, key: string, result: Result): void {
    const entries = this.#byOwner.get(owner)
    const old = entries?.results.get(key)
    if (entries !== undefined && old !== undefined) {
      entries.results.delete(key)
      entries.byteCount -= this.#sizeOf(key, old)
    }
    this.keep(owner, rowCount, key, result)
  }

  /** Arrays, key, and about as much again as the key for the objects around them. */
  #sizeOf(key: string, result: Result): number {
    return this.bytesOf(result) + key.length + ENTRY_BYTES
  }
}

interface OwnerEntries<Result> {
  readonly results: Map<string, Result>
  byteCount: number
}

/** Objects and array headers of one cached result. */
const ENTRY_BYTES = 500
