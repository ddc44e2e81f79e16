import { strict as assert } from 'node:assert'
import { remainderBy97 } from '../iban.js'
import type { Random } from './random.js'

/** Countries the invented banks are in. */
export type BankCountry = 'DE' | 'AT' | 'NL' | 'FR' | 'BE'

function twoCheckDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The IBAN of a national account number, compact (ISO 13616). @param bban digits and A to Z */
export function ibanOf(country: string, bban: string): string {
  return `${country}${twoCheckDigits(98 - remainderBy97(`${bban}${country}00`))}${bban}`
}

/**
 * The SEPA creditor identifier of a creditor (EPC262-08): the check digits do not cover its
 * business code, `ZZZ`.
 * @param national 11 digits
 */
export function creditorIdOf(country: string, national: string): string {
  const check = 98 - remainderBy97(`${national}${country}00`)
  return `${country}${twoCheckDigits(check)}ZZZ${national}`
}

/**
 * An account number of the bank, with the check digits its country has inside it.
 * @param bankCode DE 8 digits, AT 5, NL 4 letters, FR 10 (bank and branch), BE 3
 */
export function bbanOf(country: BankCountry, bankCode: string, random: Random): string {
  if (country === 'DE') return bankCode + random.digits(random.between(7, 10)).padStart(10, '0')
  if (country === 'AT') return bankCode + random.digits(8).padStart(11, '0')
  if (country === 'NL') return bankCode + random.digits(9).padStart(10, '0')
  if (country === 'FR') {
    const body = bankCode + random.digits(11)
    return body + twoCheckDigits(97 - remainderBy97(`${body}00`))
  }
  assert(country === 'BE')
  const body = bankCode + random.digits(7)
  const remainder = remainderBy97(body)
  return body + twoCheckDigits(remainder === 0 ? 97 : remainder)
}
