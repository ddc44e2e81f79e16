import { test } from 'tap'
import { readCsv } from '../../../src/statements/csv/csv.js'
import { findLayout } from '../../../src/statements/csv/csv-layout.js'
import { columnKey } from '../../../src/statements/csv/csv-profile.js'
import { CSV_PROFILES, profileOfHeader } from '../../../src/statements/csv/csv-profiles.js'
import type { ReadOptions } from '../../../src/statements/statement.js'
import { CSV_AMOUNTS } from '../../fixtures/bank-file-counts.js'
import { shown } from '../../fixtures/csv-samples.js'
import {
  eventsIn,
  faultsOf,
  NO_FILES,
  statementFiles,
  sumOf,
  transactionsOf,
} from '../../fixtures/statement-texts.js'

const OWN = { account: 'DE89370400440532013000', currency: 'EUR' }
const IBAN = 'DE02120300000000202051'

interface Sample {
  readonly profile: string
  readonly text: string
  readonly options?: ReadOptions
  readonly account: Readonly<Record<string, string>>
  readonly first: Readonly<Record<string, unknown>>
  /** Texts of the warnings. */
  readonly warnings?: readonly RegExp[]
}

const own = { iban: OWN.account }

const SAMPLES: readonly Sample[] = [
  {
    profile: 'Sparkasse CAMT',
    text:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";' +
      '"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";' +
      '"Sammlerreferenz";"Lastschrift Ursprungsbetrag";' +
      '"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";' +
      '"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"\r\n' +
      `"DE89370400440532013000";"29.02.24";"01.03.24";"FOLGELASTSCHRIFT";` +
      `"Strom Gese llschaft";"DE98ZZZ09999999999";"M-1";"NOTPROVIDED";"";"";"";` +
      `"Stadtwerke";"${IBAN}";"BYLADEM1001";"-1.234,56";"EUR";"Umsatz gebucht"\r\n` +
      `"DE89370400440532013000";"29.02.24";"01.03.24";"X";"Y";"";"";"";"";"";"";"Z";"";` +
      `"";"-1,00";"EUR";"Umsatz vorgemerkt"\r\n`,
    account: own,
    first: {
      amount: '-1234.56',
      currency: 'EUR',
      booked: '2024-02-29',
      valued: '2024-03-01',
      type: 'FOLGELASTSCHRIFT',
      purpose: 'Strom Gese llschaft',
      counterpart: {
        name: 'Stadtwerke',
        iban: IBAN,
        bic: 'BYLADEM1001',
        mandateReference: 'M-1',
        creditorId: 'DE98ZZZ09999999999',
      },
    },
    warnings: [/^not booked \(Info: Umsatz vorgemerkt\), skipped$/u],
  },
  {
    profile: 'Sparkasse',
    text:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";' +
      '"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";' +
      '"Info"\n' +
      '"1234567";"31.12.23";"31.12.23";"GUTSCHRIFT";"Text";"Name";"7654321";"12030000";' +
      '"5,00";"EUR";"Umsatz gebucht"\n',
    account: { accountNumber: '1234567' },
    first: {
      amount: '5',
      currency: 'EUR',
      booked: '2023-12-31',
      valued: '2023-12-31',
      type: 'GUTSCHRIFT',
      purpose: 'Text',
      counterpart: { name: 'Name', accountNumber: '7654321' },
    },
  },
  {
    profile: 'DKB',
    text:
      '"Girokonto";"DE89 3704 0044 0532 0130 00"\n""\n"Kontostand vom 10.10.2026:";' +
      '"1.234,56 €"\n""\n' +
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";' +
      '"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";' +
      '"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"\n' +
      `"08.10.26";"09.10.26";"Gebucht";"Max Muster";"Markt";"Einkauf";"Ausgang";"` +
      `${IBAN}";"-23,45 €";"";"";"R1"\n` +
      '"09.10.26";"";"Vorgemerkt";"Max Muster";"Netflix";"";"Ausgang";"";"-13,99 €";"";"";""\n',
    account: own,
    first: {
      amount: '-23.45',
      currency: 'EUR',
      booked: '2026-10-08',
      valued: '2026-10-09',
      type: 'Ausgang',
      purpose: 'Einkauf',
      counterpart: { name: 'Markt', iban: IBAN, customerReference: 'R1' },
    },
    warnings: [/^not booked \(Status: Vorgemerkt\)/u],
  },
  {
    profile: 'DKB until 2023',
    text:
      '"Kontonummer:";"DE89370400440532013000 / DKB-Cash";\n\n"Von:";"01.01.2022";\n\n' +
      '"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";' +
      '"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";' +
      '"Mandatsreferenz";"Kundenreferenz";\n' +
      `"03.01.2022";"03.01.2022";"Gutschrift";"Name";"Text";"${IBAN}";"BYLADEM1001";` +
      `"10,00";"";"";"";\n`,
    account: own,
    first: {
      amount: '10',
      currency: 'EUR',
      booked: '2022-01-03',
      valued: '2022-01-03',
      type: 'Gutschrift',
      purpose: 'Text',
      counterpart: { name: 'Name', iban: IBAN, bic: 'BYLADEM1001' },
    },
  },
  {
    profile: 'ING',
    text:
      'Umsatzanzeige;Datei erstellt am: 07.03.2021 13:18\n;Letztes Update: aktuell\n\n' +
      'IBAN;DE89 3704 0044 0532 0130 00\nKontoname;Girokonto\nBank;ING\nZeitraum;' +
      '06.01.2020 - 09.01.2020\nSaldo;1172,12;EUR\n\n' +
      'In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.\n\n' +
      'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Kategorie;Verwendungszweck;' +
      'Saldo;Währung;Betrag;Währung\n' +
      '09.01.2020;10.01.2020;Yabox;Lastschrift;Shopping;Text;1188,32;EUR;-1,62;USD\n',
    account: own,
    first: {
      amount: '-1.62',
      currency: 'USD',
      booked: '2020-01-09',
      valued: '2020-01-10',
      type: 'Lastschrift',
      purpose: 'Text',
      counterpart: { name: 'Yabox' },
      balance: '1188.32',
    },
  },
  {
    profile: 'Deutsche Bank and Postbank',
    text:
      'Umsätze Girokonto;;;Kundennummer: 100\nBuchungstag;Wert;Umsatzart;' +
      'Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;' +
      'Mandatsreferenz ;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;' +
      'Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung\n' +
      `02.10.2026;3.10.2026;SEPA-Lastschrift von;Stadtwerke;Strom;${IBAN};BYLADEM1001;;` +
      `M2;;;;;;;-45,00;;EUR\n` +
      '01.10.2026;01.10.2026;Gutschrift;Name;Garage;;;;;;;;;;;;60,00;EUR\nKontostand;' +
      '02.10.2026;;;100,00;EUR\n',
    options: { account: OWN.account },
    account: own,
    first: {
      amount: '-45',
      currency: 'EUR',
      booked: '2026-10-02',
      valued: '2026-10-03',
      type: 'SEPA-Lastschrift von',
      purpose: 'Strom',
      counterpart: {
        name: 'Stadtwerke',
        iban: IBAN,
        bic: 'BYLADEM1001',
        mandateReference: 'M2',
      },
    },
  },
  {
    profile: 'comdirect',
    text:
      ';\n"Umsätze Girokonto";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"1.134,11 EUR";' +
      '\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";' +
      '"Umsatz in EUR";\n' +
      '"offen";"--";"Kartenverfügung";"x";"-1,00";\n' +
      '"09.12.2024";"10.12.2024";"Lastschrift / Belastung";' +
      '"Auftraggeber: GREEN Ref. 7Q2/3378";"-1.018,80";\n\n"Alter Kontostand";"1.200,' +
      '00 EUR";\n',
    options: { account: OWN.account },
    account: own,
    first: {
      amount: '-1018.8',
      currency: 'EUR',
      booked: '2024-12-09',
      valued: '2024-12-10',
      type: 'Lastschrift / Belastung',
      purpose: 'Ref. 7Q2/3378',
      counterpart: { name: 'GREEN' },
    },
    warnings: [/^not booked \(Buchungstag: offen\)/u],
  },
  {
    profile: 'Volksbanken and Raiffeisenbanken',
    text:
      'Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;' +
      'Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;' +
      'IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;' +
      'Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Kategorie;' +
      'Steuerrelevant;Glaeubiger ID;Mandatsreferenz\n' +
      `Mietkonto;DE89370400440532013000;GENODEF1ABC;Testbank;02.03.2026;03.03.2026;` +
      `Anna;${IBAN};BYLADEM1001;Gutschrift;"Miete; W1\nMai";1.090,00;EUR;5.000,00;;;;;` +
      `\n`,
    account: { name: 'Mietkonto', iban: OWN.account, bic: 'GENODEF1ABC', bankName: 'Testbank' },
    first: {
      amount: '1090',
      currency: 'EUR',
      booked: '2026-03-02',
      valued: '2026-03-03',
      type: 'Gutschrift',
      purpose: 'Miete; W1 Mai',
      counterpart: { name: 'Anna', iban: IBAN, bic: 'BYLADEM1001' },
      balance: '5000',
    },
  },
  {
    profile: 'PayPal activity, German',
    text:
      '\ufeff"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto",' +
      '"Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse",' +
      '"Transaktionscode","Artikelbezeichnung","Rechnungsnummer","Guthaben","Betreff",' +
      '"Hinweis","Auswirkung auf Guthaben"\n' +
      '"02.01.2025","10:00:00","CET","Kunde","Zahlung","Abgeschlossen","EUR","1.100,' +
      '00","-2,49","1.097,51","a@b.example","c@d.example","11A111","Ware, rot","RE-7",' +
      '"1,00","Rechnung","","Haben"\n' +
      '"02.01.2025","10:00:00","CET","Kunde","Warenkorbartikel","Abgeschlossen","EUR",' +
      '"100,00","0,00","100,00","a@b.example","c@d.example","11A111","Ware","","1,00",' +
      '"","","Memo"\n',
    options: OWN,
    account: own,
    first: {
      amount: '1100',
      currency: 'EUR',
      booked: '2025-01-02',
      type: 'Zahlung',
      purpose: 'Rechnung Ware, rot',
      counterpart: { name: 'Kunde', customerReference: '11A111' },
      fee: '-2.49',
      net: '1097.51',
      invoiceNumber: 'RE-7',
      balance: '1',
    },
    warnings: [/^not booked \(Auswirkung auf Guthaben: Memo\)/u],
  },
  {
    profile: 'PayPal statement, English',
    text:
      '"Date","Time","Time Zone","Description","Currency","Gross","Fee","Net",' +
      '"Balance","Transaction ID","From Email Address","Name","Bank Name",' +
      '"Bank Account","Shipping and Handling Amount","Sales Tax","Invoice ID",' +
      '"Reference Txn ID"\n' +
      '"1/13/2020","10:40:56","America/Los_Angeles","PreApproved Payment","USD",' +
      '"-7.00","0.00","-7.00","123.45","9AS","ar@example.com","GitHub, Inc.","","",' +
      '"0.00","0.00","P-1","B-A"\n',
    options: OWN,
    account: own,
    first: {
      amount: '-7',
      currency: 'USD',
      booked: '2020-01-13',
      type: 'PreApproved Payment',
      counterpart: { name: 'GitHub, Inc.', customerReference: '9AS' },
      fee: '0',
      net: '-7',
      invoiceNumber: 'P-1',
      balance: '123.45',
    },
  },
  {
    profile: 'N26 since 2023',
    text:
      '"Booking Date","Value Date","Partner Name","Partner Iban",Type,' +
      '"Payment Reference","Account Name","Amount (EUR)","Original Amount",' +
      '"Original Currency","Exchange Rate"\n' +
      `2024-02-29,2024-03-01,Shop,${IBAN},Presentment,Ref,Main,-9.18,-9.95,USD,1.08\n`,
    options: { account: '12345' },
    account: { accountNumber: '12345' },
    first: {
      amount: '-9.18',
      currency: 'EUR',
      booked: '2024-02-29',
      valued: '2024-03-01',
      type: 'Presentment',
      purpose: 'Ref',
      counterpart: { name: 'Shop', iban: IBAN },
      originalAmount: '-9.95',
      originalCurrency: 'USD',
    },
  },
]

