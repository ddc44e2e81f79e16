import { type Day, dayOf, germanDate, twoDigits } from './calendar.js'
import type { Company } from './company.js'
import type { Creditor, Employee, Party } from './counterparts.js'
import { nameParty, type Posting, postingOf } from './draft.js'
import { cardSettlement } from './transfers.js'
import { germanAmount } from './wording.js'

/** Makes the bookings of an occasion; none when there is nothing to book. */
export type MakePostings = (company: Company, day: Day) => Posting[]

/** A payment that recurs on the same day of the month. */
export interface Obligation {
  /** 1 to 30; skipped in a month without that day. */
  readonly dayOfMonth: number
  /** Every month, quarter or year. */
  readonly everyMonths: 1 | 3 | 12
  /** The first month of a year it falls into, 1 to 12. */
  readonly firstMonth: number
  readonly post: MakePostings
}

/** Contracts with one creditor, at most. */
const CONTRACTS_MAX = 20

/** The yearly raise of all employees, in per cent. */
const RAISE_PERCENT = 2

/** All recurring payments of the company, outgoing and incoming. */
export function obligationsOf(company: Company, firstYear: number): Obligation[] {
  const { counterparts, random, size } = company
  const employees = counterparts.employees.slice(0, 10 + 2 * size)
  const payrollCents = employees.reduce((sum, { monthlyCents }) => sum + monthlyCents, 0)
  const monthly = (dayOfMonth: number, post: MakePostings): Obligation => {
    return { dayOfMonth, everyMonths: 1, firstMonth: 1, post }
  }
  const quarterly = (dayOfMonth: number, firstMonth: number, post: MakePostings): Obligation => {
    return { dayOfMonth, everyMonths: 3, firstMonth, post }
  }
  const contracts = counterparts.creditors.flatMap((creditor) =>
    Array.from({ length: Math.min(size, CONTRACTS_MAX) }, () => contractWith(company, creditor)),
  )
  const regulars = counterparts.businesses
    .slice(0, Math.min(4 * size, 40))
    .map((customer) => monthly(random.between(1, 5), retainerFrom(customer, random.between(2, 18))))
  return [
    ...employees.map((employee) => monthly(27, salaryOf(employee, firstYear))),
    ...counterparts.healthFunds.map((fund) =>
      monthly(25, socialSecurityTo(fund, Math.round(payrollCents / 10))),
    ),
    ...contracts,
    ...regulars,
    monthly(1, standingOrder(counterparts.landlord, 'Miete', -480_000, 'Miete Halle 12')),
    monthly(1, standingOrder(counterparts.landlord, 'Miete', -62_000, 'Miete Lager Tor 3')),
    monthly(10, salesTax),
    monthly(10, wageTax(Math.round(payrollCents / 6))),
    monthly(15, loanInstalment),
    monthly(5, cardSettlement),
    monthly(28, accountFees),
    quarterly(15, 2, tradeTax),
    quarterly(30, 3, savingsInterest),
    quarterly(30, 3, overdraftStatement),
  ]
}

/**
 * The obligations that fall due after the day `afterDay` and up to `day`, in the order of their
 * dates.
 */
export function dueObligations(
  obligations: readonly Obligation[],
  afterDay: number,
  day: number,
): Obligation[] {
  const due: Obligation[] = []
  for (let number = afterDay + 1; number <= day; number++) {
    const { month, dayOfMonth } = dayOf(number)
    for (const obligation of obligations) {
      if (obligation.dayOfMonth !== dayOfMonth) continue
      if ((month + 12 - obligation.firstMonth) % obligation.everyMonths === 0) due.push(obligation)
    }
  }
  return due
}

function monthOf(day: Day): string {
  return `${twoDigits(day.month)}/${day.year}`
}

interface Giro {
  readonly party: Party | null
  readonly cents: number
  readonly type: string
  readonly category: string
  readonly purpose: string
}

function giroPosting(company: Company, day: Day, giro: Giro): Posting {
  const { party, ...booking } = giro
  const accountId = company.accounts.giro.row.id
  const posting = postingOf({ ...booking, accountId, currency: 'EUR', dayNumber: day.number })
  if (party !== null) nameParty(posting.row, party)
  return posting
}

function salaryOf(employee: Employee, firstYear: number): MakePostings {
  return (company, day) => {
    const percent = 100 + RAISE_PERCENT * (day.year - firstYear)
    const posting = giroPosting(company, day, {
      party: employee,
      cents: -Math.round((employee.monthlyCents * percent) / 100),
      type: 'LOHN GEHALT',
      category: 'Gehalt',
      purpose: `Lohn/Gehalt ${monthOf(day)} Pers.Nr. ${employee.number}`,
    })
    posting.row.sepaPurposeCode = 'SALA'
    posting.row.endToEndReference = `LG${day.year}${twoDigits(day.month)}-${employee.number}`
    return [posting]
  }
}

function socialSecurityTo(fund: Party, cents: number): MakePostings {
  return (company, day) => {
    const wobble = company.random.between(97, 103)
    const posting = giroPosting(company, day, {
      party: fund,
      cents: -Math.round((cents * wobble) / 100),
      type: 'ONLINE-UEBERWEISUNG',
      category: 'Sozialabgaben',
      purpose: `Beitraege ${monthOf(day)} Betriebsnr. 47118150`,
    })
    posting.row.sepaPurposeCode = 'SSBE'
    return [posting]
  }
}

