import { strict as assert } from 'node:assert'
import { bbanOf, creditorIdOf, ibanOf } from './check-digits.js'
import type { Random } from './random.js'
import type { Bank, Companies, CreditorWords, Names, Words } from './words.js'

/** A person or firm with a bank account; null = not in the bank's data. */
export interface Party {
  readonly name: string
  readonly iban: string
  readonly bic: string | null
  readonly bankName: string | null
}

/** A buyer of the company's products. */
export interface Customer extends Party {
  /** Five digits; `Kd-Nr` in a purpose. */
  readonly number: string
  readonly email: string
  readonly mandateReference: string
}

/** A supplier of the company, with the numbering of its invoices. */
export interface Supplier extends Party {
  readonly category: string
  readonly country: string
  readonly numbering: 'inv' | 'year-slash' | 'facture' | 'plain' | 'short-year' | 'factuur'
  /** The company's number with the supplier. */
  readonly customerNumber: string
}

/** An employee, paid every month. `monthlyCents` is the net pay of the first year. */
export interface Employee extends Party {
  readonly number: string
  readonly monthlyCents: number
}

/** A creditor that collects by direct debit. */
export interface Creditor extends Party, Omit<CreditorWords, 'name'> {
  readonly creditorId: string
}

/** All counterparts with an account; shops are only names, in words.ts. */
export interface Counterparts {
  readonly businesses: readonly Customer[]
  readonly people: readonly Customer[]
  readonly suppliers: readonly Supplier[]
  readonly employees: readonly Employee[]
  readonly creditors: readonly Creditor[]
  readonly taxOffice: Party
  readonly town: Party
  readonly lender: Party
  readonly landlord: Party
  readonly healthFunds: readonly Party[]
}

// Together with 45 creditors, 8 authorities and 74 shops: 600, however many rows there are.
const BUSINESSES_COUNT = 230
const PEOPLE_COUNT = 120
const EMPLOYEES_COUNT = 30
const DOMESTIC_SUPPLIERS_COUNT = 72
const SUPPLIERS_PER_FOREIGN_TRADE = 3

const NUMBERINGS = ['inv', 'year-slash', 'plain', 'short-year'] as const
const FOREIGN_NUMBERINGS = { AT: 'year-slash', NL: 'factuur', FR: 'facture', BE: 'inv' } as const

/** A name as banks without umlauts write it: `Müller` as `MUELLER`. */
export function withoutUmlauts(name: string): string {
  return name
    .toUpperCase()
    .replaceAll('Ä', 'AE')
    .replaceAll('Ö', 'OE')
    .replaceAll('Ü', 'UE')
    .replaceAll('É', 'E')
    .replaceAll('&', '+')
}

/** Creates the 526 parties of one seed; no two of them share a name. */
export function makeCounterparts(random: Random, words: Words): Counterparts {
  const taken = new Set<string>()
  const party = (makeName: () => string, country: Bank['country']): Party => {
    let name = makeName()
    while (taken.has(name)) name = makeName()
    taken.add(name)
    const bank = random.pick(words.banks.filter((entry) => entry.country === country))
    return {
      name: random.chance(150) ? withoutUmlauts(name) : name,
      iban: ibanOf(country, bbanOf(country, bank.code, random)),
      bic: random.chance(130) ? bank.bic : null,
      bankName: random.chance(60) ? bank.name : null,
    }
  }
  const { names, companies } = words
  const authority = (role: string): Party[] =>
    companies.authorities
      .filter((entry) => entry.role === role)
      .map(({ name }) => party(() => name, 'DE'))
  const only = (role: string): Party => {
    const [first] = authority(role)
    assert(first !== undefined, `there is a ${role}`)
    return first
  }
  let customerNumber = 10_400
  const customer = (base: Party): Customer => {
    customerNumber += random.between(1, 9)
    const mailbox = withoutUmlauts(base.name)
      .toLowerCase()
      .replace(/[^a-z]+/g, '.')
    return {
      ...base,
      number: String(customerNumber),
      email: `${mailbox}@mail.example`,
      mandateReference: `M-${customerNumber}-${random.between(1, 3)}`,
    }
  }
  const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
  return {
    businesses: times(BUSINESSES_COUNT, () =>
      customer(party(() => businessName(random, names, companies), customerCountry(random))),
    ),
    people: times(PEOPLE_COUNT, () => customer(party(() => personName(random, names), 'DE'))),
    suppliers: [
      ...times(DOMESTIC_SUPPLIERS_COUNT, () => domesticSupplier(random, words, party)),
      ...companies.foreignSuppliers.flatMap((entry) =>
        times(SUPPLIERS_PER_FOREIGN_TRADE, () => foreignSupplier(random, names, entry, party)),
      ),
    ],
    employees: times(EMPLOYEES_COUNT, () => ({
      ...party(() => personName(random, names), 'DE'),
      number: String(random.between(1000, 1999)),
      monthlyCents: random.between(145_000, 320_000),
    })),
    creditors: companies.creditors.map((entry) => ({
      ...entry,
      ...party(() => entry.name, 'DE'),
      creditorId: creditorIdOf('DE', random.digits(8).padStart(11, '0')),
    })),
    taxOffice: only('tax'),
    town: only('town'),
    lender: only('lender'),
    landlord: only('landlord'),
    healthFunds: authority('health'),
  }
}

type MakeParty = (makeName: () => string, country: Bank['country']) => Party

function customerCountry(random: Random): Bank['country'] {
  if (random.chance(870)) return 'DE'
  return random.pick(['AT', 'AT', 'NL', 'FR', 'BE'] as const)
}

function personName(random: Random, names: Names): string {
  const name = `${random.pick(names.firstNames)} ${random.pick(names.surnames)}`
  return random.chance(60) ? `${name}-${random.pick(names.surnames)}` : name
}

function businessName(random: Random, names: Names, companies: Companies): string {
  const trade = random.pick(companies.customerTrades)
  const surname = random.pick(names.surnames)
  if (random.chance(250)) return `${trade} ${surname}`
  const form = random.pick(companies.legalForms)
  if (random.chance(300)) return `${trade} ${random.pick(names.towns)} ${form}`
  if (random.chance(150)) return `${surname} & ${random.pick(names.surnames)} ${form}`
  return `${trade} ${surname} ${form}`
}

function domesticSupplier(random: Random, words: Words, party: MakeParty): Supplier {
  const { trade, category } = random.pick(words.companies.supplierTrades)
  const makeName = (): string =>
    `${trade} ${random.pick(words.names.surnames)} ${random.pick(words.companies.legalForms)}`
  return {
    ...party(makeName, 'DE'),
    category,
    country: 'DE',
    numbering: random.pick(NUMBERINGS),
    customerNumber: random.digits(random.between(4, 7)),
  }
}

function foreignSupplier(
  random: Random,
  names: Names,
  entry: Companies['foreignSuppliers'][number],
  party: MakeParty,
): Supplier {
  const surnames = names.foreignSurnames[entry.country]
  return {
    ...party(() => `${entry.trade} ${random.pick(surnames)} ${entry.form}`, entry.country),
    category: 'Rohstoffe',
    country: entry.country,
    numbering: FOREIGN_NUMBERINGS[entry.country],
    customerNumber: random.digits(5),
  }
}
