import type { MatchedTransaction } from '../../../domain/matched-transaction.js'
import type { Transaction } from '../../../domain/transaction.js'

/** A text field of a transaction, and its label. */
export interface TextField {
  /** The name in the contract, with dots for nested fields. */
  readonly name: string
  readonly label: string
  readonly read: (row: Transaction) => string | undefined
}

/** The fields that a search looks into, in the order in which a row shows them. */
export const SEARCHED_FIELDS: readonly TextField[] = [
  { name: 'counterpart.name', label: 'Name', read: (row) => row.counterpart.name },
  { name: 'counterpart.iban', label: 'IBAN', read: (row) => row.counterpart.iban },
  { name: 'purpose', label: 'Purpose', read: (row) => row.purpose },
  { name: 'parentCategory.name', label: 'Broad category', read: (row) => row.parentCategory.name },
  { name: 'category.name', label: 'Category', read: (row) => row.category.name },
  { name: 'type', label: 'Type', read: (row) => row.type },
  {
    name: 'counterpart.accountNumber',
    label: 'Counterpart’s account',
    read: (row) => row.counterpart.accountNumber,
  },
  {
    name: 'counterpart.bankName',
    label: 'Counterpart’s bank',
    read: (row) => row.counterpart.bankName,
  },
  {
    name: 'counterpart.mandateReference',
    label: 'Mandate reference',
    read: (row) => row.counterpart.mandateReference,
  },
  {
    name: 'counterpart.creditorId',
    label: 'Creditor ID',
    read: (row) => row.counterpart.creditorId,
  },
  {
    name: 'counterpart.customerReference',
    label: 'Customer reference',
    read: (row) => row.counterpart.customerReference,
  },
  {
    name: 'endToEndReference',
    label: 'End-to-end reference',
    read: (row) => row.endToEndReference,
  },
  { name: 'primanota', label: 'Primanota', read: (row) => row.primanota },
  {
    name: 'paypal.invoiceNumber',
    label: 'PayPal invoice',
    read: (row) => row.paypal?.invoiceNumber,
  },
]

/** The fields that a row always shows; the others only when a term was found in them. */
export const SHOWN_NAMES: readonly string[] = [
  'counterpart.name',
  'counterpart.iban',
  'purpose',
  'parentCategory.name',
  'category.name',
]

/** The field of that name. @throws Error when there is none */
export function textField(name: string): TextField {
  const field = SEARCHED_FIELDS.find((known) => known.name === name)
  if (field === undefined) throw new Error(`no field is called ${name}`)
  return field
}

/** The transactions in a body of the service, which renders exactly these members. */
export function parseRows(json: string): MatchedTransaction[] {
  return JSON.parse(json) as MatchedTransaction[]
}
