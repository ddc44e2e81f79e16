import { readFileSync } from 'node:fs'
import typia from 'typia'
import type { BankCountry } from './check-digits.js'

/** First names, surnames and towns; names of people combine the first two. */
export interface Names {
  firstNames: string[]
  surnames: string[]
  towns: string[]
  foreignSurnames: Record<Exclude<BankCountry, 'DE'>, string[]>
}

/**
 * An invented bank. German codes begin with 9, as no German bank's does, so that no IBAN made from
 * them exists.
 */
export interface Bank {
  country: BankCountry
  code: string
  bic: string
  name: string
}

/**
 * One of the company's own accounts; `bank` names a {@link Bank}. `bankName` is present when the
 * account shows it: most statements give the bank's codes alone.
 */
export interface OwnAccountWords {
  name: string
  currency: string
  bank?: string
  bankName?: string
  number: string
}

/** The company that owns the data. */
export interface OwnAccountsWords {
  holderName: string
  /** 11 digits, for the creditor identifier it collects under. */
  creditorNumber: string
  giro: OwnAccountWords
  savings: OwnAccountWords
  paypal: OwnAccountWords
  card: OwnAccountWords
}

/** A broad category and its detailed ones. */
export interface CategoryWords {
  name: string
  details: string[]
}

/**
 * A creditor that collects by direct debit: every `months` months an amount from `low` to `high`
 * cents.
 */
export interface CreditorWords {
  name: string
  category: string
  months: 1 | 3 | 12
  low: number
  high: number
  /** May hold {contract}, {month} and {year}. */
  purpose: string
}

/** Parts of company names, and the creditors of direct debits and taxes. */
export interface Companies {
  customerTrades: string[]
  legalForms: string[]
  supplierTrades: { trade: string; category: string }[]
  foreignSuppliers: { country: Exclude<BankCountry, 'DE'>; trade: string; form: string }[]
  creditors: CreditorWords[]
  authorities: { name: string; role: 'tax' | 'town' | 'health' | 'landlord' | 'lender' }[]
}

/** A shop, as on a card statement; amounts in cents. */
export interface Merchant {
  name: string
  category: string
  low: number
  high: number
}

/** A shop abroad; amounts in the smallest unit of its currency. */
export interface ForeignMerchant extends Merchant {
  place: string
  currency: string
}

/** Shops. */
interface Merchants {
  euro: (Merchant & { weight: number })[]
  foreign: ForeignMerchant[]
  /** Currency -> the value of 10,000 EUR. */
  perTenThousandEuro: Record<string, number>
}

/** Everything under data/demo. */
export interface Words {
  names: Names
  banks: Bank[]
  own: OwnAccountsWords
  categories: CategoryWords[]
  companies: Companies
  merchants: Merchants
  products: string[]
}

const assertWords = typia.createAssert<Words>()

/** Reads data/demo. Throws when a file is missing or does not match its interface. */
export function readWords(): Words {
  const read = (name: string): unknown => {
    const path = new URL(`../../../data/demo/${name}.json`, import.meta.url)
    return JSON.parse(readFileSync(path, 'utf8'))
  }
  return assertWords({
    names: read('names'),
    banks: read('banks'),
    own: read('own-accounts'),
    categories: read('categories'),
    companies: read('companies'),
    merchants: read('merchants'),
    products: read('products'),
  })
}
