import { readDay } from '../day-text.js'
import { readDecimal } from '../decimal-text.js'
import type { CsvProfile } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import { GERMAN_PROFILES } from './csv-profiles-german.js'

// PayPal lists every step of a payment; those that moved no money have the impact `Memo`.
const PAYPAL_UNBOOKED = [
  { column: 'Auswirkung auf Guthaben', texts: ['Memo'] },
  { column: 'Balance Impact', texts: ['Memo'] },
  { column: 'Status', texts: ['Ausstehend', 'Pending', 'Abgelehnt', 'Denied'] },
] as const

// These win over the status: pending holds and deposits move the balance too.
const PAYPAL_MOVED = [
  { column: 'Auswirkung auf Guthaben', texts: ['Soll', 'Haben'] },
  { column: 'Balance Impact', texts: ['Debit', 'Credit'] },
] as const

const PAYPAL_GERMAN_COLUMNS = {
  bookingDate: 'Datum',
  counterpartName: 'Name',
  type: ['Typ', 'Beschreibung'],
  currency: 'Währung',
  amount: 'Brutto',
  paypalFee: ['Gebühr', 'Entgelt'],
  paypalNet: 'Netto',
  balanceAfter: 'Guthaben',
  paypalInvoiceNumber: 'Rechnungsnummer',
  customerReference: 'Transaktionscode',
  purpose: 'Betreff',
} as const

const PAYPAL_ENGLISH_COLUMNS = {
  bookingDate: 'Date',
  counterpartName: 'Name',
  type: ['Type', 'Description'],
  currency: 'Currency',
  amount: 'Gross',
  paypalFee: 'Fee',
  paypalNet: 'Net',
  balanceAfter: 'Balance',
  paypalInvoiceNumber: ['Invoice Number', 'Invoice ID'],
  customerReference: 'Transaction ID',
  purpose: 'Subject',
} as const

/**
 * The layouts that are recognised by their header. Headers that many banks could write are
 * `closed`: one more column (a debit marker, say) could change their meaning.
 */
