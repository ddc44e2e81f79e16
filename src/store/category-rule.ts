import type { TransactionRow } from './columns.js'

/**
 * Moves a lone broad category to `category`, as the contract requires: after the deletion of a
 * detailed category, or a write of another program, it may be in the other column.
 */
export function followCategoryRule(row: TransactionRow): TransactionRow {
  if (row.categoryId === null && row.parentCategoryId !== null) {
    row.categoryId = row.parentCategoryId
    row.parentCategoryId = null
  }
  return row
}
