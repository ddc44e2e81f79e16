import { formatInstant } from '../instant.js'
import { smallestScale } from '../money.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../store/columns.js'
import type { WorkspaceFile, WorkspaceVersion } from '../store/workspace-file.js'
import { IdCodes, type IdDictionary } from './id-dictionary.js'
import { RawColumns } from './raw-columns.js'
import {
  accountJson,
  categoryJson,
  categoryNameJson,
  type SharedFragments,
  transactionAccountJson,
  transactionJson,
} from './resource-json.js'
import { RowBytes } from './row-bytes.js'
import {
  type AccountEntry,
  type CategoryEntry,
  type JsonFragments,
  NO_INDEXES,
  type Segment,
  type Snapshot,
} from './snapshot.js'

/** Input of a snapshot: one state of one file. */
export interface WorkspaceRows extends SharedRows {
  readonly workspaceId: string
  readonly version: WorkspaceVersion
  readonly transactionCount: number
  /** Ids descending. */
  readonly transactions: Iterable<TransactionRow>
}

/** Resources that transactions name: all accounts and categories of one state, ids ascending. */
export interface SharedRows {
  readonly accounts: readonly AccountRow[]
  readonly categories: readonly CategoryRow[]
}

/** Reads one state of the file and builds its snapshot. @throws StoreError */
export function snapshotOfFile(workspaceId: string, file: WorkspaceFile): Snapshot {
  return file.consistently(() =>
    buildSnapshot({
      workspaceId,
      version: file.version(),
      accounts: file.accounts(),
      categories: file.categories(),
      transactionCount: file.transactionCount(),
      transactions: file.transactionsNewestFirst(),
    }),
  )
}

/** Builds a snapshot of one segment; all its columns are in shared memory. @throws StoreError */
export function buildSnapshot(rows: WorkspaceRows): Snapshot {
  const codes = new Codes({ accountIds: [], categoryIds: [] })
  const segment = buildSegment(rows, rows, codes)
  return {
    workspaceId: rows.workspaceId,
    version: rows.version,
    generation: 0,
    ...sharedEntries(rows, codes),
    segments: segment.rowCount === 0 ? [] : [{ segment, alive: undefined, ...NO_INDEXES }],
    staleFragments: new Map(),
  }
}

/** The codes of a workspace while its segments are built. */
export class Codes {
  readonly accounts: IdCodes
  readonly categories: IdCodes

  /** @param known codes of earlier segments of the workspace; empty for the first */
  constructor(known: IdDictionary) {
    this.accounts = new IdCodes(known.accountIds)
    this.categories = new IdCodes(known.categoryIds)
  }
}

/** Accounts and categories as a snapshot holds them; those without a code get one. */
export function sharedEntries(
  rows: SharedRows,
  codes: Codes,
): Pick<Snapshot, 'accounts' | 'categories' | 'idDictionary' | 'fragments'> {
  const accounts = rows.accounts.map((row) => accountEntry(row, codes))
  const categories = categoryEntries(rows.categories, codes)
  const idDictionary = { accountIds: codes.accounts.ids, categoryIds: codes.categories.ids }
  return {
    accounts,
    categories,
    idDictionary,
    fragments: fragmentsOf(idDictionary, sharedFragments(rows)),
  }
}

function accountEntry(row: AccountRow, { accounts }: Codes): AccountEntry {
  return {
    id: row.id,
    code: accounts.codeOf(row.id),
    iban: row.iban ?? undefined,
    blz: row.blz ?? undefined,
    bic: row.bic ?? undefined,
    currency: row.currency,
    balance:
      row.balanceUnscaled === null
        ? undefined
        : smallestScale({ unscaled: row.balanceUnscaled, scale: row.balanceScale ?? 0 }),
    bytes: Buffer.from(accountJson(row)),
  }
}

function categoryEntries(rows: readonly CategoryRow[], { categories }: Codes): CategoryEntry[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.map((row) => {
    const parent = row.parentId === null ? null : (byId.get(row.parentId) ?? null)
    const bytes = Buffer.from(categoryJson(row, parent))
    return { id: row.id, code: categories.codeOf(row.id), name: row.name, bytes }
  })
}

function fragmentsOf(
  { accountIds, categoryIds }: IdDictionary,
  shared: SharedFragments,
): JsonFragments {
  return {
    accounts: accountIds.map((id) => shared.account(id)),
    categories: categoryIds.map((id) => shared.category(id)),
  }
}

/** Transactions and their number, ids descending. */
interface RowSource {
  readonly transactionCount: number
  readonly transactions: Iterable<TransactionRow>
}

/**
 * Builds a segment of transactions.
 * @param shared accounts and categories that they name, as of the same state
 * @param codes new ids get a code
 * @throws StoreError
 */
export function buildSegment(source: RowSource, shared: SharedRows, codes: Codes): Segment {
  // Existing ones first, so that a new workspace's codes are the positions in its lists.
  for (const { id } of shared.accounts) codes.accounts.codeOf(id)
  for (const { id } of shared.categories) codes.categories.codeOf(id)
  const fragments = sharedFragments(shared)
  const columns = new RawColumns(source.transactionCount)
  const rendered = new RowBytes(source.transactionCount)
  let row = 0
  for (const transaction of source.transactions) {
    fillRow(columns, row, transaction, codes)
    rendered.append(`${transactionJson(transaction, fragments)},`)
    row += 1
  }
  const book = { accountIds: codes.accounts.ids, categoryIds: codes.categories.ids }
  return {
    ...columns.indexed({ accounts: book.accountIds.length, categories: book.categoryIds.length }),
    ...rendered.finish(),
    fragments: fragmentsOf(book, fragments),
  }
}

function fillRow(columns: RawColumns, row: number, from: TransactionRow, codes: Codes): void {
  columns.ids[row] = from.id
  columns.accountCodes[row] = codes.accounts.codeOf(from.accountId)
  columns.categoryCodes[row] = codes.categories.codeOrNone(from.categoryId)
  columns.parentCodes[row] = codes.categories.codeOrNone(from.parentCategoryId)
  columns.setCounterpart(row, from.counterpartIban)
  columns.bookedAt[row] = from.bookedAt ?? Number.NaN
  columns.valuedAt[row] = from.valuedAt ?? Number.NaN
  columns.importedAt[row] = from.importedAt
  const amount = smallestScale({ unscaled: from.amountUnscaled, scale: from.amountScale })
  columns.amounts[row] = amount.unscaled
  columns.scales[row] = amount.scale
  columns.setCurrency(row, from.currency)
}

function sharedFragments(rows: SharedRows): SharedFragments {
  const accounts = new Map(rows.accounts.map((row) => [row.id, transactionAccountJson(row)]))
  const categories = new Map(rows.categories.map((row) => [row.id, categoryNameJson(row)]))
  const instants = new Map<number, string>()
  const instant = (ms: number): string => {
    let printed = instants.get(ms)
    if (printed === undefined) {
      // Days repeat by the thousand, timestamps rarely: clearing all now and then is enough.
      if (instants.size > 50_000) instants.clear()
      printed = `"${formatInstant(ms)}"`
      instants.set(ms, printed)
    }
    return printed
  }
  return {
    instant,
    account: (id) => accounts.get(id) ?? '{}',
    category: (id) => (id === null ? '{}' : (categories.get(id) ?? '{}')),
  }
}
