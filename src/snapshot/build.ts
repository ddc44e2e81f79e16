import { strict as assert } from 'node:assert'
import { formatInstant } from '../instant.js'
import { smallestScale } from '../money.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../store/columns.js'
import type { WorkspaceState } from '../store/workspace.js'
import { accountKeyOf } from './account-key.js'
import { beginLog } from './change-log.js'
import { IdCodes, type IdDictionary } from './id-dictionary.js'
import { beyondBudget, type MemoryBudget } from './memory-budget.js'
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
import { SEGMENT_LIMITS, type SegmentLimits } from './segment-size.js'
import {
  type AccountEntry,
  type CategoryEntry,
  type JsonFragments,
  NO_INDEXES,
  type Segment,
  type Snapshot,
} from './snapshot.js'

/** Resources that transactions name: all accounts and categories of one state, ids ascending. */
export interface SharedRows {
  readonly accounts: readonly AccountRow[]
  readonly categories: readonly CategoryRow[]
}

/**
 * The snapshot of a state, with as few segments as the limits allow; all columns are in shared
 * memory.
 * @throws StoreError, also as soon as the rows take more than the budget
 */
export async function snapshotOfState(
  workspaceId: string,
  state: WorkspaceState,
  limits = SEGMENT_LIMITS,
  budget?: MemoryBudget,
): Promise<Snapshot> {
  const version = await state.version()
  const shared = await sharedRowsOf(state)
  const rowCount = await state.transactionCount()
  const codes = new Codes({ accountIds: [], categoryIds: [] })
  const totalBytes = budget?.bytes ?? Number.POSITIVE_INFINITY
  const builder = new SegmentBuilder(shared, codes, { rowCount, limits, totalBytes })
  await builder.appendAll(state.transactions('newest'))
  return firstSnapshot({ workspaceId, version }, shared, codes, builder.finish())
}

/** All accounts and categories of a state. @throws StoreError */
export async function sharedRowsOf(state: WorkspaceState): Promise<SharedRows> {
  return { accounts: await state.accounts(), categories: await state.categories() }
}

