import { strict as assert } from 'node:assert'
import type { TextIndex } from '../free-text/text-index.js'
import { TextIndexBuilder } from '../free-text/text-index-builder.js'
import type { MatchIndex } from '../match/match-index.js'
import { MatchIndexBuilder } from '../match/match-index-builder.js'
import { MERGED_ROWS_MAX } from './compaction.js'
import { matchFieldsIn, type ReferenceRow } from './match-fields.js'
import { type LiveSegment, NO_INDEXES, type Segment } from './snapshot.js'

/**
 * Rows whose indexes are built together with them: a quarter of a second. Of more, lists are served
 * before searches and matches are.
 */
export const INDEXED_AT_ONCE_ROWS_MAX = 20_000

assert(
  MERGED_ROWS_MAX <= INDEXED_AT_ONCE_ROWS_MAX,
  'rows that a change merges have indexes at once',
)

/** The indexes that searches and matches of a segment use. */
export interface SegmentIndexes {
  readonly text: TextIndex
  readonly match: MatchIndex
}

/** The members of a rendered transaction that are searched and belong to the row itself. */
interface SearchedRow extends ReferenceRow {
  readonly type?: string
  readonly counterpart: ReferenceRow['counterpart'] & {
    readonly name?: string
    readonly iban?: string
    readonly accountNumber?: string
    readonly bankName?: string
    readonly creditorId?: string
  }
}

/**
 * The indexes of a segment's searched texts (docs/contract/lists.md, "Free-text search"), except
 * the names of categories, which can be renamed and are searched under their present names; and of
 * the fields that may contain a reference. They are read from the rendered rows, so that they
 * describe exactly the rows that are listed, whatever has happened to the file since.
 */
export function indexesOfSegment(segment: Segment): SegmentIndexes {
  const text = new TextIndexBuilder()
  const match = new MatchIndexBuilder(segment.rowCount)
  readRows(segment, (row) => {
    text.add(searchedTexts(row))
    match.add(matchFieldsIn(row))
  })
  return { text: text.finish(), match: match.finish() }
}

/** The indexes of a segment if it is small enough to be indexed synchronously. */
export function indexesAtOnce(segment: Segment): Pick<LiveSegment, 'text' | 'match'> {
  return segment.rowCount > INDEXED_AT_ONCE_ROWS_MAX ? NO_INDEXES : indexesOfSegment(segment)
}

/** The text index of {@link indexesOfSegment} alone, for benches. */
export function textOfSegment(segment: Segment): TextIndex {
  const text = new TextIndexBuilder()
  readRows(segment, (row) => text.add(searchedTexts(row)))
  return text.finish()
}

function readRows(
  { rowCount, rowBytes, rowOffsets }: Segment,
  read: (row: SearchedRow) => void,
): void {
  const rows = Buffer.from(rowBytes.buffer, rowBytes.byteOffset, rowBytes.byteLength)
  for (let row = 0; row < rowCount; row++) {
    const json = rows.toString('utf8', rowOffsets[row], (rowOffsets[row + 1] ?? 1) - 1)
    // Rendered by resource-json.ts, which writes exactly these members.
    read(JSON.parse(json) as SearchedRow)
  }
}

function searchedTexts(row: SearchedRow): (string | null)[] {
  const { counterpart } = row
  return [
    row.purpose ?? null,
    row.type ?? null,
    counterpart.name ?? null,
    counterpart.iban ?? null,
    counterpart.accountNumber ?? null,
    counterpart.bankName ?? null,
    counterpart.mandateReference ?? null,
    counterpart.creditorId ?? null,
    counterpart.customerReference ?? null,
    row.endToEndReference ?? null,
    row.primanota ?? null,
    row.paypal?.invoiceNumber ?? null,
  ]
}
