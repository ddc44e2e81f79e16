import {
  compactCode,
  hasRightCheckDigits,
  ibanLengthOf,
  isBic,
  isIban,
  looksLikeIban,
} from '../iban.js'
import type { StatementAccount } from './statement.js'

/** Shorter texts of the shape (`DE12A`) are account numbers; Norway's IBANs have 15 characters. */
const IBAN_LENGTH_MIN = 15

/** ISO 4217, with the currencies that the euro replaced. */
const CURRENCIES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...['ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE'],
])

const CURRENCY_LETTERS = 3

/**
 * Whether the compact text is clearly meant as an IBAN, valid or not: it begins with a country that
 * has IBANs.
 */
export function isMeantAsIban(compact: string): boolean {
  return (
    looksLikeIban(compact) &&
    compact.length >= IBAN_LENGTH_MIN &&
    ibanLengthOf(compact) !== undefined
  )
}

/**
 * Like {@link isMeantAsIban}, where other codes are as likely: the length must be that of the
 * country.
 */
export function isSurelyIban(compact: string): boolean {
  return isMeantAsIban(compact) && ibanLengthOf(compact) === compact.length
}

/** Removes the currency after an account: `1291.99.348EUR`, `1234/HUF`, an IBAN with `EUR`. */
function withoutCurrency(text: string): { readonly name: string; readonly currency?: string } {
  const currency = text.slice(-CURRENCY_LETTERS)
  let end = text.length - CURRENCY_LETTERS
  while (end > 0 && /[\s/]/.test(text[end - 1] ?? '')) end -= 1
  if (end <= 0 || !CURRENCIES.has(currency)) return { name: text }
  const name = text.slice(0, end)
  const isSeparate = end < text.length - CURRENCY_LETTERS
  const compact = compactCode(name)
  const isWholeIban = isIban(compact) || isSurelyIban(compact)
  // An IBAN may end in letters itself, so its length decides; an account number ends in a digit.
  const isNumber = /\d$/.test(name) && !isMeantAsIban(compactCode(text))
  return isSeparate || isWholeIban || isNumber ? { name, currency } : { name: text }
}

/** The account of a text: an IBAN, a German `bank code/account number` or an account number. */
function numberOf(text: string): StatementAccount {
  const compact = compactCode(text)
  if (isMeantAsIban(compact)) return { iban: compact }
  const german = /^(\d{8})\/(\d+)$/.exec(compact)
  const accountNumber = german?.[2]?.replace(/^0+(?=\d)/, '') ?? ''
  if (german?.[1] !== undefined && accountNumber !== '' && accountNumber.length <= 23) {
    return { blz: german[1], accountNumber }
  }
  return { accountNumber: text }
}

/** The account of a text without a currency after it. */
function accountOf(text: string): StatementAccount {
  const slash = text.indexOf('/')
  if (slash === -1) return numberOf(text)
  const bank = compactCode(text.slice(0, slash))
  const rest = text.slice(slash + 1).trim()
  if (rest !== '' && isBic(bank)) return { ...numberOf(rest), bic: bank }
  return isIban(compactCode(rest)) ? { iban: compactCode(rest) } : numberOf(text)
}

/**
 * The account that a text names: an IBAN, a German `bank code/account number` (leading zeros of the
 * number are dropped), a `BIC/account`, each with or without a currency after it, else an account
 * number as written. @returns undefined for an empty text
 */
export function readOwnAccount(text: string): StatementAccount | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const { name, currency } = withoutCurrency(trimmed)
  const account = accountOf(name)
  return currency === undefined ? account : { ...account, currency }
}

/** Warning about an own IBAN that is invalid but accepted; undefined = none. */
export function warningOfIban(account: StatementAccount): string | undefined {
  if (account.iban === undefined || isIban(account.iban)) return undefined
  return `the account's IBAN ${account.iban} has wrong check digits or a wrong length`
}

/** Warning about a counterpart's IBAN that is invalid but accepted; undefined = none. */
export function warningOfCounterpartIban(iban: string | undefined): string | undefined {
  if (iban === undefined || (isSurelyIban(iban) && hasRightCheckDigits(iban))) return undefined
  return `the counterpart's IBAN ${iban} has wrong check digits or a wrong length`
}
