import type { CsvProfile } from './csv-profile.js'

/** The words of a Revolut statement in one language. */
interface RevolutWords {
  readonly language: string
  /** Columns in the order of the file. */
  readonly columns: readonly [
    type: string,
    product: string,
    started: string,
    completed: string,
    description: string,
    amount: string,
    fee: string,
    currency: string,
    state: string,
    balance: string,
  ]
  /** The state of a booking; the others are pending, declined and reverted. */
  readonly booked: string
}

const REVOLUT_LANGUAGES: readonly RevolutWords[] = [
  {
    language: 'English',
    columns: [
      'Type',
      'Product',
      'Started Date',
      'Completed Date',
      'Description',
      'Amount',
      'Fee',
      'Currency',
      'State',
      'Balance',
    ],
    booked: 'COMPLETED',
  },
  {
    language: 'German',
    columns: [
      'Art',
      'Produkt',
      'Datum des Beginns',
      'Datum des Abschlusses',
      'Beschreibung',
      'Betrag',
      'Gebühr',
      'Währung',
      'Status',
      'Kontostand',
    ],
    booked: 'ABGESCHLOSSEN',
  },
  {
    language: 'French',
    columns: [
      'Type',
      'Produit',
      'Date de début',
      'Date de fin',
      'Description',
      'Montant',
      'Frais',
      'Devise',
      'État',
      'Solde',
    ],
    booked: 'TERMINÉ',
  },
  {
    language: 'Dutch',
    columns: [
      'Type',
      'Product',
      'Startdatum',
      'Datum voltooid',
      'Beschrijving',
      'Bedrag',
      'Kosten',
      'Valuta',
      'Status',
      'Saldo',
    ],
    booked: 'VOLTOOID',
  },
  {
    language: 'Spanish',
    columns: [
      'Tipo',
      'Producto',
      'Fecha de inicio',
      'Fecha de finalización',
      'Descripción',
      'Importe',
      'Comisión',
      'Divisa',
      'State',
      'Saldo',
    ],
    booked: 'COMPLETADO',
  },
]

function revolut({ language, columns: names, booked }: RevolutWords): CsvProfile {
  const [type, product, started, completed, description, amount, fee, currency, state, balance] =
    names
  return {
    name: language === 'English' ? 'Revolut' : `Revolut, ${language}`,
    signature: [type, started, completed, description, amount, fee, currency, state],
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      type,
      bookingDate: completed,
      purpose: description,
      amount,
      fee,
      currency,
      balanceAfter: balance,
    },
    // Files in other languages have the state in English too.
    booked: [{ column: state, texts: [booked, 'COMPLETED'] }],
    accountParts: product,
  }
}

const STRIPE = { days: 'ymd', decimalMark: 'point' } as const

