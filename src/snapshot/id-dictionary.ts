/**
 * Dictionary encoding of account and category ids, as Arrow and Parquet have it. An id gets a code
 * once and keeps it in every later snapshot of the workspace, whether or not there is such an
 * account or category at the time; so a segment outlives renames, removals and additions.
 */
export interface IdDictionary {
  /** Account id of each code, in order of first appearance. */
  readonly accountIds: readonly number[]
  /** Category id of each code, likewise. */
  readonly categoryIds: readonly number[]
}

/** Assigns codes to ids: those of a dictionary first, new ones as they appear. */
export class IdCodes {
  readonly ids: number[]
  readonly #codes: Map<number, number>

  constructor(known: readonly number[]) {
    this.ids = [...known]
    this.#codes = new Map(known.map((id, code) => [id, code]))
  }

  /** The code of an id, a new one when it has none yet. */
  codeOf(id: number): number {
    const known = this.#codes.get(id)
    if (known !== undefined) return known
    this.#codes.set(id, this.ids.length)
    return this.ids.push(id) - 1
  }

  /** As {@link codeOf}; {@link NO_CODE} for null. */
  codeOrNone(id: number | null): number {
    return id === null ? NO_CODE : this.codeOf(id)
  }
}

/** Means "no value" in a column of codes until all codes are known. */
export const NO_CODE = 0xffffffff
