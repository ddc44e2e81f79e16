import type { CodeArray, Ordinal } from '../ordinals/ordinal.js'
import type { WorkspaceVersion } from '../store/workspace-file.js'
import type { AmountColumn, InstantColumn } from './ordered-column.js'
import type { Postings } from './postings.js'
import type { StringTable } from './strings.js'

/**
 * A run of transactions, newest id first, as columns and rendered bytes in shared memory. Nothing
 * writes to a segment once it is built.
 *
 *   FIELD              SIZE          HOLDS, per ordinal
 *   ids                4|8 × rows    public id, descending
 *   rowBytes           total length  the row's JSON followed by a comma: `{…},{…},`
 *   rowOffsets         4 × (n + 1)   row is rowBytes[rowOffsets[o] .. rowOffsets[o + 1])
 *   accountCodes       1|2|4 × rows  index into Snapshot.accounts
 *   categoryCodes      1|2|4 × rows  index into Snapshot.categories; their count = none
 *   parentCodes        1|2|4 × rows  likewise, of the parent category
 *   counterpartCodes   1|2|4 × rows  code in counterpartIbans; their count = none
 */
export interface Segment {
  readonly rowCount: number
  readonly ids: Uint32Array | Float64Array
  readonly rowBytes: Uint8Array
  readonly rowOffsets: Uint32Array
  readonly accountCodes: CodeArray
  readonly accountPostings: Postings
  readonly categoryCodes: CodeArray
  readonly categoryPostings: Postings
  readonly parentCodes: CodeArray
  /** Rows that have the category as category or as parent category: the contract's wide look-up. */
  readonly eitherPostings: Postings
  readonly counterpartIbans: StringTable
  readonly counterpartCodes: CodeArray
  readonly counterpartPostings: Postings
  readonly booked: InstantColumn
  readonly valued: InstantColumn
  readonly imported: InstantColumn
  readonly amounts: AmountColumn
}

/** An account of the workspace; its code is its index in {@link Snapshot.accounts}. */
export interface AccountEntry {
  readonly id: number
  readonly iban: string | undefined
  readonly blz: string | undefined
  readonly bic: string | undefined
  /** The Account resource as JSON. */
  readonly bytes: Uint8Array
}

/** A category of the workspace; its code is its index in {@link Snapshot.categories}. */
export interface CategoryEntry {
  readonly id: number
  readonly name: string
  /** The Category resource as JSON. */
  readonly bytes: Uint8Array
}

/**
 * One workspace in memory at one version, immutable. Each transaction stands in one segment; which
 * one has no meaning.
 */
export interface Snapshot {
  readonly workspaceId: string
  readonly version: WorkspaceVersion
  /** Counts what was published in this process: no two snapshots share it, whatever they hold. */
  readonly generation: number
  /** Ids ascending. */
  readonly accounts: readonly AccountEntry[]
  /** Ids ascending. */
  readonly categories: readonly CategoryEntry[]
  readonly segments: readonly Segment[]
}

/** The ordinal of a public id, or undefined when the segment does not hold it. */
export function ordinalOfId(segment: Segment, id: number): Ordinal | undefined {
  const { ids, rowCount } = segment
  // Ids are mostly without gaps: the distance from the first one is then the ordinal itself.
  const guess = (ids[0] ?? 0) - id
  if (guess >= 0 && guess < rowCount && ids[guess] === id) return guess as Ordinal
  let low = 0
  let high = rowCount - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = ids[middle]! // middle <= high < rowCount
    if (found === id) return middle as Ordinal
    if (found > id) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** How many transactions the snapshot holds. */
export function transactionCount(snapshot: Snapshot): number {
  return snapshot.segments.reduce((count, segment) => count + segment.rowCount, 0)
}

/** Code of the account with this id, or -1. */
export function accountCodeOfId(snapshot: Snapshot, id: number): number {
  return codeOfId(snapshot.accounts, id)
}

/** Codes of the accounts with this IBAN (compact, upper case), usually one. */
export function accountCodesOfIban(snapshot: Snapshot, iban: string): number[] {
  return snapshot.accounts.flatMap((account, code) => (account.iban === iban ? [code] : []))
}

/** Code of the category with this id, or -1. */
export function categoryCodeOfId(snapshot: Snapshot, id: number): number {
  return codeOfId(snapshot.categories, id)
}

function codeOfId(entries: readonly { readonly id: number }[], id: number): number {
  let low = 0
  let high = entries.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = entries[middle]!.id // middle <= high < length
    if (found === id) return middle
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}
