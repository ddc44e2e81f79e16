import type { CsvProfile } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import { readDay } from './day-text.js'
import { readDecimal } from './decimal-text.js'

const SPARKASSE_COLUMNS = {
  accountIban: 'Auftragskonto',
  bookingDate: 'Buchungstag',
  valueDate: 'Valutadatum',
  type: 'Buchungstext',
  purpose: 'Verwendungszweck',
  counterpartName: 'Beguenstigter/Zahlungspflichtiger',
  counterpartIban: ['Kontonummer/IBAN', 'Kontonummer'],
  counterpartBic: 'BIC (SWIFT-Code)',
  amount: 'Betrag',
  currency: 'Waehrung',
} as const

const SPARKASSE_UNBOOKED = [{ column: 'Info', texts: ['Umsatz vorgemerkt'] }] as const

// PayPal lists every step of a payment; those that moved no money have the impact `Memo`.
const PAYPAL_UNBOOKED = [
  { column: 'Auswirkung auf Guthaben', texts: ['Memo'] },
  { column: 'Balance Impact', texts: ['Memo'] },
  { column: 'Status', texts: ['Ausstehend', 'Pending', 'Abgelehnt', 'Denied'] },
] as const

const PAYPAL_GERMAN_COLUMNS = {
  bookingDate: 'Datum',
  counterpartName: 'Name',
  type: ['Typ', 'Beschreibung'],
  currency: 'Währung',
  amount: 'Brutto',
  paypalFee: ['Gebühr', 'Entgelt'],
  paypalNet: 'Netto',
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
  paypalInvoiceNumber: ['Invoice Number', 'Invoice ID'],
  customerReference: 'Transaction ID',
  purpose: 'Subject',
} as const

/**
 * The files we know by their header. Headers that many banks could write are `closed`: one more
 * column (a debit marker, say) could turn their meaning.
 */
