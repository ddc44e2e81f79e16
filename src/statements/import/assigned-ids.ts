import { lowerBound } from '../../lower-bound.js'
import { StatementError } from '../statement.js'

/**
 * The ids that an import has assigned to resources without one. A later line of the same file
 * cannot refer to that resource by id, because its writer did not know the id.
 */
export class AssignedIds {
  /** Ranges `[first, last]`, ascending: ids are assigned upwards, so there are few. */
  readonly #ranges: [first: number, last: number][] = []

  /** @param id larger than every id added before */
  add(id: number): void {
    const range = this.#ranges.at(-1)
    if (range !== undefined && range[1] === id - 1) range[1] = id
    else this.#ranges.push([id, id])
  }

  has(id: number): boolean {
    const ranges = this.#ranges
    const [first] = ranges[lowerBound(0, ranges.length, (i) => (ranges[i]?.[1] ?? id) < id)] ?? []
    return first !== undefined && first <= id
  }

  /** @throws StatementError when the id has been assigned */
  check(position: string, id: number | null | undefined): void {
    if (id === null || id === undefined || !this.has(id)) return
    const message = `an earlier line without an id was assigned ${id}; put lines with ids first`
    throw new StatementError({ position, field: 'id', message })
  }
}
