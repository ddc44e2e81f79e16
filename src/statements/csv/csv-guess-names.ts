/** Matches a text with one of the parts, which are regular expressions between blanks. */
function anyOf(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(' ').replaceAll(' ', '|'), 'u')
}

/** Parts of column names in many languages, in lower case. */
export const NAMES = {
  booking: anyOf(
    'buchung booking posted posting boek completed comptab contab proveden fecha opéra',
  ),
  day: anyOf('dat day tag'),
  value: anyOf('valuta wert value rente valeur valör valor értéknap zaúčtov'),
  balance: anyOf('saldo balance guthaben kontostand solde egyenleg zůstatek'),
  fee: anyOf('fee gebühr entgelt charge kosten poplatek commission frais provision'),
  foreign: anyOf(
    'original ursprung local fremd foreign oorspr původní exchange kurs rate koers tax',
    'steuer',
  ),
  debit: anyOf(
    'soll debit débit debet withdraw paid.out money.out belastung ausgabe ausgang outflow',
    'sortie cargo debe',
  ),
  credit: anyOf(
    'haben credit crédit deposit paid.in money.in gutschrift einnahme eingang inflow',
    'entrée abono haber',
  ),
  amount: anyOf(
    'betrag amount bedrag umsatz montant import summe ^sum gross brutto částka összeg',
    'kwota',
  ),
  direction: anyOf(
    'af.{0,3}bij soll.{0,3}haben credit.{0,3}debet debit.{0,3}credit credit.{0,3}debit',
    String.raw`^[dcsh]\/[dcsh]$ dr.{0,3}cr direction vorzeichen kennzeichen indicator sign\b flag`,
    String.raw`\+\/- bevétel`,
  ),
  currency: anyOf('währung waehrung currency munt valuta devis divisa měna'),
  counterpart: anyOf(
    'gegen tegen counter empfänger auftraggeber begünst beguenst zahlungs partner protiú',
    'contra other payee payer beneficiary',
  ),
  name: anyOf(
    'name naam payee payer empfänger auftraggeber begünst beguenst zahlungspfl partner',
    'partei counterpart merchant bénéficiaire tegenrekeninghouder',
  ),
  own: anyOf(
    'bank own eigen auftragskonto mein account.name name.of.account kontobezeich',
    'kontoname holder.?s?.account',
  ),
  purpose: anyOf(
    'zweck descr omschr mededel purpose memo libell label detail remittance narrative',
    'particular betreff text subject message zpráva közlemény payment.ref note concept',
  ),
  type: anyOf(
    'umsatzart buchungsart vorgang transaction.type transaktionstyp mutatiesoort ^type$',
    '^typ$',
  ),
  state: anyOf('^status$ ^state$ zustand buchungsstatus'),
  endToEnd: anyOf('end.?to.?end ^e2e eref'),
  mandate: anyOf('mandat machtiging'),
  creditor: anyOf('gläubiger glaeubiger creditor.?id incassant'),
} as const

/** Texts of a state column that say that a row is booked. */
export const BOOKED = new Set([
  'completed',
  'complete',
  'booked',
  'gebucht',
  'abgeschlossen',
  'posted',
  'settled',
  'cleared',
  'umsatz gebucht',
])
