import { test } from 'tap'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, IBAN_DE, IBAN_NL, OWN, OWN_ACCOUNT } from '../../fixtures/csv-samples.js'

const DIREKT_1822_HEADER = [
  'Kontonummer;Datum/Zeit;Buchungstag;Wertstellung;Soll/Haben;Buchungsschlüssel;Buchungsart',
  'Empfänger/Auftraggeber Name;Empfänger/Auftraggeber IBAN;Empfänger/Auftraggeber BIC',
  'Glaeubiger-ID;Mandatsreferenz;Mandatsdatum;Vwz.0;Vwz.1;Vwz.2;End-to-End-Identifikation',
].join(';')

const OLDER_FIELDS: readonly CsvSample[] = [
  {
    profile: 'Sparkasse',
    text:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";' +
      '"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"\n' +
      `"1234567";"27.02.20";"28.02.20";"GUTSCHRIFT";"Miete";"Anna Muster";"${IBAN_DE}";` +
      '"BYLADEM1001";"1.005,00";"EUR";"Umsatz gebucht"\n' +
      '"1234567";"26.02.20";"26.02.20";"ENTGELTABSCHLUSS";"Entgelt";"";"0000000000";' +
      '"12030000";"-4,90";"EUR";"Umsatz gebucht"\n',
    account: { accountNumber: '1234567' },
    rows: [
      {
        amount: '1005',
        currency: 'EUR',
        booked: '2020-02-27',
        valued: '2020-02-28',
        type: 'GUTSCHRIFT',
        purpose: 'Miete',
        counterpart: { name: 'Anna Muster', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
      {
        amount: '-4.9',
        currency: 'EUR',
        booked: '2020-02-26',
        valued: '2020-02-26',
        type: 'ENTGELTABSCHLUSS',
        purpose: 'Entgelt',
        counterpart: { accountNumber: '0000000000' },
      },
    ],
  },
  {
    // The direction is in a column without a name; the last rows are balances.
    profile: 'Volksbanken and Raiffeisenbanken until 2021',
    text:
      '"Volksbank eG"\n\n"BLZ:";"10090000";;"Datum:";"31.01.2018"\n\n' +
      '"Buchungstag";"Valuta";"Textschlüssel";"Primanota";"Auftraggeber/Zahlungsempfänger";' +
      '"Empfänger/Zahlungspflichtiger";"Konto-Nr.";"IBAN";"BLZ";"BIC";' +
      '"Vorgang/Verwendungszweck";"Kundenreferenz";"Währung";"Umsatz";" "\n' +
      `"30.01.2018";"31.01.2018";"05 ";"931";"Eigner";"Laden";;"${IBAN_DE}";;"BYLADEM1001";` +
      '"Lastschrift\nEinkauf 7";"K-1";"EUR";"12,50";"S"\n' +
      '"29.01.2018";"29.01.2018";"51 ";"000";"Firma";"";"4711";;;;"Gehalt";;"EUR";"1.000,00";' +
      '"H"\n\n' +
      '"01.01.2018";;;;;;;;;;;"Anfangssaldo";"EUR";"5,00";"S"\n' +
      '"31.01.2018";;;;;;;;;;"Endsaldo";;"EUR";"982,50";"H"\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-12.5',
        currency: 'EUR',
        booked: '2018-01-30',
        valued: '2018-01-31',
        type: '05',
        purpose: 'Lastschrift Einkauf 7',
        primanota: '931',
        counterpart: {
          ...{ name: 'Laden', iban: IBAN_DE, bic: 'BYLADEM1001', customerReference: 'K-1' },
        },
      },
      {
        amount: '1000',
        currency: 'EUR',
        booked: '2018-01-29',
        valued: '2018-01-29',
        type: '51',
        purpose: 'Gehalt',
        primanota: '000',
        counterpart: { accountNumber: '4711', name: 'Firma' },
      },
    ],
  },
  {
    profile: 'Deutsche Bank and Postbank',
    text:
      'Umsätze;;;;;;;;;;;;;;;;;\n' +
      'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / ' +
      'Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;' +
      'Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung\n' +
      `3.1.2024;4.1.2024;SEPA Lastschrift;Zahldienst SA;Kauf 77;${IBAN_DE};BYLADEM1001;R-7;M-7;` +
      'DE98ZZZ09999999999;;-12,50;Blumen Anna;;;-12,50;;EUR\n' +
      `2.1.2024;2.1.2024;SEPA Überweisung;Anna Muster;Miete;${IBAN_NL};;;;;;-500,00;` +
      'Anna Muster;;;-500,00;;EUR\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-12.5',
        currency: 'EUR',
        booked: '2024-01-03',
        valued: '2024-01-04',
        type: 'SEPA Lastschrift',
        purpose: 'Kauf 77 ABWE+Blumen Anna',
        counterpart: {
          name: 'Zahldienst SA',
          iban: IBAN_DE,
          bic: 'BYLADEM1001',
          customerReference: 'R-7',
          mandateReference: 'M-7',
          creditorId: 'DE98ZZZ09999999999',
        },
      },
      {
        amount: '-500',
        currency: 'EUR',
        booked: '2024-01-02',
        valued: '2024-01-02',
        type: 'SEPA Überweisung',
        purpose: 'Miete',
        counterpart: { name: 'Anna Muster', iban: IBAN_NL },
      },
    ],
  },
]

