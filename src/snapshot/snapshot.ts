import type { TextIndex } from '../free-text/text-index.js'
import { lowerBound } from '../lower-bound.js'
import type { MatchIndex } from '../match/match-index.js'
import type { Amount } from '../money.js'
import { type BitSet, bitAt } from '../ordinals/bit-set.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import type { WorkspaceVersion } from '../store/workspace.js'
import type { ChangeLog } from './change-log.js'
import type { CounterpartColumn } from './counterparts.js'
import type { IdDictionary } from './id-dictionary.js'
import type { AmountColumn, InstantColumn } from './ordered-column.js'
import type { Postings } from './postings.js'
import type { TextColumn } from './raw-texts.js'
import type { StringTable } from './strings.js'

/**
 * A run of transactions, newest id first, as columns and rendered bytes in shared memory. Nothing
 * writes to a segment once it is built.
 *
 *   FIELD              SIZE          HOLDS, per ordinal
 *   ids                4|8 × rows    public id, descending
 *   rowBytes           total length  the row's JSON followed by a comma: `{…},{…},`
 *   rowOffsets         4 × (n + 1)   row is rowBytes[rowOffsets[o] .. rowOffsets[o + 1])
 *   accountCodes       1|2|4 × rows  code of the account (id-dictionary.ts)
 *   categoryCodes      1|2|4 × rows  code of the category; the segment's code count = none
 *   parentCodes        1|2|4 × rows  likewise, of the parent category
 *   counterpartCodes   1|2|4 × rows  code in counterpartIbans; their count = none
 *   currencyCodes      1|2|4 × rows  place in `currencies`
 *   counterpartKeys    a column      account-key.ts, of the counterparts without an IBAN
 */
export interface Segment {
  readonly rowCount: number
  readonly ids: Uint32Array | Float64Array
  /** Memory of rowBytes in a large segment; undefined = ordinary shared memory. */
  readonly rowMemory: WebAssembly.Memory | undefined
  readonly rowBytes: Uint8Array
  readonly rowOffsets: Uint32Array
  readonly accountCodes: CodeArray
  readonly accountPostings: Postings
  readonly categoryCodes: CodeArray
  readonly categoryPostings: Postings
  readonly parentCodes: CodeArray
  /** Rows that have the category as category or as parent category, for the filter by name. */
  readonly eitherPostings: Postings
  readonly counterpartIbans: StringTable
  readonly counterpartCodes: CodeArray
  readonly counterpartPostings: Postings
  /** IBAN and name of each row's counterpart. */
  readonly counterparts: CounterpartColumn
  readonly counterpartKeys: TextColumn
  readonly booked: InstantColumn
  readonly valued: InstantColumn
  readonly imported: InstantColumn
  readonly updated: InstantColumn
  readonly amounts: AmountColumn
  readonly currencyCodes: CodeArray
  readonly currencyPostings: Postings
  /** Distinct. */
  readonly currencies: readonly string[]
  /** Fragments of accounts and categories in the rendered rows; as many codes as it knows. */
  readonly fragments: JsonFragments
}

/** JSON fragments of transactions, by code; `{}` = there is no such account or category. */
export interface JsonFragments {
  readonly accounts: readonly string[]
  readonly categories: readonly string[]
}

/**
 * JSON fragments of a segment's rendered rows that are out of date since an account or category was
 * renamed: the new fragment by code; undefined = the old one still holds. Rows are patched when
 * they are sent, so that a rename costs nothing at the time, however many rows it affects.
 */
export interface StaleFragments {
  readonly accounts: readonly (string | undefined)[]
  readonly categories: readonly (string | undefined)[]
}

/** The segments of a snapshot that have outdated rows. */
export type StaleSegments = ReadonlyMap<Segment, StaleFragments>

/** A segment and its live rows. */
export interface LiveSegment {
  readonly segment: Segment
  /** Rows that were not updated or deleted since; undefined = all. */
  readonly alive: BitSet | undefined
  /** Index of searched words; undefined = still being built. */
  readonly text: TextIndex | undefined
  /** Index for matches; undefined = still being built. */
  readonly match: MatchIndex | undefined
}

