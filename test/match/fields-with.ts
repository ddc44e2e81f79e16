import type { MatchFields } from '../../src/match/fields.js'

/** The fields of a transaction that has these and no other. */
export function fieldsWith(fields: Partial<MatchFields>): MatchFields {
  return {
    purpose: null,
    endToEndReference: null,
    customerReference: null,
    mandateReference: null,
    primanota: null,
    paypalInvoiceNumber: null,
    ...fields,
  }
}
