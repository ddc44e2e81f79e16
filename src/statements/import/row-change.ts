import { formatInstant } from '../../instant.js'
import { formatAmount } from '../../money.js'
import type { Columns } from '../../store/columns.js'

/** The kind of a row's resource, as in NDJSON. */
export type RowKind = 'account' | 'category' | 'transaction'

/** One field in which a file differs from a row of the workspace. */
export interface RowChange {
  readonly kind: RowKind
  readonly id: number
  /** As in a line of NDJSON: `counterpart.iban`. */
  readonly field: string
  /** Value of the row before the import; null = none. Longer texts are cut. */
  readonly old: FieldValue
  /** Value in the file. */
  readonly new: FieldValue
}

type FieldValue = string | number | null

/** The changed field; the rest of a change identifies the row. */
export type FieldChange = Pick<RowChange, 'field' | 'old' | 'new'>

/** Characters of a text that a change quotes: enough to recognize it; 100 changes fit on a page. */
const CHANGED_TEXT_MAX = 200

/** Properties of rows whose names differ from those of NDJSON; the others are equal. */
const MEMBERS: Readonly<Record<string, string>> = {
  importedAt: 'importDate',
  bookedAt: 'bookingDate',
  valuedAt: 'valueDate',
  categoryId: 'category.id',
  parentCategoryId: 'parentCategory.id',
  parentId: 'parentCategory.id',
  counterpartAccountNumber: 'counterpart.accountNumber',
  counterpartName: 'counterpart.name',
  counterpartIban: 'counterpart.iban',
  counterpartBic: 'counterpart.bic',
  counterpartBankName: 'counterpart.bankName',
  mandateReference: 'counterpart.mandateReference',
  creditorId: 'counterpart.creditorId',
  customerReference: 'counterpart.customerReference',
  paypalInvoiceNumber: 'paypal.invoiceNumber',
  paypalFee: 'paypal.fee',
  paypalNet: 'paypal.net',
}

/** Whether two rows are equal: 1.50 is 1.5, and an empty text equals none. */
export function isSameRow<Row extends object>(columns: Columns<Row>, a: Row, b: Row): boolean {
  return columns.every(([property]) => isSameField(property, a, b))
}

/** The fields in which two rows of one id differ, in the order of the columns. */
export function fieldChanges<Row extends object>(
  columns: Columns<Row>,
  old: Row,
  replacement: Row,
): FieldChange[] {
  return columns.flatMap(([property]) => {
    if (isSameField(property, old, replacement)) return []
    const name = property.replace(/Unscaled$/, '')
    const field = MEMBERS[name] ?? name
    return [{ field, old: shown(old, property), new: shown(replacement, property) }]
  })
}

function isSameField<Row extends object>(property: keyof Row & string, a: Row, b: Row): boolean {
  if (property.endsWith('Scale')) return true
  if (!property.endsWith('Unscaled')) return valueOrNull(a[property]) === valueOrNull(b[property])
  return amountText(a, property) === amountText(b, property)
}

/** 0 is a value: 1970-01-01 is a day like any other. */
function valueOrNull<Value>(value: Value): Value | null {
  return value === '' ? null : (value ?? null)
}

function shown<Row extends object>(row: Row, property: keyof Row & string): FieldValue {
  if (property.endsWith('Unscaled')) return amountText(row, property)
  const value = valueOrNull(row[property])
  if (typeof value === 'number') return property.endsWith('At') ? formatInstant(value) : value
  if (typeof value !== 'string') return null
  if (value.length <= CHANGED_TEXT_MAX) return value
  // Half a surrogate pair at the cut is not a character.
  return `${value.slice(0, CHANGED_TEXT_MAX).replace(/[\ud800-\udbff]$/, '')}…`
}

function amountText(row: object, property: string): string | null {
  const fields = row as Readonly<Record<string, number | null>>
  const unscaled = fields[property] ?? null
  const scale = fields[property.replace(/Unscaled$/, 'Scale')] ?? 0
  return unscaled === null ? null : formatAmount(unscaled, scale)
}
