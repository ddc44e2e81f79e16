import { lowerBound } from '../../lower-bound.js'
import { AssignedIds } from './assigned-ids.js'

/** Rows of one kind while an import finds, creates and changes some of them. */
export class ImportedRows<Row extends { readonly id: number }> {
  readonly assignedIds = new AssignedIds()
  readonly #madeIds = new Set<number>()
  readonly #byId = new Map<number, Row>()
  /** Every list in ascending order of id. */
  readonly #byKey = new Map<string, Row[]>()

  /**
   * @param rows of the workspace before the import
   * @param keysOf the keys under which a row is found
   */
  constructor(
    rows: Iterable<Row>,
    private readonly keysOf: (row: Row) => readonly string[],
  ) {
    for (const row of rows) this.set(row)
  }

  byId(id: number): Row | undefined {
    return this.#byId.get(id)
  }

  /** Whether this import has created the row. */
  isMadeHere(id: number): boolean {
    return this.#madeIds.has(id)
  }

  /** Number of rows that this import has created. */
  protected get madeCount(): number {
    return this.#madeIds.size
  }

  /** The rows with a key, in ascending order of id; undefined = none. */
  protected withKey(key: string): readonly Row[] | undefined {
    return this.#byKey.get(key)
  }

  /** Adds a created row. @param givenId the id in the file; null = a new one was assigned */
  protected add(row: Row, givenId: number | null): Row {
    if (givenId === null) this.assignedIds.add(row.id)
    this.#madeIds.add(row.id)
    this.set(row)
    return row
  }

  /** Adds a row, or replaces the one with its id. */
  protected set(row: Row): void {
    const old = this.#byId.get(row.id)
    for (const key of old === undefined ? [] : this.keysOf(old)) {
      const rows = this.#byKey.get(key) ?? []
      const place = placeOf(rows, row.id)
      if (rows[place]?.id === row.id) rows.splice(place, 1)
      if (rows.length === 0) this.#byKey.delete(key)
    }
    this.#byId.set(row.id, row)
    for (const key of this.keysOf(row)) {
      // In place: a copy for each row would make many rows of one key quadratic.
      const rows = this.#byKey.get(key)
      if (rows === undefined) this.#byKey.set(key, [row])
      else rows.splice(placeOf(rows, row.id), 0, row)
    }
  }
}

/** The place of an id in a list in ascending order of id. */
function placeOf(rows: readonly { readonly id: number }[], id: number): number {
  return lowerBound(0, rows.length, (place) => (rows[place]?.id ?? id) < id)
}