/** A contract that is collected by direct debit under one mandate for as long as it runs. */
function contractWith(company: Company, creditor: Creditor): Obligation {
  const { random } = company
  const contract = random.digits(random.between(6, 9))
  const mandateReference = random.chance(500) ? `M${contract}` : `${contract}-${random.digits(3)}`
  const usualCents = random.between(creditor.low, creditor.high)
  const reference = random.below(3)
  return {
    dayOfMonth: random.between(1, 28),
    everyMonths: creditor.months,
    firstMonth: random.between(1, creditor.months),
    post: (_, day) => {
      const { year } = day
      const month = twoDigits(day.month)
      const changes = creditor.category === 'Telefon' || creditor.category === 'Tanken'
      const percent = changes ? random.between(70, 130) : 100 + (year % 7)
      const posting = giroPosting(company, day, {
        party: creditor,
        cents: -Math.round((usualCents * percent) / 100),
        type: random.chance(900) ? 'FOLGELASTSCHRIFT' : 'FIRMENLASTSCHRIFT',
        category: creditor.category,
        purpose:
          creditor.purpose
            .replaceAll('{contract}', contract)
            .replaceAll('{month}', month)
            .replaceAll('{year}', String(year)) + (reference === 2 ? ` / ${germanDate(day)}` : ''),
      })
      posting.row.mandateReference = mandateReference
      posting.row.creditorId = creditor.creditorId
      if (reference === 0) posting.row.endToEndReference = `${contract}-${year}${month}`
      if (reference === 1) posting.row.endToEndReference = random.digits(12)
      return [posting]
    },
  }
}

function standingOrder(
  party: Party,
  category: string,
  cents: number,
  purpose: string,
): MakePostings {
  return (company, day) => [
    giroPosting(company, day, { party, cents, type: 'DAUERAUFTRAG', category, purpose }),
  ]
}

function retainerFrom(customer: Party & { number: string }, hundreds: number): MakePostings {
  return (company, day) => [
    giroPosting(company, day, {
      party: customer,
      cents: hundreds * 10_000,
      type: 'DA-GUTSCHRIFT',
      category: 'Provision',
      purpose: `Rahmenvertrag ${customer.number}`,
    }),
  ]
}

const TAX_NUMBER = '21/815/04711'

function salesTax(company: Company, day: Day): Posting[] {
  const { random, counterparts } = company
  const refund = random.chance(150)
  const cents = random.between(90_000, 1_400_000) * company.size
  const posting = giroPosting(company, day, {
    party: counterparts.taxOffice,
    cents: refund ? Math.floor(cents / 4) : -cents,
    type: refund ? 'GUTSCHR. UEBERWEISUNG' : 'FOLGELASTSCHRIFT',
    category: 'Umsatzsteuer',
    purpose: `STEUERNR ${TAX_NUMBER} UMSATZST ${monthOf(day)} ${germanAmount(cents)}EUR`,
  })
  posting.row.sepaPurposeCode = 'TAXS'
  return [posting]
}

function wageTax(cents: number): MakePostings {
  return (company, day) => {
    const posting = giroPosting(company, day, {
      party: company.counterparts.taxOffice,
      cents: -Math.round((cents * company.random.between(96, 104)) / 100),
      type: 'FOLGELASTSCHRIFT',
      category: 'Lohnsteuer',
      purpose: `STEUERNR ${TAX_NUMBER} LOHNST ${monthOf(day)}`,
    })
    posting.row.sepaPurposeCode = 'TAXS'
    return [posting]
  }
}

function tradeTax(company: Company, day: Day): Posting[] {
  return [
    giroPosting(company, day, {
      party: company.counterparts.town,
      cents: -312_500 * company.size,
      type: 'ONLINE-UEBERWEISUNG',
      category: 'Gewerbesteuer',
      purpose: `Kassenzeichen 5.0100.047118.${day.year % 100} GewSt ${monthOf(day)}`,
    }),
  ]
}

function loanInstalment(company: Company, day: Day): Posting[] {
  return [
    giroPosting(company, day, {
      party: company.counterparts.lender,
      cents: -100_000,
      type: 'DARLEHENSRATE',
      category: 'Darlehen',
      purpose: `Darlehen 6001234567 Rate ${monthOf(day)}`,
    }),
  ]
}

function accountFees(company: Company, day: Day): Posting[] {
  return [
    giroPosting(company, day, {
      party: null,
      cents: -company.random.between(1_490, 6_900),
      type: 'ENTGELTABSCHLUSS',
      category: 'Bankgebühr',
      purpose: `Entgelte ${monthOf(day)}`,
    }),
  ]
}

/** A statement of debit interest, also when none was owed: an amount of zero is an amount. */
function overdraftStatement(company: Company, day: Day): Posting[] {
  const owes = company.accounts.giro.balanceCents < 0
  return [
    giroPosting(company, day, {
      party: null,
      cents: owes ? -company.random.between(900, 24_000) : 0,
      type: 'ABSCHLUSS',
      category: 'Zinsen',
      purpose: `Abrechnung ${day.year} Sollzinsen`,
    }),
  ]
}

function savingsInterest(company: Company, day: Day): Posting[] {
  const { savings } = company.accounts
  const posting = postingOf({
    accountId: savings.row.id,
    currency: 'EUR',
    cents: Math.round(savings.balanceCents / 400),
    dayNumber: day.number,
    type: 'Zinsgutschrift',
    category: 'Zinsen',
    purpose: `Zinsen Quartal ${Math.ceil(day.month / 3)}/${day.year}`,
  })
  return [posting]
}
