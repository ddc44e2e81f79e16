// National account numbers as IBANs, so that an account is the same in every format of a bank.
// Check digits are derived from the number alone.
import { isIban, remainderBy97 } from '../../iban.js'

/** @returns undefined when the number does not have the country's structure or check digits */
function ibanOf(country: string, bban: string): string | undefined {
  if (!/^[A-Z0-9]{1,30}$/.test(bban)) return undefined
  const digits = 98 - remainderBy97(`${bban}${country}00`)
  const iban = `${country}${String(digits).padStart(2, '0')}${bban}`
  return isIban(iban) ? iban : undefined
}

/** The IBAN of a Belgian account number of 12 digits, whose last two are its check digits. */
export function belgianIban(number: string): string | undefined {
  return /^\d{12}$/.test(number) ? ibanOf('BE', number) : undefined
}

/** Weights of the check digits of a Spanish account (Código Cuenta Cliente). */
const SPANISH_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]

function spanishCheckDigit(tenDigits: string): number {
  const sum = SPANISH_WEIGHTS.reduce((total, weight, i) => total + weight * Number(tenDigits[i]), 0)
  const digit = 11 - (sum % 11)
  return digit === 11 ? 0 : digit === 10 ? 1 : digit
}

/**
 * The IBAN of a Spanish account.
 * @param bank 4 digits   @param branch 4 digits   @param number 10 digits
 */
export function spanishIban(bank: string, branch: string, number: string): string | undefined {
  if (!/^\d{4} \d{4} \d{10}$/.test(`${bank} ${branch} ${number}`)) return undefined
  if (/^0+$/.test(number)) return undefined
  const first = spanishCheckDigit(`00${bank}${branch}`)
  const second = spanishCheckDigit(number)
  return ibanOf('ES', `${bank}${branch}${first}${second}${number}`)
}

/** Letters of a French account number as digits: A and J are 1, S is 2. */
const RIB_LETTERS = '12345678912345678923456789'

function ribDigits(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => RIB_LETTERS[letter.charCodeAt(0) - 65] ?? '0')
}

/**
 * The IBAN of a French account, whose key (clé RIB) is derived. An account in Monaco has the same
 * number format and the country code MC, and cannot be distinguished.
 * @param bank 5 digits   @param branch 5 digits   @param number 11 letters and digits
 */
export function frenchIban(bank: string, branch: string, number: string): string | undefined {
  if (!/^\d{5} \d{5} [A-Z0-9]{11}$/.test(`${bank} ${branch} ${number}`)) return undefined
  const sum =
    89 * remainderBy97(bank) + 15 * remainderBy97(branch) + 3 * remainderBy97(ribDigits(number))
  const key = 97 - (sum % 97)
  return ibanOf('FR', `${bank}${branch}${number}${String(key).padStart(2, '0')}`)
}
