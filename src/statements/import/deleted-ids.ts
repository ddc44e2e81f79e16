import type { Entity, OpenWorkspace } from '../../store/workspace-writer.js'
import { StatementError } from '../statement.js'

/** The deleted ids of one kind, during an import. */
export class DeletedIds {
  /** Larger ids were never deleted, so an import of new rows needs no query. */
  readonly #largestId: number

  constructor(
    private readonly file: Pick<OpenWorkspace, 'largestDeletedId' | 'isDeletedId'>,
    private readonly entity: Entity,
  ) {
    this.#largestId = file.largestDeletedId(entity)
  }

  /**
   * Checks an id that no resource has.
   * @param field the member of the line with the id
   * @throws StatementError when the id is that of a deleted resource
   */
  checkNewId(position: string, field: string, id: number | null | undefined): void {
    if (id === null || id === undefined || id > this.#largestId) return
    if (!this.file.isDeletedId(this.entity, id)) return
    const message =
      `${this.entity} ${id} was deleted, and ids are never reused, because keys may refer to ` +
      'them; omit the id to have a new one assigned'
    throw new StatementError({ position, field, message })
  }
}
