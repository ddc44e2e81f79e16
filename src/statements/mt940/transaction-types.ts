/**
 * Names of the most common German transaction codes (Geschäftsvorfallcodes).
 * @see DFÜ-Abkommen, Anlage 3
 */
const GVC_NAMES: Readonly<Record<string, string>> = {
  '005': 'Lastschrift',
  '008': 'Dauerauftrag',
  '020': 'Überweisungsauftrag',
  '051': 'Überweisungsgutschrift',
  '052': 'Dauerauftragsgutschrift',
  '053': 'Lohn, Gehalt, Rente',
  '079': 'Sammler',
  '082': 'Einzahlung',
  '083': 'Auszahlung',
  '104': 'SEPA-Firmenlastschrift',
  '105': 'SEPA-Basislastschrift',
  '106': 'Kartenzahlung',
  '107': 'SEPA-Lastschrift (ELV)',
  '108': 'SEPA-Firmenlastschrift, Rückbelastung',
  '109': 'SEPA-Basislastschrift, Rückbelastung',
  '116': 'SEPA-Überweisung',
  '117': 'SEPA-Dauerauftrag',
  '118': 'SEPA-Echtzeitüberweisung',
  '152': 'SEPA-Dauerauftragsgutschrift',
  '153': 'SEPA-Gehaltsgutschrift',
  '159': 'SEPA-Überweisung, Rücküberweisung',
  '166': 'SEPA-Gutschrift',
  '167': 'SEPA-Gutschrift mit strukturierter Referenz',
  '168': 'SEPA-Echtzeitgutschrift',
  '171': 'SEPA-Basislastschrift, Einreichung',
  '174': 'SEPA-Firmenlastschrift, Einreichung',
  '177': 'SEPA-Onlineüberweisung',
  '181': 'SEPA-Basislastschrift, Wiedergutschrift',
  '191': 'SEPA-Sammelüberweisung',
  '192': 'SEPA-Sammellastschrift, Einreichung',
  '194': 'SEPA-Sammelgutschrift',
  '201': 'Auslandsüberweisung',
  '805': 'Abschluss',
  '808': 'Gebühren',
  '835': 'Sonstiges',
}

/** Names of the transaction type codes of SWIFT, MT940 field 61, sub-field 6. */
const SWIFT_NAMES: Readonly<Record<string, string>> = {
  BOE: 'Bill of exchange',
  CHG: 'Charges',
  CHK: 'Cheque',
  CMI: 'Cash management',
  COL: 'Collection',
  DCR: 'Documentary credit',
  DDT: 'Direct debit',
  FEX: 'Foreign exchange',
  INT: 'Interest',
  RTI: 'Returned item',
  SEC: 'Securities',
  STO: 'Standing order',
  TCK: 'Travellers cheque',
  TRF: 'Transfer',
}

/** The name of a German transaction code of three digits; undefined for unknown codes. */
export function nameOfGvc(code: string): string | undefined {
  return GVC_NAMES[code]
}

/**
 * The name of a SWIFT transaction type code of three letters; undefined for uninformative codes.
 */
export function nameOfSwiftType(code: string): string | undefined {
  return SWIFT_NAMES[code]
}