test('each known bank is detected by its header, and its fields are mapped', async (t) => {
  for (const { profile, text, options = {}, account, first, warnings = [] } of SAMPLES) {
    t.equal(findLayout(text, undefined)?.profile.name, profile)
    const events = await eventsIn(readCsv, text, options)
    t.strictSame(faultsOf(events), [], profile)
    const opened = events.find((event) => event.kind === 'account')
    t.strictSame(opened?.kind === 'account' ? opened.account : undefined, account, profile)
    t.strictSame(shown(transactionsOf(events)[0]), first, profile)
    const found = events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []))
    t.equal(found.length, warnings.length, `${profile}: warnings`)
    t.match(found, warnings, profile)
  }
})

test('a profile is distinct from every other, whatever the case of its header', async (t) => {
  for (const profile of CSV_PROFILES) {
    const header = profile.signature.map((name) => `  ${name.toUpperCase()} `)
    t.equal(profileOfHeader(header)?.name, profile.name)
    t.ok(
      Object.values(profile.columns).flat().length > 3 && profile.columns.bookingDate !== undefined,
      profile.name,
    )
    for (const name of profile.signature) t.ok(columnKey(name), profile.name)
  }
  t.equal(profileOfHeader(['Date', 'Description', 'Amount']), undefined, 'no currency: no profile')
  const marked = ['Date', 'Description', 'Amount', 'Currency', 'Debit/Credit']
  t.equal(profileOfHeader(marked), undefined, 'an unknown column could reverse the sign')
})