const BANKS: readonly CsvSample[] = [
  {
    profile: '1822direkt',
    text:
      `${DIREKT_1822_HEADER}\n` +
      '1234567;07.01.2026 09:36;07.01.2026;08.01.2026;-14,65;20080;Debitkartenzahlung;' +
      `BACKHAUS;${IBAN_DE};BYLADEM1001;;;;2026-01-05T14:44 Debit;;;E2E-1\n` +
      `1234567;06.01.2026 09:36;06.01.2026;06.01.2026;-1.020,00;20200;Lastschrift;Strom AG;` +
      `${IBAN_DE};;DE98ZZZ09999999999;M-7;01.01.2020;Abschlag Januar 2026 Kunden;strom 77;` +
      'Danke;NOTPROVIDED\n' +
      '1234567;05.01.2026 14:44;05.01.2026;;-14,65;;Kartenzahlung/-en;Kartenzahlung/-en;;;;;;' +
      'EC 70000000 050126144447 04;;;\n' +
      '1234567;02.01.2026 08:00;02.01.2026;02.01.2026;2.500,00;21050;Gutschrift;Arbeit GmbH;' +
      `${IBAN_NL};;;;;Lohn;;;\n# 1 vorgemerkte Umsätze nicht angezeigt\n`,
    account: { accountNumber: '1234567' },
    rows: [
      {
        amount: '-14.65',
        currency: 'EUR',
        booked: '2026-01-07',
        valued: '2026-01-08',
        type: 'Debitkartenzahlung',
        purpose: '2026-01-05T14:44 Debit',
        endToEndReference: 'E2E-1',
        counterpart: { name: 'BACKHAUS', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
      {
        amount: '-1020',
        currency: 'EUR',
        booked: '2026-01-06',
        valued: '2026-01-06',
        type: 'Lastschrift',
        purpose: 'Abschlag Januar 2026 Kundenstrom 77 Danke',
        counterpart: {
          name: 'Strom AG',
          iban: IBAN_DE,
          mandateReference: 'M-7',
          creditorId: 'DE98ZZZ09999999999',
        },
      },
      {
        amount: '2500',
        currency: 'EUR',
        booked: '2026-01-02',
        valued: '2026-01-02',
        type: 'Gutschrift',
        purpose: 'Lohn',
        counterpart: { name: 'Arbeit GmbH', iban: IBAN_NL },
      },
    ],
    warnings: [/^not booked \(Wertstellung: \)/u],
  },
  {
    profile: 'Consorsbank',
    text:
      'Konto\nAllgemeine Informationen\nKontostand\nKontoumsätze\n' +
      'Buchung;Valuta;Sender / Empfänger;IBAN;BIC;Buchungstext;Verwendungszweck;Kategorie;' +
      'Stichwörter;Umsatz geteilt;Betrag;Währung\n' +
      `01.05.2026;02.05.2026;Anna Muster;${IBAN_DE};BYLADEM1001;UEBERWEISUNG;Lohn Mai;n/a;n/a;` +
      'n/a;5.000,00;EUR\n' +
      `02.05.2026;02.05.2026;Markt;${IBAN_NL};n/a;KARTENZAHLUNG;n/a;n/a;n/a;n/a;−250,50;EUR\n`,
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '5000',
        currency: 'EUR',
        booked: '2026-05-01',
        valued: '2026-05-02',
        type: 'UEBERWEISUNG',
        purpose: 'Lohn Mai',
        counterpart: { name: 'Anna Muster', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
      {
        amount: '-250.5',
        currency: 'EUR',
        booked: '2026-05-02',
        valued: '2026-05-02',
        type: 'KARTENZAHLUNG',
        counterpart: { name: 'Markt', iban: IBAN_NL },
      },
    ],
  },
  {
    profile: 'Consorsbank until 2022',
    text:
      'Buchung;Valuta;Sender / Empfänger;IBAN / Konto-Nr.;BIC / BLZ;Buchungstext;' +
      'Verwendungszweck;Kategorie;Stichwörter;Umsatz geteilt;Betrag in EUR\n' +
      '27.11.2018;27.11.2018;KINO.COM;922904916;12389455;Lastschrift (Einzugsermächtigung);' +
      'VISA-5600 13,99EUR;Musik, Filme & Apps;;;-13,99\n' +
      `30.10.2018;31.10.2018;Vermieter;${IBAN_DE};BYLADEM1001;Gutschrift;Miete ;Wohnen;;;` +
      '1.333,22\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-13.99',
        currency: 'EUR',
        booked: '2018-11-27',
        valued: '2018-11-27',
        type: 'Lastschrift (Einzugsermächtigung)',
        purpose: 'VISA-5600 13,99EUR',
        counterpart: { accountNumber: '922904916', name: 'KINO.COM' },
      },
      {
        amount: '1333.22',
        currency: 'EUR',
        booked: '2018-10-30',
        valued: '2018-10-31',
        type: 'Gutschrift',
        purpose: 'Miete',
        counterpart: { name: 'Vermieter', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
    ],
  },
  {
    profile: 'Finom',
    text:
      'Buchungsdatum,Time completed,Status,Transaktionsart,Auftraggeber/Empfänger,' +
      'Counterparty BIC,Counterparty IBAN,Verwendungszweck,Tags,Zahlungsfreigeber,Kartennummer,' +
      'Ursprungswährung,Ursprungsbetrag,Zahlungswährung,Zahlungsbetrag,' +
      'Wallet-Saldo nach Transaktion,Wallet-Name,Wallet-IBAN,Begleitende Dokumente,' +
      'Transaktions-ID\n' +
      '05.08.2026,09:57,Completed,Card,Laden GmbH,,,N/A,SHOPPING,QUJD,***1234,USD,-66.00,EUR,' +
      `-60.00,180.00,Main,${IBAN_DE},Rechnung RE-1,1111\n` +
      `03.08.2026,16:54,Completed,Transfer,Lieferant GmbH,BYLADEM1001,${IBAN_NL},"Ware, rot",` +
      `N/A,,,EUR,500.00,EUR,500.00,240.00,Main,${IBAN_DE},N/A,2222\n` +
      `02.08.2026,16:54,Declined,Card,Bar,,,N/A,N/A,,,EUR,-1.00,EUR,-1.00,,Main,${IBAN_DE},N/A,3\n`,
    account: { iban: IBAN_DE, name: 'Main' },
    rows: [
      {
        amount: '-60',
        currency: 'EUR',
        booked: '2026-08-05',
        type: 'Card',
        purpose: 'Rechnung RE-1',
        counterpart: { name: 'Laden GmbH', customerReference: '1111' },
        originalAmount: '-66',
        originalCurrency: 'USD',
        balance: '180',
      },
      {
        amount: '500',
        currency: 'EUR',
        booked: '2026-08-03',
        type: 'Transfer',
        purpose: 'Ware, rot',
        counterpart: {
          name: 'Lieferant GmbH',
          iban: IBAN_NL,
          bic: 'BYLADEM1001',
          customerReference: '2222',
        },
        balance: '240',
      },
    ],
    warnings: [/^not booked \(Status: Declined\)/u],
  },
  {
    profile: 'HypoVereinsbank',
    text:
      'Kontonummer;Buchungsdatum;Valuta;Empfaenger 1;Empfaenger 2;Verwendungszweck;Betrag;' +
      'Waehrung\n' +
      '90935230;15.09.2017;16.09.2017;;;SEPA-GUTSCHRIFT Reise GmbH PAYOUTID 45;345,30;EUR\n' +
      '90935230;17.09.2017;17.09.2017;BUCH;LADEN;R 7;-1.200,00;EUR\n',
    account: { accountNumber: '90935230' },
    rows: [
      {
        amount: '345.3',
        currency: 'EUR',
        booked: '2017-09-15',
        valued: '2017-09-16',
        purpose: 'SEPA-GUTSCHRIFT Reise GmbH PAYOUTID 45',
        counterpart: {},
      },
      {
        amount: '-1200',
        currency: 'EUR',
        booked: '2017-09-17',
        valued: '2017-09-17',
        purpose: 'R 7',
        counterpart: { name: 'BUCH LADEN' },
      },
    ],
  },
  {
    profile: 'HypoVereinsbank',
    text:
      'Kontonummer;Buchungsdatum;Valuta;Verwendungszweck;Betrag;Waehrung\n' +
      '90935230;01.03.2025;02.03.2025;Miete März;-1200,00;EUR\n',
    account: { accountNumber: '90935230' },
    rows: [
      {
        amount: '-1200',
        currency: 'EUR',
        booked: '2025-03-01',
        valued: '2025-03-02',
        purpose: 'Miete März',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'Sparda-Bank',
    text:
      '"Kontoumsätze SpardaGiro Online"\n\n"Kontoinhaber:";"Max Muster"\n' +
      '"Kundennummer:";"1234567"\n\n' +
      '"Umsätze ab";"Enddatum";"Kontonummer";"Saldo";"Währung"\n' +
      '"01.01.2024";"15.02.2024";"1234567";"12.345,67";"EUR"\n' +
      '"Weitere gewählte Suchoptionen:";"keine"\n\n\n' +
      '"Buchungstag";"Wertstellungstag";"Verwendungszweck";"Umsatz";"Währung"\n' +
      '"20.01.2024";"21.01.2024";"01234 IMBISS19.01.2024 19.20.53";"-11,99";"EUR";""\n' +
      '"29.01.2024";"29.01.2024";"Arbeit GmbHSEPA-LOHN/GEHALT SVWZ+ Lohn 01.2024 EREF+ 12345678";' +
      '"2.432,10";"EUR";""\n' +
      '"* noch nicht ausgeführte Umsätze"\n',
    options: { account: '1234567' },
    account: { accountNumber: '1234567' },
    rows: [
      {
        amount: '-11.99',
        currency: 'EUR',
        booked: '2024-01-20',
        valued: '2024-01-21',
        purpose: '01234 IMBISS19.01.2024 19.20.53',
        counterpart: {},
      },
      {
        amount: '2432.1',
        currency: 'EUR',
        booked: '2024-01-29',
        valued: '2024-01-29',
        purpose: 'Arbeit GmbHSEPA-LOHN/GEHALT SVWZ+ Lohn 01.2024 EREF+ 12345678',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'Vivid',
    text:
      'Completed date,Counterparty name,Reference,Payment amount,Payment currency\n' +
      '01.03.2026,Arbeit GmbH,Lohn März 2026,2500.00,EUR\n' +
      '03.03.2026,Vermieter,Miete Büro,-650.00,EUR\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '2500',
        currency: 'EUR',
        booked: '2026-03-01',
        purpose: 'Lohn März 2026',
        counterpart: { name: 'Arbeit GmbH' },
      },
      {
        amount: '-650',
        currency: 'EUR',
        booked: '2026-03-03',
        purpose: 'Miete Büro',
        counterpart: { name: 'Vermieter' },
      },
    ],
  },
  {
    profile: 'Volksbanken and Raiffeisenbanken',
    text:
      'Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;' +
      'Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;' +
      'BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Währung;' +
      'Saldo nach Buchung;Bemerkung;Gekennzeichneter Umsatz;Gläubiger ID;Mandatsreferenz\n' +
      `Giro;${IBAN_DE};GENODED1SPW;Sparda-Bank West;02.03.2026;03.03.2026;Anna;${IBAN_NL};` +
      'ABNANL2A;Gutschrift;Miete;1090,00;EUR;5000,00;bar;;;\n' +
      `Giro;${IBAN_DE};GENODED1SPW;Sparda-Bank West;01.03.2026;01.03.2026;HD Leben;;;` +
      'Basislastschrift;40-05/HD Leben vom 26.11.2025 EREF: 134541 MREF: M-200-002 CRED: ' +
      `DE74ZZZ00000051890 IBAN: ${IBAN_NL} BIC: ABNANL2A;-453,11;EUR;3910,00;;;` +
      'DE74ZZZ00000051890;M-200-002\n' +
      `Giro;${IBAN_DE};GENODED1SPW;Sparda-Bank West;28.02.2026;28.02.2026;Post;;;Lastschrift;` +
      'Brief EREF: E-1 MREF: OTHER;-7,69;EUR;;;;;OFFLINE\n',
    account: {
      name: 'Giro',
      iban: IBAN_DE,
      bic: 'GENODED1SPW',
      bankName: 'Sparda-Bank West',
    },
    rows: [
      {
        amount: '1090',
        currency: 'EUR',
        booked: '2026-03-02',
        valued: '2026-03-03',
        type: 'Gutschrift',
        purpose: 'Miete bar',
        counterpart: { name: 'Anna', iban: IBAN_NL, bic: 'ABNANL2A' },
        balance: '5000',
      },
      {
        amount: '-453.11',
        currency: 'EUR',
        booked: '2026-03-01',
        valued: '2026-03-01',
        type: 'Basislastschrift',
        purpose: '40-05/HD Leben vom 26.11.2025',
        endToEndReference: '134541',
        counterpart: {
          name: 'HD Leben',
          iban: IBAN_NL,
          bic: 'ABNANL2A',
          mandateReference: 'M-200-002',
          creditorId: 'DE74ZZZ00000051890',
        },
        balance: '3910',
      },
      {
        amount: '-7.69',
        currency: 'EUR',
        booked: '2026-02-28',
        valued: '2026-02-28',
        type: 'Lastschrift',
        purpose: 'Brief MREF+OTHER',
        endToEndReference: 'E-1',
        counterpart: { name: 'Post', mandateReference: 'OFFLINE' },
      },
    ],
  },
]

test('every row of a German account is read', (t) => checkSamples(t, BANKS))

test('a BIC in the column BLZ and an ultimate creditor are kept', (t) =>
  checkSamples(t, OLDER_FIELDS))
