import { compactCode, isBic, isIban, looksLikeIban } from '../iban.js'
import type { StatementAccount } from './statement.js'

/** Shorter texts of the shape (`DE12A`) are account numbers; Norway's IBANs have 15 characters. */
const IBAN_LENGTH_MIN = 15

/** Whether the compact text is clearly meant as an IBAN, right check digits or not. */
export function isMeantAsIban(compact: string): boolean {
  return looksLikeIban(compact) && compact.length >= IBAN_LENGTH_MIN
}

/**
 * The account that a text names: an IBAN, a German `bank code/account number` (leading zeros of the
 * number are dropped), a `BIC/account`, each with or without a currency after it, else an account
 * number as written. @returns undefined for an empty text
 */
export function readOwnAccount(text: string): StatementAccount | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const compact = compactCode(trimmed)
  const suffix = /^(.{15,34})([A-Z]{3})$/.exec(compact)
  if (suffix?.[1] !== undefined && suffix[2] !== undefined && isIban(suffix[1])) {
    return { iban: suffix[1], currency: suffix[2] }
  }
  if (isMeantAsIban(compact)) return { iban: compact }
  const german = /^(\d{8})\/(\d+)([A-Z]{3})?$/.exec(compact)
  const accountNumber = german?.[2]?.replace(/^0+(?=\d)/, '') ?? ''
  if (german?.[1] !== undefined && accountNumber !== '' && accountNumber.length <= 23) {
    const account: StatementAccount = { blz: german[1], accountNumber }
    return german[3] === undefined ? account : { ...account, currency: german[3] }
  }
  const slash = trimmed.indexOf('/')
  const bank = slash === -1 ? '' : compactCode(trimmed.slice(0, slash))
  const rest = isBic(bank) ? readOwnAccount(trimmed.slice(slash + 1)) : undefined
  return rest === undefined ? { accountNumber: trimmed } : { ...rest, bic: bank }
}

/** The fault of an own IBAN that is accepted all the same; undefined = none. */
export function doubtOfIban(account: StatementAccount): string | undefined {
  if (account.iban === undefined || isIban(account.iban)) return undefined
  return `the account's IBAN ${account.iban} has wrong check digits or a wrong length`
}

/** The fault of a counterpart's IBAN that is accepted all the same; undefined = none. */
export function doubtOfCounterpartIban(iban: string | undefined): string | undefined {
  if (iban === undefined || isIban(iban)) return undefined
  return `the counterpart's IBAN ${iban} has wrong check digits or a wrong length`
}
