import type { MatchFields } from '../match/fields.js'
import type { Segment } from './snapshot.js'
import { rowJson } from './stale-fragments.js'

/** The members of a rendered transaction that a match searches for a reference. */
export interface ReferenceRow {
  readonly purpose?: string
  readonly endToEndReference?: string
  readonly primanota?: string
  readonly paypal?: { readonly invoiceNumber?: string }
  readonly counterpart: {
    readonly mandateReference?: string
    readonly customerReference?: string
  }
}

/** The fields of a row that a match searches; they belong to the row itself. */
export function matchFieldsOf(segment: Segment, ordinal: number): MatchFields {
  const { buffer, byteOffset, byteLength } = rowJson(segment, ordinal, undefined)
  const json = Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
  // Rendered by resource-json.ts, which writes exactly these members.
  return matchFieldsIn(JSON.parse(json) as ReferenceRow)
}

/** The same fields of a parsed row. */
export function matchFieldsIn(row: ReferenceRow): MatchFields {
  return {
    purpose: row.purpose ?? null,
    endToEndReference: row.endToEndReference ?? null,
    customerReference: row.counterpart.customerReference ?? null,
    mandateReference: row.counterpart.mandateReference ?? null,
    primanota: row.primanota ?? null,
    paypalInvoiceNumber: row.paypal?.invoiceNumber ?? null,
  }
}
