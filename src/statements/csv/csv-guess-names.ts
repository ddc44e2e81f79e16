/** Parts of column names in many languages, in lower case. */
export const NAMES = {
  booking: /buchung|booking|posted|posting|boek|completed|comptab|contab|proveden|fecha|opéra/u,
  day: /dat|day|tag/u,
  value: /valuta|wert|value|rente|valeur|valör|valor|értéknap|zaúčtov/u,
  balance: /saldo|balance|guthaben|kontostand|solde|egyenleg|zůstatek/u,
  fee: /fee|gebühr|entgelt|charge|kosten|poplatek|commission|frais|provision/u,
  foreign: new RegExp(
    [
      'original|ursprung|local|fremd|foreign|oorspr|původní|exchange|kurs|rate|koers|tax',
      'steuer',
    ].join('|'),
    'u',
  ),
  debit: new RegExp(
    [
      'soll|debit|débit|debet|withdraw|paid.out|money.out|belastung|ausgabe|ausgang|outflow',
      'sortie|cargo|debe',
    ].join('|'),
    'u',
  ),
  credit: new RegExp(
    [
      'haben|credit|crédit|deposit|paid.in|money.in|gutschrift|einnahme|eingang|inflow',
      'entrée|abono|haber',
    ].join('|'),
    'u',
  ),
  amount: /betrag|amount|bedrag|umsatz|montant|import|summe|^sum|gross|brutto|částka|összeg|kwota/u,
  direction: new RegExp(
    [
      'af.{0,3}bij|soll.{0,3}haben|credit.{0,3}debet|debit.{0,3}credit|credit.{0,3}debit',
      String.raw`^[dcsh]\/[dcsh]$|dr.{0,3}cr|direction|vorzeichen|kennzeichen|indicator|sign\b`,
      String.raw`flag|\+\/-|bevétel`,
    ].join('|'),
    'u',
  ),
  currency: /währung|waehrung|currency|munt|valuta|devis|divisa|měna/u,
  counterpart: new RegExp(
    [
      'gegen|tegen|counter|empfänger|auftraggeber|begünst|beguenst|zahlungs|partner|protiú',
      'contra|other|payee|payer|beneficiary',
    ].join('|'),
    'u',
  ),
  name: new RegExp(
    [
      'name|naam|payee|payer|empfänger|auftraggeber|begünst|beguenst|zahlungspfl|partner',
      'partei|counterpart|merchant|bénéficiaire|tegenrekeninghouder',
    ].join('|'),
    'u',
  ),
  own: new RegExp(
    [
      'bank|own|eigen|auftragskonto|mein|account.name|name.of.account|kontobezeich',
      'kontoname|holder.?s?.account',
    ].join('|'),
    'u',
  ),
  purpose: new RegExp(
    [
      'zweck|descr|omschr|mededel|purpose|memo|libell|label|detail|remittance|narrative',
      'particular|betreff|text|subject|message|zpráva|közlemény|payment.ref|note|concept',
    ].join('|'),
    'u',
  ),
  type: /umsatzart|buchungsart|vorgang|transaction.type|transaktionstyp|mutatiesoort|^type$|^typ$/u,
  state: /status|^state$|zustand|^état|^estado|^stato|^stav$|^stan$/u,
  account: /konto|rekening|account|iban|účet|compte|cuenta|számla/u,
  ownAccount:
    /own|eigen|auftragskonto|mein|^my\b|^rekening|^account.?(?:number|no|nr)?\.?$|^konto/u,
  endToEnd: /end.?to.?end|^e2e|eref/u,
  mandate: /mandat|machtiging/u,
  creditor: /gläubiger|glaeubiger|creditor.?id|incassant/u,
} as const

/** Texts of a state column for booked rows, as `columnKey` returns them. */
export const BOOKED = new Set([
  'completed',
  'complete',
  'booked',
  'gebucht',
  'gebuchter umsatz',
  'verbucht',
  'abgeschlossen',
  'posted',
  'settled',
  'cleared',
  'umsatz gebucht',
  'geboekt',
  'verwerkt',
  'comptabilisé',
  'contabilizado',
  'contabilizzato',
  'zaksięgowano',
  'zaúčtováno',
])

/** Texts of a state column for rows that are not booked, or never will be. */
export const UNBOOKED = new Set([
  'pending',
  'declined',
  'rejected',
  'failed',
  'reverted',
  'cancelled',
  'canceled',
  'authorised',
  'authorized',
  'reserved',
  'scheduled',
  'processing',
  'vorgemerkt',
  'umsatz vorgemerkt',
  'ausstehend',
  'offen',
  'abgelehnt',
  'storniert',
  'reserviert',
  'in bearbeitung',
  'gereserveerd',
  'in behandeling',
  'en attente',
  'pendiente',
  'in sospeso',
  'oczekująca',
])
