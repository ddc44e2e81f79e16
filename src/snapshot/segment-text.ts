import type { TextIndex } from '../free-text/text-index.js'
import { TextIndexBuilder } from '../free-text/text-index-builder.js'
import type { Segment } from './snapshot.js'

/** The members of a rendered transaction that are searched and belong to the row itself. */
interface SearchedRow {
  readonly purpose?: string
  readonly type?: string
  readonly endToEndReference?: string
  readonly primanota?: string
  readonly paypal?: { readonly invoiceNumber?: string }
  readonly counterpart: {
    readonly name?: string
    readonly iban?: string
    readonly accountNumber?: string
    readonly bankName?: string
    readonly mandateReference?: string
    readonly creditorId?: string
    readonly customerReference?: string
  }
}

/**
 * The index of a segment's searched texts (decisions, "Free-text search"), but for the names of
 * categories: those can be renamed, and are searched as they are called now. Read from the rendered
 * rows, so that it is of the very rows that are listed, whatever has happened to the file since.
 */
export function textOfSegment({ rowCount, rowBytes, rowOffsets }: Segment): TextIndex {
  const builder = new TextIndexBuilder()
  const rows = Buffer.from(rowBytes.buffer, rowBytes.byteOffset, rowBytes.byteLength)
  for (let row = 0; row < rowCount; row++) {
    const text = rows.toString('utf8', rowOffsets[row], (rowOffsets[row + 1] ?? 1) - 1)
    // Rendered by resource-json.ts, which writes exactly these members.
    builder.add(searchedTexts(JSON.parse(text) as SearchedRow))
  }
  return builder.finish()
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