/** The first snapshot of a timeline. */
export function firstSnapshot(
  { workspaceId, version }: Pick<Snapshot, 'workspaceId' | 'version'>,
  shared: SharedRows,
  codes: Codes,
  segments: readonly Segment[],
): Snapshot {
  return {
    workspaceId,
    version,
    generation: 0,
    ...sharedEntries(shared, codes),
    segments: segments.map((segment) => ({ segment, alive: undefined, ...NO_INDEXES })),
    staleFragments: new Map(),
    log: beginLog(version.sequence),
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
    accountNumber: row.accountNumber ?? undefined,
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

/** Size of what is built. */
interface BuildSize {
  /** Upper bound of the number of rows; reserves address space, not memory. */
  readonly rowCount: number
  /** Absent = the limits of all segments. */
  readonly limits?: SegmentLimits
  /** Maximum bytes of all rendered rows together; absent = no limit. */
  readonly totalBytes?: number
}

/** Builds segments of transactions; each but the last is as large as the limits allow. */
export class SegmentBuilder {
  readonly #fragments: SharedFragments
  readonly #limits: SegmentLimits
  readonly #totalBytes: number
  readonly #finished: Segment[] = []
  #restCount: number
  #finishedBytes = 0
  #open: OpenSegment | undefined

  /**
   * @param shared accounts and categories of the same state as the transactions
   * @param codes codes of ids; new ids are added
   */
  constructor(
    shared: SharedRows,
    private readonly codes: Codes,
    private readonly size: BuildSize,
  ) {
    // Present ids first, so that the codes of a new workspace are positions in its lists.
    for (const { id } of shared.accounts) codes.accounts.codeOf(id)
    for (const { id } of shared.categories) codes.categories.codeOf(id)
    this.#fragments = sharedFragments(shared)
    this.#limits = size.limits ?? SEGMENT_LIMITS
    this.#totalBytes = size.totalBytes ?? Number.POSITIVE_INFINITY
    this.#restCount = size.rowCount
  }

  /**
   * Appends a transaction whose id is smaller than those before.
   * @throws StoreError when the row, or all rows together, exceed the limits
   */
  append(transaction: TransactionRow): void {
    const json = `${transactionJson(transaction, this.#fragments)},`
    let open = this.#open ?? this.#begin()
    if (!open.add(transaction, json, this.codes)) {
      this.#close(open)
      open = this.#begin()
      assert(open.add(transaction, json, this.codes), 'a first row has room')
    }
    if (this.#finishedBytes + open.byteCount > this.#totalBytes) {
      throw beyondBudget(this.size.rowCount, this.#totalBytes)
    }
    this.#restCount -= 1
  }

  /** Appends batches of transactions, ids descending. @throws StoreError as {@link append} */
  async appendAll(batches: AsyncIterable<readonly TransactionRow[]>): Promise<void> {
    for await (const batch of batches) for (const transaction of batch) this.append(transaction)
  }

  /** The segments, none without rows. To be called once. */
  finish(): Segment[] {
    if (this.#open !== undefined) this.#close(this.#open)
    return this.#finished
  }

  #begin(): OpenSegment {
    this.#open = new OpenSegment(this.#restCount, this.#limits)
    return this.#open
  }

  #close(open: OpenSegment): void {
    this.#finished.push(open.finish(this.codes, this.#fragments))
    this.#finishedBytes += open.byteCount
  }
}

/** Segments of these transactions, ids descending. @throws StoreError as {@link SegmentBuilder} */
export function segmentsOf(
  transactions: readonly TransactionRow[],
  shared: SharedRows,
  codes: Codes,
): Segment[] {
  const builder = new SegmentBuilder(shared, codes, { rowCount: transactions.length })
  for (const transaction of transactions) builder.append(transaction)
  return builder.finish()
}

/** A segment that is being built. */
class OpenSegment {
  readonly #columns: RawColumns
  readonly #rendered: RowBytes

  constructor(rowCount: number, limits: SegmentLimits) {
    this.#columns = new RawColumns(Math.min(rowCount, limits.rowCount))
    this.#rendered = new RowBytes(limits, rowCount)
  }

  /** Bytes of its rendered rows. */
  get byteCount(): number {
    return this.#rendered.byteCount
  }

  /** @returns false = the segment is full. @throws StoreError as {@link SegmentBuilder} */
  add(transaction: TransactionRow, json: string, codes: Codes): boolean {
    const row = this.#rendered.rowCount
    if (!this.#rendered.append(json)) return false
    fillRow(this.#columns, row, transaction, codes)
    return true
  }

  finish({ accounts, categories }: Codes, fragments: SharedFragments): Segment {
    const dictionary = { accountIds: accounts.ids, categoryIds: categories.ids }
    const counts = { accounts: accounts.ids.length, categories: categories.ids.length }
    return {
      ...this.#columns.indexed(this.#rendered.rowCount, counts),
      ...this.#rendered.finish(),
      fragments: fragmentsOf(dictionary, fragments),
    }
  }
}

function fillRow(columns: RawColumns, row: number, from: TransactionRow, codes: Codes): void {
  columns.ids[row] = from.id
  columns.accountCodes[row] = codes.accounts.codeOf(from.accountId)
  columns.categoryCodes[row] = codes.categories.codeOrNone(from.categoryId)
  columns.parentCodes[row] = codes.categories.codeOrNone(from.parentCategoryId)
  columns.counterparts.set(row, from.counterpartIban, from.counterpartName)
  columns.counterpartKeys.set(row, counterpartKeyOf(from))
  columns.bookedAt[row] = from.bookedAt ?? Number.NaN
  columns.valuedAt[row] = from.valuedAt ?? Number.NaN
  columns.importedAt[row] = from.importedAt
  columns.updatedAt[row] = from.updatedAt
  const amount = smallestScale({ unscaled: from.amountUnscaled, scale: from.amountScale })
  columns.amounts[row] = amount.unscaled
  columns.scales[row] = amount.scale
  columns.setCurrency(row, from.currency)
}

/** The account of a counterpart without an IBAN; undefined = unknown, or known by IBAN. */
function counterpartKeyOf(row: TransactionRow): string | undefined {
  const { counterpartIban, counterpartAccountNumber, counterpartBic } = row
  if (counterpartIban !== null && counterpartIban !== '') return undefined
  return accountKeyOf(counterpartAccountNumber, counterpartBic)
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
