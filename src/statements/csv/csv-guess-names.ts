/** Matches a name with one of the parts, or with one of the words as a whole word. */
function named(parts: string, words: string): RegExp {
  const all = words.trim().split(/\s+/u).join('|')
  return new RegExp(
    String.raw`${parts.trim().split(/\s+/u).join('|')}|(?<!\p{L})(?:${all})(?!\p{L})`,
    'u',
  )
}

/** Parts of column names in many languages, in lower case. */
export const NAMES = {
  booking: /buchung|booking|posted|posting|boek|completed|comptab|contab|proveden|fecha|opéra/u,
  day: /dat|day|tag/u,
  value: /valuta|wert|value|rente|valeur|valör|valor|értéknap|zaúčtov/u,
  balance: /saldo|balance|guthaben|kontostand|solde|egyenleg|zůstatek/u,
  fee: /fee|gebühr|entgelt|charge|kosten|poplatek|commission|frais|provision/u,
  foreign: named(
    'original ursprung fremd foreign oorspr původní exchange kurs koers steuer',
    'local rate rates tax taxes',
  ),
  debit: named(
    `soll debit débit debet débito withdraw paid.out money.out belastung ausgabe ausgang abgang
    abgänge auszahlung lastschrift outflow sortie dépense retrait cargo debe adeudo retiro uscit
    addebit saída obciążeni wydat wypłat výdaj výběr terhelés kiadás uttag utbetal utgift uttak
    udgift udbetal hævning afschrijving uitgave veloitu`,
    'dare ut ud af otto otot menot',
  ),
  credit: named(
    `haben credit crédit crédito deposit paid.in money.in gutschrift einnahme eingang zugang
    zugänge einzahlung inflow entrée recette abono haber ingreso depósito entrat accredit entrada
    uznani wpłat wpływ příjem vklad jóváírás bevétel insättning inbetal inkomst innskudd inntekt
    indtægt indbetal indsæt bijschrijving hyvity`,
    'avere kredit inn ind bij pano panot tulot',
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
      'kontoname|holder.?s?.account|rekening.?naam',
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
  kind: named(
    'umsatzart buchungsart vorgang transaktionsart mutatiesoort',
    'art typ type kind tipo',
  ),
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