test('the second account of a comdirect file is refused with its name', async (t) => {
  const comdirect = SAMPLES.find(({ profile }) => profile === 'comdirect')?.text ?? ''
  await t.rejects(eventsIn(readCsv, `${comdirect}"Umsätze Visa-Karte";"x";\n`, OWN), {
    name: 'StatementError',
    message: /^line 10: another account begins here \("Umsätze Visa-Karte"\); export each/u,
  })
})

interface ExpectedFile {
  readonly profile: string
  /** Message for the refused record, if there is one. */
  readonly refused?: RegExp
  /** Number of records that are no entries, each with a warning. */
  readonly remarks?: number
}

const FILES: Readonly<Record<string, ExpectedFile>> = {
  'bank2ynab__2019-03-02_11-50-46_bunq-statement.csv': {
    profile: 'bunq',
  },
  'bank2ynab__Umsaetze_KtoNr538917600_EUR_02-03-2018_1503.CSV': {
    profile: 'Commerzbank',
  },
  'bank2ynab__export_BE11123456789012_20180304_1422.csv': {
    profile: 'KBC',
  },
  'bank2ynab__test_raiffeisen_01.csv': {
    profile: 'Raiffeisen ELBA',
    remarks: 1,
  },
  'bank2ynab__umsatz-1234________1234-20180227.CSV': {
    profile: 'Sparkasse credit card',
  },
  'bsparser__csv_french_headers.csv': {
    profile: 'French with debit and credit',
  },
  'bsparser__csv_garbled_amount.csv': {
    profile: 'English with one amount',
    refused:
      /^line 3, Amount: "12\.\.34" is not a decimal number; expected for example -1,234\.56/u,
  },
  'n26-test_extract_multiple_transactions.csv': {
    profile: 'N26',
  },
  'n26-test_identify_french.csv': {
    profile: 'N26 French',
  },
  'n26-test_identify_german.csv': {
    profile: 'N26 German',
  },
}