export const CSV_PROFILES: readonly CsvProfile[] = [
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
    name: 'Commerzbank',
    signature: ['Buchungstag', 'Wertstellung', 'Umsatzart', 'Buchungstext', 'Betrag', 'Währung'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungstag',
      valueDate: 'Wertstellung',
      type: 'Umsatzart',
      purpose: 'Buchungstext',
      amount: 'Betrag',
      currency: 'Währung',
      accountNumber: 'Auftraggeberkonto',
      accountBlz: 'Bankleitzahl Auftraggeberkonto',
      accountIban: ['IBAN Auftraggeberkonto', 'IBAN Kontoinhaber'],
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
    name: 'Sparkasse credit card',
    signature: [
      'Umsatz getätigt von',
      'Belegdatum',
      'Buchungsdatum',
      'Originalbetrag',
      'Originalwährung',
      'Buchungsbetrag',
      'Buchungswährung',
      'Transaktionsbeschreibung',
    ],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      accountNumber: 'Umsatz getätigt von',
      valueDate: 'Belegdatum',
      bookingDate: 'Buchungsdatum',
      originalAmount: 'Originalbetrag',
      originalCurrency: 'Originalwährung',
      amount: 'Buchungsbetrag',
      currency: 'Buchungswährung',
      purpose: 'Transaktionsbeschreibung',
    },
    purposeMore: ['Transaktionsbeschreibung Zusatz'],
  },
  {
    name: 'Sparkasse CAMT',
    signature: ['Auftragskonto', 'Buchungstag', 'Valutadatum', 'Mandatsreferenz', 'Betrag', 'Info'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      ...SPARKASSE_COLUMNS,
      creditorId: 'Glaeubiger ID',
      mandateReference: 'Mandatsreferenz',
      endToEndReference: 'Kundenreferenz (End-to-End)',
      originalAmount: 'Lastschrift Ursprungsbetrag',
    },
    unbooked: SPARKASSE_UNBOOKED,
  },
  {
    name: 'Sparkasse',
    signature: ['Auftragskonto', 'Buchungstag', 'Valutadatum', 'Betrag', 'Info'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: SPARKASSE_COLUMNS,
    unbooked: SPARKASSE_UNBOOKED,
  },
  {
    name: 'N26',
    signature: ['Date', 'Payee', 'Account number', 'Payment reference', 'Amount (EUR)'],
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
    name: 'DKB',
    signature: ['Buchungsdatum', 'Status', 'Zahlungspflichtige*r', 'Zahlungsempfänger*in'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungsdatum',
      valueDate: 'Wertstellung',
      payerName: 'Zahlungspflichtige*r',
      payeeName: 'Zahlungsempfänger*in',
      purpose: 'Verwendungszweck',
      type: 'Umsatztyp',
      counterpartIban: 'IBAN',
      amount: ['Betrag (€)', 'Betrag'],
      creditorId: ['Gläubiger-ID', 'Glaeubiger-ID'],
      mandateReference: 'Mandatsreferenz',
      customerReference: 'Kundenreferenz',
    },
    unbooked: [{ column: 'Status', texts: ['Vorgemerkt'] }],
  },
  {
    name: 'DKB until 2023',
    signature: ['Buchungstag', 'Wertstellung', 'Auftraggeber / Begünstigter', 'Betrag (EUR)'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungstag',
      valueDate: 'Wertstellung',
      type: 'Buchungstext',
      counterpartName: 'Auftraggeber / Begünstigter',
      purpose: 'Verwendungszweck',
      counterpartIban: 'Kontonummer',
      counterpartBic: 'BLZ',
      amount: 'Betrag (EUR)',
      creditorId: 'Gläubiger-ID',
      mandateReference: 'Mandatsreferenz',
      customerReference: 'Kundenreferenz',
    },
  },
  {
    name: 'ING',
    signature: ['Buchung', 'Auftraggeber/Empfänger', 'Buchungstext', 'Betrag', 'Währung'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchung',
      valueDate: ['Wertstellungsdatum', 'Valuta'],
      counterpartName: 'Auftraggeber/Empfänger',
      type: 'Buchungstext',
      purpose: 'Verwendungszweck',
      amount: 'Betrag',
    },
    currencyRightOf: 'Betrag',
  },
  {
    name: 'Deutsche Bank and Postbank',
    signature: ['Buchungstag', 'Wert', 'Begünstigter / Auftraggeber', 'Betrag', 'Soll', 'Haben'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungstag',
      valueDate: 'Wert',
      type: 'Umsatzart',
      counterpartName: 'Begünstigter / Auftraggeber',
      purpose: 'Verwendungszweck',
      counterpartIban: ['IBAN / Kontonummer', 'IBAN'],
      counterpartBic: 'BIC',
      customerReference: 'Kundenreferenz',
      mandateReference: 'Mandatsreferenz',
      creditorId: 'Gläubiger ID',
      amount: 'Betrag',
      debit: 'Soll',
      credit: 'Haben',
      currency: 'Währung',
    },
    footers: ['Kontostand'],
  },
  {
    name: 'comdirect',
    signature: ['Buchungstag', 'Wertstellung (Valuta)', 'Vorgang', 'Buchungstext', 'Umsatz in EUR'],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungstag',
      valueDate: 'Wertstellung (Valuta)',
      type: 'Vorgang',
      purpose: 'Buchungstext',
      amount: 'Umsatz in EUR',
    },
    unbooked: [{ column: 'Buchungstag', texts: ['offen'] }],
    footers: ['Alter Kontostand', 'Neuer Kontostand', 'Keine Umsätze vorhanden.'],
    sectionPrefix: 'Umsätze ',
  },
  {
    name: 'Volksbanken and Raiffeisenbanken',
    signature: [
      'IBAN Auftragskonto',
      'Buchungstag',
      'Valutadatum',
      'Name Zahlungsbeteiligter',
      'IBAN Zahlungsbeteiligter',
      'Betrag',
      'Waehrung',
    ],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      accountName: 'Bezeichnung Auftragskonto',
      accountIban: 'IBAN Auftragskonto',
      accountBic: 'BIC Auftragskonto',
      accountBank: 'Bankname Auftragskonto',
      bookingDate: 'Buchungstag',
      valueDate: 'Valutadatum',
      counterpartName: 'Name Zahlungsbeteiligter',
      counterpartIban: 'IBAN Zahlungsbeteiligter',
      counterpartBic: 'BIC (SWIFT-Code) Zahlungsbeteiligter',
      type: 'Buchungstext',
      purpose: 'Verwendungszweck',
      amount: 'Betrag',
      currency: 'Waehrung',
      creditorId: 'Glaeubiger ID',
      mandateReference: 'Mandatsreferenz',
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
    // Month first or day first, comma or point: as the user's country has it.
    days: 'inferred',
    decimalMark: 'inferred',
    columns: PAYPAL_ENGLISH_COLUMNS,
    purposeMore: ['Item Title', 'Note'],
    unbooked: PAYPAL_UNBOOKED,
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

/** The names we give the columns of {@link ELBA}, which has no header. */
export const ELBA_HEADER = ['Buchungstag', 'Text', 'Valuta', 'Betrag', 'Währung'] as const

/** Raiffeisen Austria writes no header; the shape of the first record tells it. */
export const ELBA: CsvProfile = {
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
