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

export const PRIMANOTA = MATCH_FIELDS.indexOf('primanota')

/**
 * The six fields of a transaction in compact form, one after another.
 *
 *   FIELD   HOLDS
 *   ends    field -> where its codes end; they begin where those of the field before end
 */
export interface CompactFields {
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly marks: Uint8Array
  readonly ends: Uint32Array
}

/** The compact form of a transaction's fields. */
export function compactFields(fields: MatchFields): CompactFields {
  const plain = MATCH_FIELDS.map((name) => plainOf(name, fields[name] ?? ''))
  const lengthMax = plain.reduce((sum, field) => sum + field.lengthMax, 0)
  const sink = {
    codes: new Uint8Array(lengthMax),
    gaps: new Uint8Array(lengthMax),
    marks: new Uint8Array(lengthMax),
    units: undefined,
  }
  const ends = new Uint32Array(MATCH_FIELDS.length)
  let end = 0
  plain.forEach((field, i) => {
    end += compactField(field, sink, end)
    ends[i] = end
  })
  return { codes: sink.codes, gaps: sink.gaps, marks: sink.marks, ends }
}

/** Prepares a field of a transaction for its compact form; a primanota has no lists. */
export function plainOf(name: keyof MatchFields, text: string): PlainField {
  return name === 'primanota' ? plainWhole(text) : plainField(text)
}
