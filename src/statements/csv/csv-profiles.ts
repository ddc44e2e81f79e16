import type { CsvProfile } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import { ALPINE_PROFILES } from './csv-profiles-alpine.js'
import { BENELUX_PROFILES } from './csv-profiles-benelux.js'
import { GERMAN_PROFILES } from './csv-profiles-german.js'
import { WORLD_PROFILES } from './csv-profiles-world.js'

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
 * The layouts that are recognized by their header. Headers that many banks could write are
 * `closed`: an additional column, such as a debit marker, could change their meaning.
 */
export const CSV_PROFILES: readonly CsvProfile[] = [
  ...GERMAN_PROFILES,
  ...ALPINE_PROFILES,
  ...BENELUX_PROFILES,
  ...WORLD_PROFILES,
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
    name: 'PayPal activity, German, without impact',
    // Shorter than the signature with the impact, which wins where both fit.
    signature: ['Datum', 'Typ', 'Status', 'Brutto', 'Netto'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: PAYPAL_GERMAN_COLUMNS,
    purposeMore: ['Artikelbezeichnung', 'Hinweis'],
    balanceDecides: true,
    moved: [
      {
        column: 'Typ',
        texts: ['Bankgutschrift auf PayPal-Konto', 'Einbehaltung für offene Autorisierung'],
      },
    ],
    unbooked: [
      {
        column: 'Status',
        texts: [
          ...['Ausstehend', 'Abgelehnt', 'Storniert', 'Abgebrochen', 'Abgelaufen'],
          ...['Platziert', 'Entfernt'],
        ],
      },
    ],
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
    name: 'PayPal activity, English, without impact',
    // Shorter than the signature with the impact, which wins where both fit.
    signature: ['Date', 'Type', 'Status', 'Gross', 'Fee'],
    days: 'inferred',
    decimalMark: 'inferred',
    columns: PAYPAL_ENGLISH_COLUMNS,
    purposeMore: ['Item Title', 'Note'],
    balanceDecides: true,
    // The money of a pending deposit is available at once, and that of a hold is blocked until its
    // release.
    moved: [
      {
        column: 'Type',
        texts: ['Bank Deposit to PP Account', 'Account Hold for Open Authorization'],
      },
    ],
    unbooked: [
      {
        column: 'Status',
        texts: ['Pending', 'Denied', 'Canceled', 'Expired', 'Placed', 'Removed', 'Voided'],
      },
    ],
  },
  {
    name: 'PayPal statement, Spanish',
    signature: ['Fecha', 'Descripción', 'Divisa', 'Bruto', 'Comisión', 'Neto', 'Saldo'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Fecha',
      counterpartName: 'Nombre',
      type: 'Descripción',
      currency: 'Divisa',
      amount: 'Bruto',
      paypalFee: 'Comisión',
      paypalNet: 'Neto',
      balanceAfter: 'Saldo',
      paypalInvoiceNumber: 'Id. de factura',
      customerReference: 'Id. de transacción',
    },
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
      balanceAfter: 'Balance',
      accountIban: 'Account',
      customerReference: 'Reference',
    },
  },
  {
    name: 'English with balance',
    signature: ['Date', 'Description', 'Amount', 'Balance'],
    closed: true,
    days: 'inferred',
    decimalMark: 'inferred',
    columns: {
      bookingDate: 'Date',
      valueDate: 'Value Date',
      purpose: 'Description',
      amount: 'Amount',
      balanceAfter: 'Balance',
    },
  },
  {
    name: 'English with debit and credit',
    signature: ['Date', 'Label', 'Debit', 'Credit'],
    closed: true,
    days: 'inferred',
    decimalMark: 'inferred',
    columns: {
      bookingDate: 'Date',
      purpose: 'Label',
      debit: 'Debit',
      credit: 'Credit',
      balanceAfter: 'Balance',
    },
  },
]

/** The profile whose signature the header contains, the longest of several; else undefined. */
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
  const { columns, purposeMore = [], more = {} } = profile
  const names = [...Object.values(columns), ...Object.values(more), purposeMore].flat()
  const known = new Set(names.map(columnKey))
  return [...keys].every((key) => key === '' || known.has(key))
}
