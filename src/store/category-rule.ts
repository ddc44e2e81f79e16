import type { TransactionRow } from './columns.js'

/**
 * Applies the rule that a lone broad category is in `category`, to a row that any program may have
 * written: deleting a detailed category leaves the broad one in the other column.
 */
export function followCategoryRule(row: TransactionRow): TransactionRow {
  if (row.categoryId === null && row.parentCategoryId !== null) {
    row.categoryId = row.parentCategoryId
    row.parentCategoryId = null
  }
  return row
}
