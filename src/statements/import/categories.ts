import type { CategoryName } from '../../domain/category.js'
import type { CategoryRow } from '../../store/columns.js'
import type { NewRow } from '../../store/workspace-writer.js'
import { StatementError } from '../statement.js'
import type { BatchedRows } from './batched-rows.js'
import { DeletedIds } from './deleted-ids.js'
import { ImportedRows } from './imported-rows.js'
import { faultOfText } from './statement-row.js'

/** The chosen category, before anything is written: an existing one, or one to create. */
export type CategoryChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly row: CategoryRow }
  | {
      readonly kind: 'new'
      readonly id: number | null
      readonly name: string
      readonly parent: CategoryChoice
    }

const NONE: CategoryChoice = { kind: 'none' }

function nameKey(name: string): string {
  return `name ${name}`
}

function keyUnder(parentId: number | null, name: string): string {
  return `${parentId ?? 'broad'} ${name}`
}

/** The categories of a workspace while an import finds, creates and changes some of them. */
export class Categories extends ImportedRows<CategoryRow> {
  readonly deletedIds: DeletedIds
  /** Names in the file of existing categories that were kept: later lines may use them. */
  readonly #keptNames = new Map<number, string>()

  constructor(private readonly rows: BatchedRows) {
    super(rows.open.categories(), ({ name, parentId }) => [nameKey(name), keyUnder(parentId, name)])
    this.deletedIds = new DeletedIds(rows.open, 'category')
  }

  /** Keeps a category for which the file has another name or parent. */
  keep(id: number, nameInFile: string): void {
    this.#keptNames.set(id, nameInFile)
  }

  /** The category of that name under that parent; null = the broad one. Names are exact. */
  under(parentId: number | null, name: string): CategoryRow | undefined {
    return this.withKey(keyUnder(parentId, name))?.[0]
  }

  /**
   * The broad category of a `parentCategory`: `{}` or absent = none, an existing id, else the broad
   * one of that name, which is created when there is none.
   * @throws StatementError when the id is unknown and no name given, or has another name
   */
  chooseParent(position: string, named: CategoryName | undefined): CategoryChoice {
    if (named === undefined) return NONE
    const byId = this.#chooseById(position, 'parentCategory', named, NONE)
    if (byId !== undefined) return byId
    if (named.name === undefined) return NONE
    checkName(position, 'parentCategory', named.name)
    const broad = this.under(null, named.name)
    return broad === undefined
      ? { kind: 'new', id: null, name: named.name, parent: NONE }
      : { kind: 'known', row: broad }
  }

  /**
   * The category of a `category`: an existing id, else the one of that name under the given parent.
   * Without a parent: the broad one of that name, else the only detailed one. Created when there is
   * none, as a broad one when no parent is given.
   * @throws StatementError when the id is unknown and no name given or has another name, or when
   *   the name alone is ambiguous
   */
  choose(
    position: string,
    named: CategoryName | undefined,
    parent: CategoryChoice,
  ): CategoryChoice {
    if (named === undefined) return NONE
    const byId = this.#chooseById(position, 'category', named, parent)
    if (byId !== undefined) return byId
    if (named.name === undefined) return NONE
    checkName(position, 'category', named.name)
    const created: CategoryChoice = { kind: 'new', id: null, name: named.name, parent }
    if (parent.kind === 'new') return created
    const parentId = parent.kind === 'known' ? parent.row.id : null
    const row = this.under(parentId, named.name)
    if (row !== undefined) return { kind: 'known', row }
    if (parent.kind === 'known') return created
    const [detailed, another] = this.withKey(nameKey(named.name)) ?? []
    if (another !== undefined) {
      const message =
        `${JSON.stringify(named.name)} exists in several broader categories; ` +
        'specify one by parentCategory or an id'
      throw new StatementError({ position, field: 'category', message })
    }
    return detailed === undefined ? created : { kind: 'known', row: detailed }
  }

  /**
   * Creates the missing categories of the choice, unless settling another choice has just created
   * them.
   * @returns the category's id, or null for none
   */
  settle(choice: CategoryChoice): number | null {
    if (choice.kind === 'none') return null
    if (choice.kind === 'known') return choice.row.id
    const parentId = this.settle(choice.parent)
    const made = choice.id === null ? this.under(parentId, choice.name) : this.byId(choice.id)
    if (made !== undefined) return made.id
    return this.insert({ id: choice.id, name: choice.name, parentId }).id
  }

  /** The name of the choice in a report; a new one has a name and no id yet. */
  nameOf(choice: CategoryChoice): string | null {
    if (choice.kind === 'none') return null
    return choice.kind === 'known' ? choice.row.name : choice.name
  }

  insert(row: NewRow<CategoryRow>): CategoryRow {
    return this.add({ ...row, id: this.rows.insertCategory(row) }, row.id)
  }

  /**
   * Replaces name or parent of an existing category.
   * @throws StatementError when it would become its own descendant
   */
  replace(position: string, row: CategoryRow): void {
    let above = row.parentId
    while (above !== null) {
      if (above === row.id) {
        const message = 'the category would be its own parent'
        throw new StatementError({ position, field: 'parentCategory', message })
      }
      above = this.byId(above)?.parentId ?? null
    }
    this.rows.updateCategory(row)
    this.set(row)
  }

  #chooseById(
    position: string,
    member: 'category' | 'parentCategory',
    { id, name }: CategoryName,
    parent: CategoryChoice,
  ): CategoryChoice | undefined {
    if (id === undefined) return undefined
    const row = this.byId(id)
    if (row === undefined) {
      if (name === undefined) {
        const message = `there is no category with id ${id}; add its name to create it`
        throw new StatementError({ position, field: member, message })
      }
      checkName(position, member, name)
      this.deletedIds.checkNewId(position, `${member}.id`, id)
      if (parent.kind === 'new' && parent.id === id) {
        const message = 'the category would be its own parent'
        throw new StatementError({ position, field: 'parentCategory', message })
      }
      return { kind: 'new', id, name, parent }
    }
    const isNamedSo = name === undefined || name === row.name || name === this.#keptNames.get(id)
    if (!isNamedSo) {
      const names = `${JSON.stringify(row.name)}, not ${JSON.stringify(name)}`
      const message = `category ${id} has the name ${names}`
      throw new StatementError({ position, field: member, message })
    }
    return { kind: 'known', row }
  }
}

/** @throws StatementError when the name is not allowed for a category */
export function checkName(position: string, field: string, name: string): void {
  const message = name === '' ? 'a name must not be empty' : faultOfText(name)
  if (message !== undefined) throw new StatementError({ position, field, message })
}
