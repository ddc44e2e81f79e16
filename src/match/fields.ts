import { compactField, type PlainField, plainField, plainWhole } from './compact.js'

/** The fields of a transaction that may contain a reference; null = it has none. */
export interface MatchFields {
  readonly purpose: string | null
  readonly endToEndReference: string | null
  readonly customerReference: string | null
  readonly mandateReference: string | null
  readonly primanota: string | null
  readonly paypalInvoiceNumber: string | null
}

/** The fields in the order of their compact forms. */
export const MATCH_FIELDS = [
  'purpose',
  'endToEndReference',
  'customerReference',
  'mandateReference',
  'primanota',
  'paypalInvoiceNumber',
] as const satisfies readonly (keyof MatchFields)[]

/** Fields of a row. */
export const FIELD_COUNT = MATCH_FIELDS.length

export const PRIMANOTA = MATCH_FIELDS.indexOf('primanota')

/**
 * The fields of rows in compact form (codes.ts).
 *
 *   FIELD     SIZE               HOLDS
 *   codes     1 × codes          rows one after another, each with its fields in the order of
 *                                MATCH_FIELDS
 *   gaps      1 × codes          the gap before each code
 *   marks     1 × codes          its other properties for an alignment (marks.ts)
 *   offsets   4 × (6 × rows + 1) 6 × row + field -> where its codes begin; they end where those of
 *                                the next one begin
 */
export interface CompactRows {
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly marks: Uint8Array
  readonly offsets: Uint32Array
}

/** A single row, and the origin of its codes. */
export interface CompactFields extends CompactRows {
  /** Code -> unit of the plain text of its field. */
  readonly units: Int32Array
}

/** The compact form of a transaction's fields. */
export function compactFields(fields: MatchFields): CompactFields {
  const plain = MATCH_FIELDS.map((name) => {
    const text = fields[name]
    return text === null ? undefined : plainFieldOf(name, text)
  })
  const lengthMax = plain.reduce((sum, field) => sum + (field?.lengthMax ?? 0), 0)
  const codes = new Uint8Array(lengthMax)
  const gaps = new Uint8Array(lengthMax)
  const marks = new Uint8Array(lengthMax)
  const units = new Int32Array(lengthMax)
  const sink = { codes, gaps, marks, units }
  const offsets = new Uint32Array(FIELD_COUNT + 1)
  let end = 0
  plain.forEach((field, i) => {
    if (field !== undefined) end += compactField(field, sink, end)
    offsets[i + 1] = end
  })
  return { codes, gaps, marks, units, offsets }
}

/** Prepares a field of a transaction for its compact form; a primanota has no lists. */
export function plainFieldOf(name: keyof MatchFields, text: string): PlainField {
  return name === 'primanota' ? plainWhole(text) : plainField(text)
}
