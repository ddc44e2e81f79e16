import { isMeantAsIban } from '../account-text.js'
import { readDay } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'
import { readDecimal } from '../decimal-text.js'
import type { CsvProfile } from './csv-profile.js'

/** A layout without a header line, with kontor's own names of its columns. */
export interface BareLayout {
  readonly profile: CsvProfile
  readonly header: readonly string[]
}

/** A layout without a header line, identified by the shape of the first record. */
interface BareTable extends BareLayout {
  /** Whether the record has that shape. */
  readonly fits: (cells: readonly string[]) => boolean
}

/** The header of Raiffeisen ELBA, which the bank does not write. */
const ELBA_HEADER = ['Buchungstag', 'Text', 'Valuta', 'Betrag', 'Währung', 'Zeitstempel'] as const

const BARE_TABLES: readonly BareTable[] = [
  {
    // dd.mm.yyyy;text;dd.mm.yyyy;-1,00;EUR;dd.mm.yyyy hh:mm:ss:ttt; the last two may be missing.
    header: ELBA_HEADER,
    fits: ([booked, , valued, amount, currency, ...rest]) =>
      isDay(booked, '.') &&
      isDay(valued, '.') &&
      isAmount(amount, 'comma') &&
      isCurrency(currency) &&
      rest.length <= 2,
    profile: {
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
    },
  },
  {
    // AT…;text;dd.mm.yyyy;dd.mm.yyyy;+1,00;EUR
    header: ['Konto', 'Buchungstext', 'Buchungsdatum', 'Valutadatum', 'Betrag', 'Währung'],
    fits: ([account = '', , booked, valued, amount, currency, ...rest]) =>
      (isMeantAsIban(account) || /^\d{5,}$/u.test(account)) &&
      isDay(booked, '.') &&
      isDay(valued, '.') &&
      isAmount(amount, 'comma') &&
      isCurrency(currency) &&
      rest.every((cell) => cell === ''),
    profile: {
      name: 'easybank',
      signature: ['Konto', 'Buchungstext', 'Buchungsdatum', 'Valutadatum', 'Betrag', 'Währung'],
      days: 'dmy',
      decimalMark: 'comma',
      columns: {
        accountIban: 'Konto',
        purpose: 'Buchungstext',
        bookingDate: 'Buchungsdatum',
        valueDate: 'Valutadatum',
        amount: 'Betrag',
        currency: 'Währung',
      },
    },
  },
  {
    // dd.mm.yyyy;text;-1,00;;;;'DE…' or dd.mm.yyyy;text;;1,00;;;'DE…'; some have decimal points.
    header: ['Datum', 'Buchungstext', 'Soll', 'Haben', 'Leer 1', 'Leer 2', 'IBAN'],
    fits: ([booked, , debit = '', credit = '', , , iban = '', ...rest]) =>
      isDay(booked, '.') &&
      (debit === '') !== (credit === '') &&
      (isAmount(debit + credit, 'comma') || isAmount(debit + credit, 'point')) &&
      /^'.*'$/u.test(iban) &&
      isMeantAsIban(iban.slice(1, -1)) &&
      rest.length === 0,
    profile: {
      name: 'Targobank',
      signature: ['Datum', 'Buchungstext', 'Soll', 'Haben', 'Leer 1', 'Leer 2', 'IBAN'],
      days: 'dmy',
      decimalMark: 'inferred',
      currency: 'EUR',
      quote: "'",
      columns: {
        bookingDate: 'Datum',
        purpose: 'Buchungstext',
        debit: 'Soll',
        credit: 'Haben',
        accountIban: 'IBAN',
      },
    },
  },
  {
    // dd-mm-yyyy,NL…,NL…,name,,,,EUR,1.00,EUR,-2.00,dd-mm-yyyy,dd-mm-yyyy,1,OVS,2,,'text',3
    header: [
      'Boekingsdatum',
      'Opdrachtgeversrekening',
      'Tegenrekeningnummer',
      'Naam tegenrekening',
      'Adres',
      'Postcode',
      'Plaats',
      'Valutasoort rekening',
      'Saldo rekening voor mutatie',
      'Valutasoort mutatie',
      'Transactiebedrag',
      'Journaaldatum',
      'Valutadatum',
      'Interne transactiecode',
      'Globale transactiecode',
      'Volgnummer transactie',
      'Betalingskenmerk',
      'Omschrijving',
      'Afschriftnummer',
    ],
    fits: (cells) =>
      cells.length >= 19 &&
      isDay(cells[0], '-') &&
      isMeantAsIban(cells[1] ?? '') &&
      isCurrency(cells[7]) &&
      isAmount(cells[8], 'point') &&
      isCurrency(cells[9]) &&
      isAmount(cells[10], 'point') &&
      isDay(cells[12], '-'),
    profile: {
      name: 'ASN Bank',
      signature: ['Boekingsdatum', 'Opdrachtgeversrekening', 'Transactiebedrag', 'Journaaldatum'],
      days: 'dmy',
      decimalMark: 'point',
      quote: "'",
      columns: {
        bookingDate: 'Boekingsdatum',
        valueDate: 'Valutadatum',
        accountIban: 'Opdrachtgeversrekening',
        counterpartIban: 'Tegenrekeningnummer',
        counterpartName: 'Naam tegenrekening',
        balanceBefore: 'Saldo rekening voor mutatie',
        currency: 'Valutasoort mutatie',
        amount: 'Transactiebedrag',
        type: 'Globale transactiecode',
        purpose: 'Omschrijving',
      },
      purposeMore: ['Betalingskenmerk', 'Adres', 'Postcode', 'Plaats'],
    },
  },
  {
    // 123456789<tab>EUR<tab>yyyymmdd<tab>2,00<tab>1,00<tab>yyyymmdd<tab>-1,00<tab>text
    header: [
      'Rekeningnummer',
      'Muntsoort',
      'Transactiedatum',
      'Beginsaldo',
      'Eindsaldo',
      'Rentedatum',
      'Transactiebedrag',
      'Omschrijving',
    ],
    fits: (cells) =>
      cells.length === 8 &&
      /^\d{5,}$/u.test(cells[0] ?? '') &&
      isCurrency(cells[1]) &&
      isCompactDay(cells[2]) &&
      isAmount(cells[3], 'comma') &&
      isAmount(cells[4], 'comma') &&
      isCompactDay(cells[5]) &&
      isAmount(cells[6], 'comma'),
    profile: {
      name: 'ABN AMRO, TAB',
      signature: ['Rekeningnummer', 'Muntsoort', 'Transactiedatum', 'Beginsaldo', 'Eindsaldo'],
      days: 'ymd',
      decimalMark: 'comma',
      columns: {
        accountNumber: 'Rekeningnummer',
        currency: 'Muntsoort',
        bookingDate: 'Transactiedatum',
        balanceAfter: 'Eindsaldo',
        valueDate: 'Rentedatum',
        amount: 'Transactiebedrag',
        purpose: 'Omschrijving',
      },
    },
  },
]

/** The layout without a header line that fits the first record; undefined = none. */
export function bareLayoutOf(cells: readonly string[]): BareLayout | undefined {
  return BARE_TABLES.find(({ fits }) => fits(cells))
}

function isDay(cell: string | undefined, separator: '.' | '-'): boolean {
  const parts = (cell ?? '').split(separator)
  if (parts.map((part) => part.length).join() !== '2,2,4') return false
  return readDay(cell ?? '', 'dmy') !== undefined
}

function isCompactDay(cell: string | undefined): boolean {
  return cell?.length === 8 && readDay(cell, 'ymd') !== undefined
}

/** Whether the cell is an amount with decimals under that mark. */
function isAmount(cell: string | undefined, mark: DecimalMark): boolean {
  const character = mark === 'comma' ? ',' : '.'
  return cell?.includes(character) === true && typeof readDecimal(cell, mark) !== 'string'
}

function isCurrency(cell: string | undefined): boolean {
  return /^[A-Z]{3}$/u.test(cell ?? '')
}