/** Stands for indexes that are still being built. */
export const NO_INDEXES = { text: undefined, match: undefined } as const

/** An account of the workspace. */
export interface AccountEntry {
  readonly id: number
  readonly code: number
  readonly iban: string | undefined
  readonly accountNumber: string | undefined
  readonly blz: string | undefined
  readonly bic: string | undefined
  readonly currency: string
  /** undefined = unknown. */
  readonly balance: Amount | undefined
  /** The Account resource as JSON. */
  readonly bytes: Uint8Array
}

/** A category of the workspace. */
export interface CategoryEntry {
  readonly id: number
  readonly code: number
  readonly name: string
  /** The Category resource as JSON. */
  readonly bytes: Uint8Array
}

/**
 * One workspace in memory at one version, immutable. Each transaction is alive in one segment;
 * which one has no meaning.
 */
export interface Snapshot {
  readonly workspaceId: string
  readonly version: WorkspaceVersion
  /** Counts publications of this process: no two snapshots share it, whatever their content. */
  readonly generation: number
  /** Ids ascending. */
  readonly accounts: readonly AccountEntry[]
  /** Ids ascending. */
  readonly categories: readonly CategoryEntry[]
  readonly idDictionary: IdDictionary
  /** Present fragments of accounts and categories, for every code of the dictionary. */
  readonly fragments: JsonFragments
  readonly segments: readonly LiveSegment[]
  /** Segments whose rows have other fragments than `fragments`. */
  readonly staleFragments: StaleSegments
  /** The changes that lead to this version. */
  readonly log: ChangeLog
}

/** The ordinal of a public id, or undefined when the segment does not hold it. */
export function ordinalOfId(segment: Segment, id: number): Ordinal | undefined {
  const { ids, rowCount } = segment
  // Ids have few gaps: the distance from the first one is mostly the ordinal itself.
  const guess = (ids[0] ?? 0) - id
  if (guess >= 0 && guess < rowCount && ids[guess] === id) return guess as Ordinal
  const ordinal = lowerBound(0, rowCount, (other) => ids[other]! > id)
  return ordinal < rowCount && ids[ordinal] === id ? (ordinal as Ordinal) : undefined
}

/** Number of live rows of the segment. */
export function aliveCount({ segment, alive }: LiveSegment): number {
  return alive?.count ?? segment.rowCount
}

/** Whether every segment can be searched and matched. */
export function isIndexed({ segments }: Snapshot): boolean {
  return segments.every(hasIndexes)
}

/** Whether a segment can be searched and matched. */
export function hasIndexes({ text, match }: LiveSegment): boolean {
  return text !== undefined && match !== undefined
}

/** Number of transactions in the snapshot. */
export function transactionCount(snapshot: Snapshot): number {
  return snapshot.segments.reduce((count, live) => count + aliveCount(live), 0)
}

/** Segment and ordinal of a transaction, or undefined when no segment holds it. */
export function placeOfId(
  { segments }: Pick<Snapshot, 'segments'>,
  id: number,
): { readonly segment: Segment; readonly ordinal: Ordinal } | undefined {
  for (const { segment, alive } of segments) {
    const ordinal = ordinalOfId(segment, id)
    if (ordinal === undefined) continue
    if (alive === undefined || bitAt(alive.words, ordinal) === 1) return { segment, ordinal }
  }
  return undefined
}

/** The account with this id, or undefined. */
export function accountOfId(snapshot: Snapshot, id: number): AccountEntry | undefined {
  return entryOfId(snapshot.accounts, id)
}

/** The category with this id, or undefined. */
export function categoryOfId(snapshot: Snapshot, id: number): CategoryEntry | undefined {
  return entryOfId(snapshot.categories, id)
}

function entryOfId<Entry extends { readonly id: number }>(
  entries: readonly Entry[],
  id: number,
): Entry | undefined {
  const entry = entries[lowerBound(0, entries.length, (i) => entries[i]!.id < id)]
  return entry?.id === id ? entry : undefined
}
