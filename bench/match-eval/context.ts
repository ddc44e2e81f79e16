import type { Random } from '../../src/demo/random.js'

/** Adds the text that people and programs write around a reference. */
type Context = (reference: string, random: Random) => string

const CONTEXTS: readonly Context[] = [
  (reference) => reference,
  (reference) => reference,
  (reference) => `Rechnung ${reference}`,
  (reference, random) => `Rechnung ${reference} vom ${date(random)}`,
  (reference, random) => `Rg.Nr. ${reference} Kd-Nr ${random.digits(5)}`,
  (reference, random) => `${reference} abzgl. 2% Skonto ${money(random)} EUR`,
  (reference, random) => `Ihre Rechnung ${reference} unsere Bestellung ${random.digits(6)}`,
  (reference, random) => `Zahlung zu ${reference} v. ${date(random)}, Kunde ${random.digits(5)}`,
  (reference) => `re ${reference} danke`,
  (reference, random) => `Invoice ${reference} dated ${isoDate(random)}`,
  (reference) => `Payment of invoice ${reference}, thanks`,
  (reference) => `Paiement facture ${reference} merci`,
  (reference, random) => `Factuur ${reference} klantnr ${random.digits(5)}`,
  (reference, random) => `Saldo fattura ${reference} del ${slashDate(random)}`,
  (reference, random) => `Pago factura ${reference} cliente ${random.digits(5)}`,
  (reference, random) =>
    `RECHNUNG ${reference} VOM ${date(random)} KUNDENNR. ${random.digits(5)} ` +
    `AUFTRAG A-${random.digits(5)} BELEG ${random.digits(7)} BETRAG ${money(random)}`,
  (reference, random) => `SVWZ+${reference} ${date(random)}, ${time(random)} UHR`,
  (reference, random) => `DAUERAUFTRAG ${reference} TAN ${random.digits(6)}`,
  (reference, random) => `${name(random)} GmbH ${reference}`,
  (reference, random) => `${reference} / ${date(random)} / ${money(random)} EUR`,
  (reference, random) => `/REMI/${reference}/EREF/${random.digits(9)}`,
  (reference) => `EREF+NOTPROVIDED SVWZ+${reference} Danke und Gruss`,
  (reference, random) => `SEPA-UEBERWEISUNG ${reference} DATUM ${isoDate(random)}`,
  (reference, random) => `VIREMENT SEPA EMIS FACTURE ${reference} DU ${slashDate(random)}`,
  (reference) => `TRANSFERENCIA A FAVOR DE TALLERES SUR CONCEPTO ${reference}`,
  (reference) => `bonifico a vostro favore, causale ${reference} grazie`,
  (reference, random) =>
    `Betreft ${reference}, dossier ${random.digits(5)}, met vriendelijke groet`,
  (reference, random) => `Betalning faktura ${reference} OCR ${random.digits(8)}`,
  (reference) => `przelew za ${reference} dziekujemy`,
  (reference, random) => `${name(random)} ${name(random)}: ${reference}`,
  (reference) => `Abschlag Nr. 3 zu ${reference}, Bauvorhaben Hafenstr. 12`,
  (reference) => `(${reference})`,
  (reference, random) => `Gutschrift ${money(random)} EUR zu ${reference}, Rest folgt`,
  (reference) => `PAYMENT REF: ${reference}; THANK YOU`,
]

/** A purpose with a reference in it, as a person would write it. */
export function purposeWith(reference: string, random: Random): string {
  return random.pick(CONTEXTS)(reference, random)
}

/** Texts before a reference that ends the field. */
export function purposeEndingWith(reference: string, random: Random): string {
  const before = random.pick(['Ueberweisung fuer', 'Zahlung Ihrer Rechnung', 'Your invoice', 'zu'])
  return `${before} ${reference}`
}

/** `03.05.2024` */
export function date(random: Random): string {
  const [year, month, day] = dateParts(random)
  return `${day}.${month}.${year}`
}

/** `2024-05-03` */
export function isoDate(random: Random): string {
  return dateParts(random).join('-')
}

/** `2024/05/03` backwards: `03/05/2024` */
export function slashDate(random: Random): string {
  return dateParts(random).toReversed().join('/')
}

function dateParts(random: Random): [year: string, month: string, day: string] {
  const two = (low: number, high: number): string =>
    String(random.between(low, high)).padStart(2, '0')
  return [String(random.between(2019, 2026)), two(1, 12), two(1, 28)]
}

/** `23.57` */
export function time(random: Random): string {
  return `${random.between(10, 23)}.${random.between(10, 59)}`
}

/** `1.204,10` */
export function money(random: Random): string {
  const thousands = random.chance(400) ? `${random.between(1, 48)}.` : ''
  return `${thousands}${random.between(100, 999)},${random.between(10, 99)}`
}

const STEMS = ['Hübsch', 'Grün', 'Schön', 'Köhl', 'Bäck', 'Müh', 'Jäg', 'Fröh', 'Wöll', 'Strüb']
const MIDDLES = ['en', 'er', 'lin', 'bor', 'del', 'kas', 'mar', 'nau', 'tol', 'wig']
const ENDS = ['mann', 'berg', 'hauer', 'hof', 'meier', 'stedt', 'wald', 'bauer', 'röder', 'groß']

/** An invented name with an umlaut: one of a thousand. */
export function name(random: Random): string {
  return random.pick(STEMS) + random.pick(MIDDLES) + random.pick(ENDS)
}
