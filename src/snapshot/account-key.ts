import { compactCode } from '../iban.js'

/**
 * The text by which an account without an IBAN is known: its number and its bank. Banks write
 * `0532013000` and `532013000` for one account, and a BIC with or without its branch.
 * @param bank a BIC or a bank code
 * @returns undefined when either is missing: a number alone may be that of several banks
 */
export function accountKeyOf(
  accountNumber: string | null,
  bank: string | null,
): string | undefined {
  const number = compactCode(accountNumber ?? '')
  const compactBank = compactCode(bank ?? '')
  if (number === '' || compactBank === '') return undefined
  const plainNumber = DIGITS.test(number) ? number.replace(LEADING_ZEROS, '') : number
  const plainBank = BIC.test(compactBank) ? compactBank.slice(0, BIC_LENGTH) : compactBank
  return `${plainBank} ${plainNumber}`
}

const DIGITS = /^\d+$/
const LEADING_ZEROS = /^0+(?=\d)/
/** Bank, country and place; the branch may follow (ISO 9362). */
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const BIC_LENGTH = 8
