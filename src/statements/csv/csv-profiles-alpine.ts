import type { CsvProfile } from './csv-profile.js'

/** The names of a PostFinance or ZKB column, which end in the account's currency. */
function inCurrency(name: string, before = ''): readonly string[] {
  return ['CHF', 'EUR', 'USD', 'GBP'].map((currency) => `${name} ${before}${currency}`)
}

const ZKB_PURPOSE_MORE = ['Zahlungszweck', 'Zahlungszweck#2', 'Details', 'Referenznummer'] as const

/** PostFinance writes a disclaimer below the table, in the user's language. */
const POSTFINANCE_FOOTERS = [
  'Disclaimer',
  'Der Dokumentinhalt',
  'Dies ist kein durch PostFinance',
  'Le contenu du document',
  'The document content',
  'Il contenuto del documento',
] as const

const POSTFINANCE = {
  days: 'dmy',
  decimalMark: 'point',
  footers: POSTFINANCE_FOOTERS,
} as const

/** The banks of Austria and Switzerland. */
export const ALPINE_PROFILES: readonly CsvProfile[] = [
  {
    name: 'ING Austria',
    signature: ['Kontonummer', 'Text', 'Datum', 'Währung', 'Soll', 'Haben'],
    closed: true,
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      accountNumber: 'Kontonummer',
      purpose: 'Text',
      bookingDate: 'Datum',
      currency: 'Währung',
      debit: 'Soll',
      credit: 'Haben',
    },
  },
  {
    name: 'ING Austria with IBAN',
    signature: ['IBAN', 'Text', 'Valutadatum', 'Währung', 'Soll', 'Haben'],
    closed: true,
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      accountIban: 'IBAN',
      purpose: 'Text',
      // The only day in the file.
      bookingDate: 'Valutadatum',
      valueDate: 'Valutadatum',
      currency: 'Währung',
      debit: 'Soll',
      credit: 'Haben',
    },
  },
  {
    name: 'Oberbank',
    signature: [
      'Buchungsdatum',
      'Wertstellung',
      'Betrag',
      'Währung',
      'Auftraggebername',
      'Empfängername',
    ],
    days: 'dmy',
    decimalMark: 'comma',
    columns: {
      bookingDate: 'Buchungsdatum',
      valueDate: 'Wertstellung',
      amount: 'Betrag',
      currency: 'Währung',
      payerName: 'Auftraggebername',
      payerIban: 'Auftraggeber IBAN/Kto.Nr.',
      payerBic: 'Auftraggeber BIC/BLZ',
      payeeName: 'Empfängername',
      payeeIban: 'Empfänger IBAN/Kto.Nr.',
      payeeBic: 'Empfänger BIC/BLZ',
      purpose: 'Verwendungszweck',
    },
    purposeMore: ['Text'],
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance',
    signature: ['Datum', 'Avisierungstext'],
    columns: {
      bookingDate: 'Datum',
      valueDate: 'Valuta',
      type: 'Bewegungstyp',
      purpose: 'Avisierungstext',
      credit: inCurrency('Gutschrift', 'in '),
      debit: inCurrency('Lastschrift', 'in '),
      balanceAfter: inCurrency('Saldo', 'in '),
    },
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance until 2022',
    signature: ['Buchungsdatum', 'Avisierungstext', 'Gutschrift', 'Lastschrift'],
    columns: {
      bookingDate: 'Buchungsdatum',
      valueDate: 'Valuta',
      purpose: 'Avisierungstext',
      credit: 'Gutschrift',
      debit: 'Lastschrift',
      balanceAfter: 'Saldo',
    },
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance, English',
    signature: ['Date', 'Notification text'],
    columns: {
      bookingDate: 'Date',
      valueDate: 'Value',
      type: 'Type of transaction',
      purpose: 'Notification text',
      credit: inCurrency('Credit', 'in '),
      debit: inCurrency('Debit', 'in '),
      balanceAfter: inCurrency('Balance', 'in '),
    },
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance, French',
    signature: ['Date', 'Texte de notification'],
    columns: {
      bookingDate: 'Date',
      valueDate: 'Valeur',
      type: 'Type de transaction',
      purpose: 'Texte de notification',
      credit: inCurrency('Crédit', 'en '),
      debit: inCurrency('Débit', 'en '),
      balanceAfter: inCurrency('Solde', 'en '),
    },
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance, Italian',
    signature: ['Data', 'Testo di avviso'],
    columns: {
      bookingDate: 'Data',
      valueDate: 'Valuta',
      type: 'Tipo di movimento',
      purpose: 'Testo di avviso',
      credit: inCurrency('Accredito', 'in '),
      debit: inCurrency('Addebito', 'in '),
      balanceAfter: inCurrency('Saldo', 'in '),
    },
  },
  {
    ...POSTFINANCE,
    name: 'PostFinance card',
    signature: ['Datum', 'Buchungsdetails'],
    // The year first in the exports of 2023, the day first in others.
    days: 'inferred',
    columns: {
      bookingDate: 'Datum',
      purpose: 'Buchungsdetails',
      credit: inCurrency('Gutschrift', 'in '),
      debit: inCurrency('Lastschrift', 'in '),
    },
  },
  {
    name: 'Zürcher Kantonalbank',
    signature: ['Datum', 'Buchungstext', 'Betrag Detail', 'ZKB-Referenz', 'Valuta'],
    days: 'dmy',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Datum',
      valueDate: 'Valuta',
      purpose: 'Buchungstext',
      debit: inCurrency('Belastung'),
      credit: inCurrency('Gutschrift'),
      balanceAfter: inCurrency('Saldo'),
      customerReference: 'ZKB-Referenz',
    },
    purposeMore: ZKB_PURPOSE_MORE,
    continued: true,
    continuedBy: 'Betrag Detail',
  },
  {
    name: 'Zürcher Kantonalbank, search',
    signature: ['Datum', 'Buchungstext', 'Konto', 'Whg', 'Belastung', 'Gutschrift'],
    closed: true,
    days: 'dmy',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Datum',
      purpose: 'Buchungstext',
      accountIban: 'Konto',
      currency: 'Whg',
      debit: 'Belastung',
      credit: 'Gutschrift',
    },
  },
  {
    name: 'neon',
    signature: ['Date', 'Amount', 'Original amount', 'Original currency', 'Description', 'Subject'],
    days: 'ymd',
    decimalMark: 'point',
    // Its only currency.
    currency: 'CHF',
    columns: {
      bookingDate: 'Date',
      amount: 'Amount',
      originalAmount: 'Original amount',
      originalCurrency: 'Original currency',
      counterpartName: 'Description',
      purpose: 'Subject',
    },
  },
]
