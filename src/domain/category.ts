import type { ResourceId } from './account.js'

/** A category inside a transaction; `{}` if there is none. */
export interface CategoryName {
  id?: ResourceId
  name?: string
}

/** A category (docs/contract/resources.md, "Category"). */
export interface Category {
  id: ResourceId
  name: string
  /** The broader category; `{}` for a broad category. */
  parentCategory: CategoryName
}
