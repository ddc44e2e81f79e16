import { LRUCache } from 'lru-cache'

/** Bytes of cached selections per segment; each takes an eighth of a byte a row. */
const SELECTION_BYTES_MAX = 67_108_864

/**
 * The same, per row of a smaller segment: some hundred selections, two per cent of the rows' size.
 */
const SELECTION_ROW_BYTES_MAX = 16

/**
 * LRU caches of results by owner, such as a segment or a snapshot: owners never change, so results
 * stay valid, and all of them go with their owner.
 */
export class LruCache<Result extends object> {
  readonly #byOwner = new WeakMap<object, LRUCache<string, Result>>()

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
    return this.#byOwner.get(owner)?.get(key)
  }

  /** Whether the key has a cached result. */
  has(owner: object, key: string): boolean {
    return this.#byOwner.get(owner)?.has(key) ?? false
  }

  /** Caches a result under a key that has none, as {@link findOrKeep} does. */
  keep(owner: object, rowCount: number, key: string, result: Result): void {
    if (!this.has(owner, key)) this.replace(owner, rowCount, key, result)
  }

  /** Caches a result under a key, in place of the former one. */
  replace(owner: object, rowCount: number, key: string, result: Result): void {
    let results = this.#byOwner.get(owner)
    if (results === undefined) {
      const share = Math.min(SELECTION_BYTES_MAX, rowCount * SELECTION_ROW_BYTES_MAX)
      results = new LRUCache({
        maxSize: Math.max(1, share), // the library refuses 0; no result is that small
        sizeCalculation: (cached, of) => this.bytesOf(cached) + of.length + ENTRY_BYTES,
      })
      this.#byOwner.set(owner, results)
    }
    results.set(key, result)
  }
}

/** Objects and array headers of one cached result, and its key's. */
const ENTRY_BYTES = 500