/** Banks and payment services outside the German, Dutch and Alpine tables, or in many countries. */
export const WORLD_PROFILES: readonly CsvProfile[] = [
  ...REVOLUT_LANGUAGES.map(revolut),
  {
    name: 'Monzo',
    signature: [
      'Transaction ID',
      'Date',
      'Time',
      'Type',
      'Name',
      'Amount',
      'Currency',
      'Local amount',
    ],
    days: 'dmy',
    decimalMark: 'point',
    columns: {
      customerReference: 'Transaction ID',
      bookingDate: 'Date',
      type: 'Type',
      counterpartName: 'Name',
      amount: 'Amount',
      currency: 'Currency',
      originalAmount: 'Local amount',
      originalCurrency: 'Local currency',
      purpose: 'Description',
      balanceAfter: 'Balance',
    },
    purposeMore: ['Notes and #tags', 'Address'],
  },
  {
    // The balance is that of the day of the export, in every row.
    name: 'BoursoBank',
    signature: ['dateOp', 'dateVal', 'label', 'amount', 'accountNum'],
    days: 'inferred',
    decimalMark: 'comma',
    currency: 'EUR',
    columns: {
      bookingDate: 'dateOp',
      valueDate: 'dateVal',
      purpose: 'label',
      counterpartName: 'supplierFound',
      amount: 'amount',
      accountNumber: 'accountNum',
      accountName: 'accountLabel',
    },
    purposeMore: ['comment'],
  },
  {
    name: 'OCBC',
    signature: [
      'Transaction date',
      'Value date',
      'Description',
      'Withdrawals (SGD)',
      'Deposits (SGD)',
    ],
    closed: true,
    days: 'dmy',
    decimalMark: 'point',
    columns: {
      bookingDate: 'Transaction date',
      valueDate: 'Value date',
      purpose: 'Description',
      debit: 'Withdrawals (SGD)',
      credit: 'Deposits (SGD)',
    },
    continued: true,
  },
  {
    name: 'Stripe balance',
    signature: ['id', 'Type', 'Source', 'Amount', 'Fee', 'Net', 'Currency', 'Created (UTC)'],
    ...STRIPE,
    columns: {
      customerReference: 'id',
      type: 'Type',
      bookingDate: 'Created (UTC)',
      valueDate: 'Available On (UTC)',
      amount: 'Net',
      // Before charges.
      originalAmount: 'Amount',
      currency: 'Currency',
      purpose: 'Description',
    },
    purposeMore: ['Source'],
  },
  {
    name: 'Stripe balance report',
    signature: ['balance_transaction_id', 'currency', 'gross', 'fee', 'net', 'reporting_category'],
    ...STRIPE,
    columns: {
      customerReference: 'balance_transaction_id',
      type: 'reporting_category',
      bookingDate: ['created_utc', 'created'],
      valueDate: ['available_on_utc', 'available_on'],
      amount: 'net',
      originalAmount: 'gross',
      currency: 'currency',
      purpose: 'description',
    },
  },
  {
    name: 'Stripe payouts',
    signature: ['id', 'Amount', 'Created (UTC)', 'Currency', 'Arrival Date (UTC)', 'Status'],
    ...STRIPE,
    columns: {
      customerReference: 'id',
      type: 'Type',
      bookingDate: 'Created (UTC)',
      valueDate: 'Arrival Date (UTC)',
      // A payout leaves the balance at Stripe; with a minus, money comes back.
      charge: 'Amount',
      currency: 'Currency',
      purpose: 'Description',
    },
    purposeMore: ['Statement Descriptor', 'Destination Name', 'Trace ID'],
    booked: [{ column: 'Status', texts: ['paid'] }],
  },
  {
    name: 'Swedbank',
    signature: ['Clearingnummer', 'Kontonummer', 'Valuta', 'Bokföringsdag', 'Valutadag', 'Belopp'],
    days: 'ymd',
    decimalMark: 'point',
    columns: {
      accountNumber: 'Kontonummer',
      accountName: 'Produkt',
      currency: 'Valuta',
      bookingDate: 'Bokföringsdag',
      valueDate: 'Valutadag',
      purpose: 'Beskrivning',
      amount: 'Belopp',
      balanceAfter: 'Bokfört saldo',
    },
    purposeMore: ['Referens'],
  },
  {
    name: 'Wise',
    signature: [
      'TransferWise ID',
      'Date',
      'Amount',
      'Currency',
      'Description',
      'Payment Reference',
      'Running Balance',
    ],
    days: 'dmy',
    decimalMark: 'point',
    columns: {
      customerReference: 'TransferWise ID',
      bookingDate: 'Date',
      amount: 'Amount',
      currency: 'Currency',
      purpose: 'Description',
      balanceAfter: 'Running Balance',
      type: 'Transaction Details Type',
      counterpartName: 'Merchant',
      payerName: 'Payer Name',
      payeeName: 'Payee Name',
      counterpartIban: 'Payee Account Number',
      // Unsigned.
      originalAmount: 'Exchange To Amount',
      originalCurrency: 'Exchange To',
    },
    purposeMore: ['Payment Reference', 'Note'],
  },
]
