// The rows of a workspace file by the search rule (docs/contract/lists.md, "Free-text search"):
// read and normalized by plain code, for the other contenders of the search bench.
import type { EpochMs } from '../src/instant.js'
import type { TransactionRow } from '../src/store/columns.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { normalForms, splitAtWhiteSpace } from '../src/text/normal-forms.js'

/** One transaction with its searched fields. */
export interface SearchedRow {
  readonly id: number
  readonly bookedAt: EpochMs | null
  /** The non-empty fields as stored, one per line. */
  readonly text: string
  /** The words of all fields in the first normal form, in order. */
  readonly first: readonly string[]
  /** The same words in the second form; the same array where no word has a different one. */
  readonly second: readonly string[]
  /** The end-to-end reference as stored. */
  readonly reference: string | null
}

/** Calls `take` with each row, ids descending. @returns how many rows there are */
export function readSearchedRows(path: string, take: (row: SearchedRow) => void): number {
  const file = WorkspaceFile.openForReading(path)
  let count = 0
  try {
    const names = new Map(file.categories().map(({ id, name }) => [id, name]))
    for (const row of file.transactionsNewestFirst()) {
      take(searchedRow(row, names))
      count += 1
    }
  } finally {
    file.close()
  }
  return count
}

/** Names of a workspace's categories. */
export function categoryNames(path: string): string[] {
  const file = WorkspaceFile.openForReading(path)
  try {
    return file.categories().map(({ name }) => name)
  } finally {
    file.close()
  }
}

function searchedRow(row: TransactionRow, names: ReadonlyMap<number, string>): SearchedRow {
  const text = fieldsOf(row, names)
    .filter((field) => field !== null && field !== undefined && field !== '')
    .join('\n')
  const forms = normalForms(text)
  const first = splitAtWhiteSpace(forms.first)
  const second = forms.second === forms.first ? first : splitAtWhiteSpace(forms.second)
  const { id, bookedAt, endToEndReference } = row
  return { id, bookedAt, text, first, second, reference: endToEndReference }
}

function fieldsOf(
  row: TransactionRow,
  names: ReadonlyMap<number, string>,
): (string | null | undefined)[] {
  return [
    row.purpose,
    row.type,
    row.counterpartName,
    row.counterpartIban,
    row.counterpartAccountNumber,
    row.counterpartBankName,
    row.mandateReference,
    row.creditorId,
    row.customerReference,
    row.endToEndReference,
    row.primanota,
    row.paypalInvoiceNumber,
    names.get(row.categoryId ?? 0),
    names.get(row.parentCategoryId ?? 0),
  ]
}