export const CSV_PROFILES: readonly CsvProfile[] = [
  ...GERMAN_PROFILES,
  {
    name: 'bunq',
    signature: ['Date', 'Amount', 'Account', 'Counterparty', 'Name', 'Description'],
    days: 'ymd',
    // The user of the bank chooses the mark when exporting.
    decimalMark: 'inferred',
    columns: {
      bookingDate: 'Date',
      valueDate: 'Interest Date',
      amount: 'Amount',
      accountIban: 'Account',
      counterpartIban: 'Counterparty',
      counterpartName: 'Name',
      purpose: 'Description',
    },
  },
  {
    name: 'KBC',
    signature: ['Rekeningnummer', 'Munt', 'Datum', 'Omschrijving', 'Valuta', 'Bedrag', 'Saldo'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      accountIban: 'Rekeningnummer',
      accountHolder: 'Naam',
      currency: 'Munt',
      bookingDate: 'Datum',
      valueDate: 'Valuta',
      purpose: 'Omschrijving',
      amount: 'Bedrag',
      counterpartIban: 'rekeningnummer tegenpartij',
      counterpartBic: 'BIC tegenpartij',
      counterpartName: 'Naam tegenpartij',
    },
    purposeMore: ['gestructureerde mededeling', 'Vrije mededeling'],
  },
  {
    name: 'N26',
    signature: ['Date', 'Payee', 'Account number', 'Payment reference', 'Amount (EUR)'],
    mayLack: 'Category',
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Date',
      counterpartName: 'Payee',
      counterpartIban: 'Account number',
      type: 'Transaction type',
      purpose: 'Payment reference',
      amount: 'Amount (EUR)',
      originalAmount: 'Amount (Foreign Currency)',
      originalCurrency: 'Type Foreign Currency',
    },
  },
  {
    name: 'N26 German',
    signature: ['Datum', 'Empfänger', 'Kontonummer', 'Verwendungszweck', 'Betrag (EUR)'],
    mayLack: 'Kategorie',
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Datum',
      counterpartName: 'Empfänger',
      counterpartIban: 'Kontonummer',
      type: 'Transaktionstyp',
      purpose: 'Verwendungszweck',
      amount: 'Betrag (EUR)',
      originalAmount: 'Betrag (Fremdwährung)',
      originalCurrency: 'Fremdwährung',
    },
  },
  {
    name: 'N26 French',
    signature: ['Date', 'Bénéficiaire', 'Numéro de compte', 'Montant (EUR)'],
    mayLack: 'Catégorie',
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Date',
      counterpartName: 'Bénéficiaire',
      counterpartIban: 'Numéro de compte',
      type: 'Type de transaction',
      purpose: 'Référence de paiement',
      amount: 'Montant (EUR)',
      originalAmount: 'Montant (Devise étrangère)',
      originalCurrency: 'Sélectionnez la devise étrangère',
    },
  },
  {
    name: 'N26 since 2023',
    signature: ['Booking Date', 'Value Date', 'Partner Name', 'Partner Iban', 'Amount (EUR)'],
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Booking Date',
      valueDate: 'Value Date',
      counterpartName: 'Partner Name',
      counterpartIban: 'Partner Iban',
      type: 'Type',
      purpose: 'Payment Reference',
      amount: 'Amount (EUR)',
      originalAmount: 'Original Amount',
      originalCurrency: 'Original Currency',
    },
  },
  {
    name: 'PayPal activity, German',
    signature: ['Datum', 'Währung', 'Brutto', 'Gebühr', 'Netto', 'Auswirkung auf Guthaben'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: PAYPAL_GERMAN_COLUMNS,
    purposeMore: ['Artikelbezeichnung', 'Hinweis'],
    unbooked: PAYPAL_UNBOOKED,
    moved: PAYPAL_MOVED,
  },
  {
    name: 'PayPal statement, German',
    signature: ['Datum', 'Beschreibung', 'Währung', 'Brutto', 'Entgelt', 'Netto', 'Guthaben'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: PAYPAL_GERMAN_COLUMNS,
  },
  {
    name: 'PayPal activity, English',
    signature: ['Date', 'Currency', 'Gross', 'Fee', 'Net', 'Balance Impact'],
    // Month first or day first, comma or point: by the user's country.
    days: 'inferred',
    decimalMark: 'inferred',
    columns: PAYPAL_ENGLISH_COLUMNS,
    purposeMore: ['Item Title', 'Note'],
    unbooked: PAYPAL_UNBOOKED,
    moved: PAYPAL_MOVED,
  },
  {
    name: 'PayPal statement, English',
    signature: ['Date', 'Description', 'Currency', 'Gross', 'Fee', 'Net', 'Balance'],
    days: 'inferred',
    decimalMark: 'inferred',
    columns: PAYPAL_ENGLISH_COLUMNS,
  },
  {
    name: 'French with debit and credit',
    signature: ['Date opération', 'Libellé', 'Débit', 'Crédit'],
    closed: true,
    days: 'inferred',
    decimalMark: 'inferred',
    columns: {
      bookingDate: 'Date opération',
      valueDate: ['Date valeur', 'Date de valeur'],
      purpose: 'Libellé',
      debit: 'Débit',
      credit: 'Crédit',
      currency: 'Devise',
      customerReference: 'Référence',
    },
  },
  {
    name: 'English with one amount',
    signature: ['Date', 'Description', 'Amount', 'Currency'],
    closed: true,
    days: 'inferred',
    decimalMark: 'inferred',
    columns: {
      bookingDate: 'Date',
      valueDate: 'Value Date',
      purpose: 'Description',
      amount: 'Amount',
      currency: 'Currency',
    },
  },
]

/** kontor's names for the columns of {@link ELBA}, which has no header. */
export const ELBA_HEADER = ['Buchungstag', 'Text', 'Valuta', 'Betrag', 'Währung'] as const

/** Raiffeisen Austria writes no header; the shape of the first record identifies it. */
const ELBA: CsvProfile = {
  name: 'Raiffeisen ELBA',
  signature: ELBA_HEADER,
  days: 'dmy',
  decimalMark: 'comma',
  columns: {
    bookingDate: 'Buchungstag',
    purpose: 'Text',
    valueDate: 'Valuta',
    amount: 'Betrag',
    currency: 'Währung',
  },
}

/** The profile whose signature the header holds, the longest of several; else undefined. */
export function profileOfHeader(header: readonly string[]): CsvProfile | undefined {
  const keys = new Set(header.map(columnKey))
  let found: CsvProfile | undefined
  for (const profile of CSV_PROFILES) {
    if (profile.signature.length <= (found?.signature.length ?? 0)) continue
    if (!profile.signature.every((name) => keys.has(columnKey(name)))) continue
    if (profile.closed === true && !namesAll(profile, keys)) continue
    found = profile
  }
  return found
}

function namesAll(profile: CsvProfile, keys: ReadonlySet<string>): boolean {
  const known = new Set(Object.values(profile.columns).flat().map(columnKey))
  return [...keys].every((key) => key === '' || known.has(key))
}

/** {@link ELBA} when the record is shaped `dd.mm.yyyy;text;dd.mm.yyyy;amount;EUR;…`. */
export function profileOfFirstRecord(cells: readonly string[]): CsvProfile | undefined {
  const [booked = '', , valued = '', amount = '', currency = ''] = cells
  if (!/^\d\d\.\d\d\.\d{4}$/u.test(booked) || !/^\d\d\.\d\d\.\d{4}$/u.test(valued)) return undefined
  if (readDay(booked, 'dmy') === undefined || readDay(valued, 'dmy') === undefined) return undefined
  if (!amount.includes(',') || typeof readDecimal(amount, 'comma') === 'string') return undefined
  return /^[A-Z]{3}$/u.test(currency) && cells.length <= 7 ? ELBA : undefined
}