test('every record of every real file is read or refused, to the cent', async (t) => {
  const files = statementFiles('csv')
  if (files === undefined) return t.comment(NO_FILES)
  t.comment('file | profile | found | refused | lines | sum')
  for (const { name, text } of files) {
    const expected = FILES[name]
    if (expected === undefined) return t.fail(`${name} is not in the table of this test`)
    const layout = findLayout(text, undefined)
    const events = await eventsIn(readCsv, text, OWN)
    const found = transactionsOf(events)
    const faults = faultsOf(events)
    const lines =
      text.split('\n').filter((line) => line.trim() !== '').length - (layout?.hasHeader ? 1 : 0)
    t.comment(
      [name, layout?.profile.name, found.length, faults.length, lines, sumOf(found)].join(' | '),
    )
    t.equal(layout?.profile.name, expected.profile, name)
    const remarks = expected.remarks ?? 0
    t.equal(found.length + faults.length + remarks, lines, `${name}: records`)
    const skipped = events.filter((one) => 'message' in one && one.message.endsWith('skipped'))
    t.equal(skipped.length, remarks, `${name}: remarks`)
    t.equal(faults.length, expected.refused === undefined ? 0 : 1, `${name}: refused`)
    const said = faults.map(({ position, field, message }) => `${position}, ${field}: ${message}`)
    if (expected.refused !== undefined) t.match(said[0], expected.refused, name)
    t.equal(
      sumOf(found),
      sumInCents([...text.matchAll(CSV_AMOUNTS[name] ?? /$^/g)]),
      `${name}: sum`,
    )
  }
  for (const [name, first] of Object.entries(FIRST)) {
    const file = files.find((candidate) => candidate.name.includes(name))
    const events = await eventsIn(readCsv, file?.text ?? '', OWN)
    t.strictSame(shown(transactionsOf(events)[0]), { currency: 'EUR', ...first }, name)
  }
  const raiffeisen = files.find(({ name }) => name.includes('raiffeisen'))?.text ?? ''
  const events = await eventsIn(readCsv, raiffeisen, OWN)
  t.equal(transactionsOf(events).length, 73)
  t.strictSame(shown(transactionsOf(events)[1]), {
    amount: '-23.55',
    currency: 'EUR',
    booked: '2017-09-18',
    valued: '2017-09-16',
    purpose: 'POS          23,55 AT  K1   16.09. 11:32 SPAR DANKT 4105 KORNEUBURG 2100',
    counterpart: {},
  })
})

