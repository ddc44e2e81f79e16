import { formatInstant } from '../instant.js'
import { ROW_BYTES_MAX, SEGMENT_BYTES_MAX } from '../limits.js'
import { smallestScale } from '../money.js'
import { type CodeArray, sharedCodes, sharedFloat64, sharedUint32 } from '../ordinals/ordinal.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../store/columns.js'
import { StoreError } from '../store/database.js'
import type { WorkspaceFile, WorkspaceVersion } from '../store/workspace-file.js'
import { buildAmountColumn, buildInstantColumn } from './ordered-column.js'
import { buildPostings, buildUnionPostings } from './postings.js'
import {
  accountJson,
  categoryJson,
  categoryNameJson,
  type SharedPieces,
  transactionAccountJson,
  transactionJson,
} from './resource-json.js'
import type { AccountEntry, CategoryEntry, Segment, Snapshot } from './snapshot.js'
import { buildStringTable, codeOfString, stringCount } from './strings.js'

/** Bytes a rendered row is expected to take; more only costs a copy while building. */
const ROW_BYTES_EXPECTED = 700

/** Everything a snapshot is made from: one state of one file. */
export interface WorkspaceRows {
  readonly workspaceId: string
  readonly version: WorkspaceVersion
  readonly accounts: readonly AccountRow[]
  readonly categories: readonly CategoryRow[]
  readonly transactionCount: number
  /** Ids descending. */
  readonly transactions: Iterable<TransactionRow>
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

/** Builds a snapshot of one segment; all its arrays are in shared memory. @throws StoreError */
export function buildSnapshot(rows: WorkspaceRows): Snapshot {
  const segment = buildSegment(rows)
  return {
    workspaceId: rows.workspaceId,
    version: rows.version,
    generation: 0,
    accounts: rows.accounts.map(accountEntry),
    categories: categoryEntries(rows.categories),
    segments: segment.rowCount === 0 ? [] : [segment],
  }
}

function accountEntry(row: AccountRow): AccountEntry {
  return {
    id: row.id,
    iban: row.iban ?? undefined,
    blz: row.blz ?? undefined,
    bic: row.bic ?? undefined,
    bytes: Buffer.from(accountJson(row)),
  }
}

function categoryEntries(rows: readonly CategoryRow[]): CategoryEntry[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.map((row) => {
    const parent = row.parentId === null ? null : (byId.get(row.parentId) ?? null)
    return { id: row.id, name: row.name, bytes: Buffer.from(categoryJson(row, parent)) }
  })
}

/**
 * Builds a segment of the rows' transactions; its codes are places in the rows' accounts and
 * categories, so segments of one snapshot are built with the same ones. @throws StoreError
 */
export function buildSegment(rows: WorkspaceRows): Segment {
  const accountIds = new Map(rows.accounts.map((account, code) => [account.id, code]))
  const categoryIds = new Map(rows.categories.map((category, code) => [category.id, code]))
  const raw = readRows(rows, accountIds, categoryIds)
  const accountCodes = narrowed(raw.accountCodes, accountIds.size)
  const categoryCodes = narrowed(raw.categoryCodes, categoryIds.size)
  const parentCodes = narrowed(raw.parentCodes, categoryIds.size)
  const { table, codes } = codesOfTexts(raw.counterparts, raw.counterpartCodes)
  return {
    rowCount: rows.transactionCount,
    ids: narrowedIds(raw.ids),
    rowBytes: raw.rowBytes,
    rowOffsets: raw.rowOffsets,
    accountCodes,
    accountPostings: buildPostings(accountCodes, accountIds.size),
    categoryCodes,
    categoryPostings: buildPostings(categoryCodes, categoryIds.size),
    parentCodes,
    eitherPostings: buildUnionPostings([categoryCodes, parentCodes], categoryIds.size),
    counterpartIbans: table,
    counterpartCodes: codes,
    counterpartPostings: buildPostings(codes, stringCount(table)),
    booked: buildInstantColumn(raw.bookedAt),
    valued: buildInstantColumn(raw.valuedAt),
    imported: buildInstantColumn(raw.importedAt),
    amounts: buildAmountColumn(raw.amounts, raw.scales),
  }
}

interface RawColumns {
  readonly ids: Float64Array
  readonly rowBytes: Uint8Array
  readonly rowOffsets: Uint32Array
  readonly accountCodes: Uint32Array
  readonly categoryCodes: Uint32Array
  readonly parentCodes: Uint32Array
  readonly counterparts: ReadonlyMap<string, number>
  readonly counterpartCodes: Uint32Array
  readonly bookedAt: Float64Array
  readonly valuedAt: Float64Array
  readonly importedAt: Float64Array
  readonly amounts: Float64Array
  readonly scales: Uint8Array
}

function readRows(
  rows: WorkspaceRows,
  accountIds: ReadonlyMap<number, number>,
  categoryIds: ReadonlyMap<number, number>,
): RawColumns {
  const count = rows.transactionCount
  const ids = new Float64Array(count)
  const accountCodes = new Uint32Array(count)
  const categoryCodes = new Uint32Array(count)
  const parentCodes = new Uint32Array(count)
  const counterpartCodes = new Uint32Array(count)
  const counterparts = new Map<string, number>()
  const bookedAt = new Float64Array(count)
  const valuedAt = new Float64Array(count)
  const importedAt = new Float64Array(count)
  const amounts = new Float64Array(count)
  const scales = new Uint8Array(count)
  const rowOffsets = sharedUint32(count + 1)
  const bytes = new RowBytes(count)
  const shared = sharedPieces(rows)
  let row = 0
  for (const transaction of rows.transactions) {
    ids[row] = transaction.id
    accountCodes[row] = accountIds.get(transaction.accountId) ?? accountIds.size
    categoryCodes[row] = categoryIds.get(transaction.categoryId ?? 0) ?? categoryIds.size
    parentCodes[row] = categoryIds.get(transaction.parentCategoryId ?? 0) ?? categoryIds.size
    counterpartCodes[row] = codeOfText(counterparts, transaction.counterpartIban)
    bookedAt[row] = transaction.bookedAt ?? Number.NaN
    valuedAt[row] = transaction.valuedAt ?? Number.NaN
    importedAt[row] = transaction.importedAt
    const amount = smallestScale({
      unscaled: transaction.amountUnscaled,
      scale: transaction.amountScale,
    })
    amounts[row] = amount.unscaled
    scales[row] = amount.scale
    rowOffsets[row + 1] = bytes.append(`${transactionJson(transaction, shared)},`)
    row += 1
  }
  return {
    ids,
    rowBytes: bytes.finish(),
    rowOffsets,
    accountCodes,
    categoryCodes,
    parentCodes,
    counterparts,
    counterpartCodes,
    bookedAt,
    valuedAt,
    importedAt,
    amounts,
    scales,
  }
}

/** Rendered rows one after the other, in shared memory that is only committed as far as written. */
class RowBytes {
  #bytes: Buffer
  #end = 0

