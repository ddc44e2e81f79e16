import type { ResourceId } from './account.js'

/** A category as it stands inside a transaction; `{}` when there is none. */
export interface CategoryName {
  id?: ResourceId
  name?: string
}

/** A category (docs/contract/resources.md, "Category"). */
export interface Category {
  id: ResourceId
  name: string
  /** The broader category, `{}` when this one is a broad category itself. */
  parentCategory: CategoryName
}