/** The full first transaction of some of the real files. */
const FIRST: Readonly<Record<string, Record<string, unknown>>> = {
  bunq: {
    amount: '-8.78',
    booked: '2018-12-06',
    purpose: 'CLOUDFLARE 650-3198939, US 9.95 USD, 1 USD = 0.88241 EUR',
    counterpart: { name: 'CLOUDFLARE' },
  },
  Umsaetze_KtoNr: {
    amount: '-17.22',
    booked: '2018-03-02',
    valued: '2018-03-02',
    type: 'Lastschrift',
    purpose: 'Kartenzahlung REWE SAGT DANKE. 41400673//Hamburg 2018-03-01T11:33:59 KFN 1 VJ 1812',
    counterpart: {},
  },
  export_BE: {
    amount: '-3.4',
    booked: '2018-02-28',
    valued: '2018-02-28',
    purpose: 'BIJDRAGE 01-02-2018 - 28-02-2018     28-02 KBC-PLUSREKENING',
    balance: '219.95',
    counterpart: {},
  },
  'umsatz-1234': {
    amount: '-5',
    booked: '2018-02-20',
    valued: '2018-02-20',
    purpose: 'AMREST STARBUCKS DE 08007263333  DE',
    counterpart: {},
  },
  french_headers: {
    amount: '-1234.56',
    booked: '2026-04-02',
    purpose: 'Loyer Avril',
    counterpart: { customerReference: 'FR-001' },
  },
  'n26-test_extract': {
    amount: '-56.78',
    booked: '2019-12-28',
    type: 'Income',
    purpose: 'Muster GmbH',
    counterpart: { name: 'MAX MUSTERMANN', iban: 'DE99999999999999999999' },
  },
}

/** The sum of the first groups, `1,50;` being a debit, without the code under test. */
function sumInCents(matches: readonly RegExpMatchArray[]): string {
  let cents = 0
  for (const [, text = ''] of matches) {
    const value = Number(text.replace(/;/gu, '').replace(',', '.'))
    cents += Math.round(value * 100) * (text.endsWith(';') ? -1 : 1)
  }
  return String(cents / 100)
}