  constructor(rowCount: number) {
    this.#bytes = this.#allocate(rowCount * ROW_BYTES_EXPECTED + ROW_BYTES_MAX)
  }

  /** @returns where the text ends = where the next one begins */
  append(text: string): number {
    // A UTF-16 unit takes at most three UTF-8 bytes.
    if (this.#end + text.length * 3 > this.#bytes.length) {
      if (this.#bytes.length === SEGMENT_BYTES_MAX) {
        throw new StoreError('the workspace is too large: its rows take more than 4 GiB as JSON')
      }
      const grown = this.#allocate(this.#bytes.length * 2 + text.length * 3)
      grown.set(this.#bytes.subarray(0, this.#end))
      this.#bytes = grown
    }
    this.#end += this.#bytes.write(text, this.#end)
    return this.#end
  }

  /** A plain array: a Buffer would lose its class on the way to another thread. */
  finish(): Uint8Array {
    const { buffer } = this.#bytes
    // A copy gives small workspaces their exact size; a large one keeps its untouched tail, which
    // is address space and no memory.
    if (this.#end > ROW_BYTES_MAX * 16) return new Uint8Array(buffer, 0, this.#end)
    const exact = new Uint8Array(new SharedArrayBuffer(this.#end))
    exact.set(this.#bytes.subarray(0, this.#end))
    return exact
  }

  #allocate(byteCount: number): Buffer {
    return Buffer.from(new SharedArrayBuffer(Math.min(byteCount, SEGMENT_BYTES_MAX)))
  }
}

function sharedPieces(rows: WorkspaceRows): SharedPieces {
  const accounts = new Map(rows.accounts.map((row) => [row.id, transactionAccountJson(row)]))
  const categories = new Map(rows.categories.map((row) => [row.id, categoryNameJson(row)]))
  const instants = new Map<number, string>()
  const instant = (ms: number): string => {
    let printed = instants.get(ms)
    if (printed === undefined) {
      // Days repeat by the thousand, timestamps hardly: forgetting all now and then is enough.
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

function codeOfText(codes: Map<string, number>, text: string | null): number {
  if (text === null || text === '') return NO_TEXT
  const known = codes.get(text)
  if (known !== undefined) return known
  codes.set(text, codes.size)
  return codes.size - 1
}

const NO_TEXT = 0xffffffff

/** Codes in order of appearance -> codes in order of the sorted table. */
function codesOfTexts(
  texts: ReadonlyMap<string, number>,
  provisional: Uint32Array,
): { table: ReturnType<typeof buildStringTable>; codes: CodeArray } {
  const table = buildStringTable(texts.keys())
  const finalOf = new Uint32Array(texts.size)
  for (const [text, code] of texts) finalOf[code] = codeOfString(table, text)
  const codes = sharedCodes(provisional.length, texts.size)
  for (let row = 0; row < provisional.length; row++) {
    codes[row] = finalOf[provisional[row] ?? NO_TEXT] ?? texts.size
  }
  return { table, codes }
}

function narrowed(codes: Uint32Array, codeMax: number): CodeArray {
  const shared = sharedCodes(codes.length, codeMax)
  shared.set(codes)
  return shared
}

function narrowedIds(ids: Float64Array): Uint32Array | Float64Array {
  const fits = (ids[0] ?? 0) <= 0xffffffff
  const shared = fits ? sharedUint32(ids.length) : sharedFloat64(ids.length)
  shared.set(ids)
  return shared
}
