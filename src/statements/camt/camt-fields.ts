import { compactCode, isIban } from '../../iban.js'
import { type EpochMs, parseDay } from '../../instant.js'
import { type Amount, negateAmount, parseAmount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import type { StatementAccount } from '../statement.js'
import { cleanText, fillText } from '../text-field.js'
import { elementAt, textAt, type XmlElement } from './camt-cut.js'

/** An amount with its currency, without sign. */
export interface CamtAmount {
  readonly amount: Amount
  readonly currency: string
}

/** The fault of a field: its name and the rest of the sentence. */
export interface CamtFault {
  readonly field: string
  readonly message: string
}

/** Whether the result of reading a field is a fault. */
export function isFault(value: object | undefined): value is CamtFault {
  return value !== undefined && 'message' in value
}

// XML Schema's decimal has no exponent, and CAMT's amounts have no sign but CdtDbtInd.
const DECIMAL = /^\d+(\.\d*)?$/
const DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/

/**
 * Reads an amount element. @param fallback currency where the element has none
 * @returns undefined for no element
 */
export function readAmount(
  element: XmlElement | undefined,
  fallback?: string,
): CamtAmount | CamtFault | undefined {
  if (element === undefined) return undefined
  const text = element.text.trim()
  const field = element.name
  const amount = DECIMAL.test(text) ? parseAmount(text) : 'is not a decimal number'
  if (typeof amount === 'string') {
    const message = `"${text.slice(0, 80)}" ${amount}; expected for example 1234.56`
    return { field, message }
  }
  const currency = element.currency?.trim() ?? fallback
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) {
    const found = currency === undefined ? 'is absent' : `"${currency.slice(0, 80)}" is not valid`
    return { field: `${field} Ccy`, message: `the currency ${found}; expected for example EUR` }
  }
  return { amount, currency }
}

/** Reads a pair of `Amt` and `CdtDbtInd` into an amount with its sign. */
export function readSignedAmount(element: XmlElement, fallback?: string): CamtAmount | CamtFault {
  const found = readAmount(elementAt(element, 'Amt'), fallback)
  if (found === undefined)
    return { field: 'Amt', message: 'is absent; expected for example 1234.56' }
  if (isFault(found)) return found
  const direction = textAt(element, 'CdtDbtInd')
  if (direction === 'CRDT') return found
  if (direction === 'DBIT') return { ...found, amount: negateAmount(found.amount) }
  const what = direction === undefined ? 'is absent' : `"${direction.slice(0, 80)}" is unknown`
  return { field: 'CdtDbtInd', message: `${what}; expected CRDT or DBIT` }
}

/** The day of a date, with or without a time, midnight UTC; undefined for other texts. */
export function dayOfText(text: string): EpochMs | undefined {
  return parseDay(DATE.exec(text)?.[1] ?? '')
}

/**
 * Reads `Dt` or `DtTm` inside an element as the day the bank wrote, midnight UTC: a booking day is
 * a day of the bank's calendar, so a time and its offset do not change it.
 * @returns undefined for no element
 */
export function readCamtDay(element: XmlElement | undefined): EpochMs | CamtFault | undefined {
  if (element === undefined) return undefined
  const text = textAt(element, 'Dt') ?? textAt(element, 'DtTm') ?? ''
  const day = dayOfText(text)
  if (day !== undefined) return day
  const message = `"${text.slice(0, 80)}" is not a date; expected for example 2024-05-31`
  return { field: element.name, message }
}

/** `IBAN` below an account's `Id`, or `Othr/Id`, where some banks also write an IBAN. */
export function readAccountId(id: XmlElement | undefined): {
  readonly iban?: string
  readonly accountNumber?: string
} {
  const iban = compactCode(textAt(id, 'IBAN') ?? '')
  if (isMeantAsIban(iban)) return { iban }
  const other = cleanText(textAt(id, 'Othr', 'Id') ?? iban)
  if (other === undefined) return {}
  const compact = compactCode(other)
  return isIban(compact) ? { iban: compact } : { accountNumber: other }
}

/** The BIC below a `FinInstnId`: `BICFI` since version 3. */
export function readBic(institution: XmlElement | undefined): string | undefined {
  return cleanText(compactCode(textAt(institution, 'BICFI') ?? textAt(institution, 'BIC') ?? ''))
}

/** The name of a party, which versions from 4 on wrap in `Pty` or `Agt`. */
export function readPartyName(party: XmlElement | undefined): string | undefined {
  return cleanText(
    textAt(party, 'Nm') ??
      textAt(party, 'Pty', 'Nm') ??
      textAt(party, 'Agt', 'FinInstnId', 'Nm') ??
      textAt(party, 'FinInstnId', 'Nm'),
  )
}

/** Reads `Acct`; the account has no number when the element has none. */
export function readAccount(element: XmlElement): StatementAccount {
  const account: StatementAccount = { ...readAccountId(elementAt(element, 'Id')) }
  const servicer = elementAt(element, 'Svcr', 'FinInstnId')
  const currency = textAt(element, 'Ccy')
  fillText(account, 'name', cleanText(textAt(element, 'Nm')))
  fillText(account, 'holderName', readPartyName(elementAt(element, 'Ownr')))
  fillText(account, 'bankName', cleanText(textAt(servicer, 'Nm')))
  fillText(account, 'bic', readBic(servicer))
  fillText(account, 'currency', /^[A-Z]{3}$/.test(currency ?? '') ? currency : undefined)
  if (textAt(servicer, 'ClrSysMmbId', 'ClrSysId', 'Cd') === 'DEBLZ') {
    fillText(account, 'blz', cleanText(textAt(servicer, 'ClrSysMmbId', 'MmbId')))
  }
  return account
}
