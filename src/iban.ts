import { isValidBIC, isValidIBAN } from 'ibantools'

const IBAN_SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/

/** Upper case, without white space: how an IBAN or BIC is kept and compared. */
export function compactCode(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}

/** Whether the compact text has the shape of an IBAN; says nothing of its check digits. */
export function looksLikeIban(compact: string): boolean {
  return IBAN_SHAPE.test(compact)
}

/** Whether country, length, structure and check digits (ISO 13616, mod 97) are right. */
export function isIban(compact: string): boolean {
  return isValidIBAN(compact)
}

/** Whether the compact text is a BIC (ISO 9362). */
export function isBic(compact: string): boolean {
  return isValidBIC(compact)
}

/** The German bank code (positions 5 to 12) of a German IBAN, else undefined. */
export function blzOfIban(compact: string): string | undefined {
  return compact.startsWith('DE') && compact.length === 22 ? compact.slice(4, 12) : undefined
}

/**
 * The account number (positions 13 to 22) of a German IBAN without leading zeros, else undefined.
 */
export function accountNumberOfIban(compact: string): string | undefined {
  if (!compact.startsWith('DE') || compact.length !== 22) return undefined
  return compact.slice(12).replace(/^0+/, '')
}
