import type { TransactionRow } from '../../store/columns.js'
import type { NewRow } from '../../store/workspace-writer.js'
import { type RowDigests, rowDigests } from '../import/identity.js'
import type { ImportOptions } from '../import/import-options.js'
import { StatementError } from '../statement.js'
import type { NumberedLine } from './ndjson-lines.js'
import {
  type AccountLine,
  type CategoryLine,
  parseResource,
  type TransactionLine,
} from './ndjson-resource.js'
import { rowOfTransactionLine } from './ndjson-row.js'

/** A line, as far as it does not depend on the lines before it. */
export type ReadLine = {
  /** `line 7`. */
  readonly position: string
} & (
  | { readonly kind: 'account'; readonly line: AccountLine }
  | { readonly kind: 'category'; readonly line: CategoryLine }
  | {
      readonly kind: 'transaction'
      readonly line: TransactionLine
      /** Its row, or the reason why it has none; undefined = it has no currency. */
      readonly content: LineRow | StatementError | undefined
    }
  | { readonly kind: 'refused'; readonly error: StatementError }
)

/** The row of a transaction line, without account and categories, and its digests. */
export interface LineRow {
  readonly row: NewRow<TransactionRow>
  readonly digests: RowDigests
}

/** Reads a line. */
export function readLine(numbered: NumberedLine, options: ImportOptions): ReadLine {
  const position = `line ${numbered.number}`
  const line = faultOr(() => parseResource(numbered))
  if (line instanceof StatementError) return { position, kind: 'refused', error: line }
  if (line.kind === 'account') return { position, kind: line.kind, line }
  if (line.kind === 'category') return { position, kind: line.kind, line }
  return { position, kind: 'transaction', line, content: contentOf(position, line, options) }
}

function contentOf(
  position: string,
  line: TransactionLine,
  options: ImportOptions,
): LineRow | StatementError | undefined {
  const currency = line.currency ?? options.currency
  if (currency === undefined) return undefined
  return faultOr(() => {
    const row = rowOfTransactionLine(position, line, currency, options.now)
    return { row, digests: rowDigests(row) }
  })
}

/** The result of `read`, or the fault that it has thrown. */
export function faultOr<T>(read: () => T): T | StatementError {
  try {
    return read()
  } catch (error) {
    if (error instanceof StatementError) return error
    throw error
  }
}
