import { test } from 'tap'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, IBAN_DE, OWN, OWN_ACCOUNT } from '../../fixtures/csv-samples.js'

const AT = 'AT611904300234573201'
const CH = 'CH9300762011623852957'

const AUSTRIAN: readonly CsvSample[] = [
  {
    profile: 'ING Austria',
    text:
      'Kontonummer;Text;Datum;Währung;Soll;Haben\n' +
      '12345678001;Habenzinsen;31.12.2023;EUR;0,00;12,23\n' +
      '12345678001;Kapitalertragsteuer;31.12.2023;EUR;34,56;0,00\n' +
      '12345678001;Auszahlung - Anna;27.08.2023;EUR;1.500,00;0,00\n',
    account: { accountNumber: '12345678001' },
    rows: [
      {
        amount: '12.23',
        currency: 'EUR',
        booked: '2023-12-31',
        purpose: 'Habenzinsen',
        counterpart: {},
      },
      {
        amount: '-34.56',
        currency: 'EUR',
        booked: '2023-12-31',
        purpose: 'Kapitalertragsteuer',
        counterpart: {},
      },
      {
        amount: '-1500',
        currency: 'EUR',
        booked: '2023-08-27',
        purpose: 'Auszahlung - Anna',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'ING Austria with IBAN',
    text:
      'IBAN;Text;Valutadatum;Währung;Soll;Haben\n' +
      `${AT};An Max Muster;01.12.2024;EUR;100,01;0,00\n` +
      `${AT};Von Anna Muster;02.12.2024;EUR;0,00;200,01\n`,
    account: { iban: AT },
    rows: [
      {
        amount: '-100.01',
        currency: 'EUR',
        booked: '2024-12-01',
        valued: '2024-12-01',
        purpose: 'An Max Muster',
        counterpart: {},
      },
      {
        amount: '200.01',
        currency: 'EUR',
        booked: '2024-12-02',
        valued: '2024-12-02',
        purpose: 'Von Anna Muster',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'Oberbank',
    text:
      'Buchungsdatum;Wertstellung;Betrag;Währung;Auftraggebername;Auftraggeber IBAN/Kto.Nr.;' +
      'Auftraggeber BIC/BLZ;Empfängername;Empfänger IBAN/Kto.Nr.;Empfänger BIC/BLZ;Text;' +
      'Verwendungszweck\n' +
      '15.03.2024;16.03.2024;-11,00;EUR;;;;;;;R 7, Strom AG, Gasse 1;\n' +
      `18.03.2024;18.03.2024;1.011,00;EUR;Anna Muster;${IBAN_DE};BYLADEM1001;Wir GmbH;${AT};` +
      'GIBAATWWXXX;Wir GmbH, SCOR, Miete;SCOR Miete\n' +
      `19.03.2024;19.03.2024;-5,00;EUR;Wir GmbH;${AT};GIBAATWWXXX;Markt;${IBAN_DE};` +
      'BYLADEM1001;;Einkauf\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-11',
        currency: 'EUR',
        booked: '2024-03-15',
        valued: '2024-03-16',
        purpose: 'R 7, Strom AG, Gasse 1',
        counterpart: {},
      },
      {
        amount: '1011',
        currency: 'EUR',
        booked: '2024-03-18',
        valued: '2024-03-18',
        purpose: 'SCOR Miete Wir GmbH, SCOR, Miete',
        counterpart: { name: 'Anna Muster', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
      {
        amount: '-5',
        currency: 'EUR',
        booked: '2024-03-19',
        valued: '2024-03-19',
        purpose: 'Einkauf',
        counterpart: { name: 'Markt', iban: IBAN_DE, bic: 'BYLADEM1001' },
      },
    ],
  },
]

const POSTFINANCE: readonly CsvSample[] = [
  {
    profile: 'PostFinance',
    text:
      'Datum von:;="01.12.2023"\nDatum bis:;="31.12.2023"\nKategorie:;="Alle"\n' +
      `Konto:;="${CH}"\nWährung:;="CHF"\n\n` +
      'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;' +
      'Kategorie\n\n' +
      '31.12.2023;Buchung;"PREIS FÜR BANKPAKET 12.2023";;-5;;Finanzen // Gebühren\n' +
      '29.12.2023;Buchung;"KAUF/DIENSTLEISTUNG VOM 28.12.2023 MARKT";;-51.5;;Wohnen\n' +
      '27.12.2023;Buchung;"GUTSCHRIFT VON ANNA MUSTER";8917.8;;;Einnahmen\n\n' +
      'Disclaimer:\nDer Dokumentinhalt wurde durch Filtereinstellungen generiert.\n',
    account: { iban: CH },
    rows: [
      {
        amount: '-5',
        currency: 'CHF',
        booked: '2023-12-31',
        type: 'Buchung',
        purpose: 'PREIS FÜR BANKPAKET 12.2023',
        counterpart: {},
      },
      {
        amount: '-51.5',
        currency: 'CHF',
        booked: '2023-12-29',
        type: 'Buchung',
        purpose: 'KAUF/DIENSTLEISTUNG VOM 28.12.2023 MARKT',
        counterpart: {},
      },
      {
        amount: '8917.8',
        currency: 'CHF',
        booked: '2023-12-27',
        type: 'Buchung',
        purpose: 'GUTSCHRIFT VON ANNA MUSTER',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'PostFinance',
    text:
      `Konto:;"=${CH}"\n\n` +
      'Datum;Avisierungstext;Gutschrift in EUR;Lastschrift in EUR;Label;Kategorie;Valuta;' +
      'Saldo in EUR\n\n' +
      '15.10.2023;"Einkauf";;-20.05;;X;16.10.2023;\n' +
      '14.10.2023;"Lohn";2987;;;X;14.10.2023;3987.55\n',
    account: { iban: CH },
    rows: [
      {
        amount: '-20.05',
        currency: 'EUR',
        booked: '2023-10-15',
        valued: '2023-10-16',
        purpose: 'Einkauf',
        counterpart: {},
      },
      {
        amount: '2987',
        currency: 'EUR',
        booked: '2023-10-14',
        valued: '2023-10-14',
        purpose: 'Lohn',
        counterpart: {},
        balance: '3987.55',
      },
    ],
  },
  {
    profile: 'PostFinance until 2022',
    text:
      `Datum von:;01.09.2021\nKonto:;${CH}\nWährung:;CHF\n` +
      'Buchungsdatum;Avisierungstext;Gutschrift;Lastschrift;Valuta;Saldo\n' +
      '30.09.2021;"KAUF/DIENSTLEISTUNG";;-23.40;30.09.2021;1211.16\n' +
      '29.09.2021;"GUTSCHRIFT";5200.00;;29.09.2021;1234.56\n',
    options: { currency: 'CHF' },
    account: { iban: CH },
    rows: [
      {
        amount: '-23.4',
        currency: 'CHF',
        booked: '2021-09-30',
        valued: '2021-09-30',
        purpose: 'KAUF/DIENSTLEISTUNG',
        counterpart: {},
        balance: '1211.16',
      },
      {
        amount: '5200',
        currency: 'CHF',
        booked: '2021-09-29',
        valued: '2021-09-29',
        purpose: 'GUTSCHRIFT',
        counterpart: {},
        balance: '1234.56',
      },
    ],
  },
  {
    profile: 'PostFinance, English',
    text:
      `Account:;="${CH}"\n\n` +
      'Date;Type of transaction;Notification text;Credit in CHF;Debit in CHF;Tag;Category;' +
      'Balance in CHF\n\n' +
      '26.02.2024;Booking;"CH-DD Insurance";;-6.9;;Finances // Insurance;9993.1\n' +
      '23.02.2024;Booking;"Credit from the employer";10000;;;Income;10000\n',
    account: { iban: CH },
    rows: [
      {
        amount: '-6.9',
        currency: 'CHF',
        booked: '2024-02-26',
        type: 'Booking',
        purpose: 'CH-DD Insurance',
        counterpart: {},
        balance: '9993.1',
      },
      {
        amount: '10000',
        currency: 'CHF',
        booked: '2024-02-23',
        type: 'Booking',
        purpose: 'Credit from the employer',
        counterpart: {},
        balance: '10000',
      },
    ],
  },
  {
    profile: 'PostFinance, French',
    text:
      `Date de début:;26.02.2022;;;;;\nCompte:;${CH};;;;;\nMonnaie:;CHF;;;;;\n;;;;;;\n` +
      'Date;Type de transaction;Texte de notification;Crédit en CHF;Débit en CHF;Solde en CHF;' +
      'Catégorie\n;;;;;;\n' +
      '26.02.2024;Enregistrement comptable;Loyer;;-100;1400;Dépenses autres\n' +
      '25.02.2024;Enregistrement comptable;Salaire;1500;;1500;Revenus\n;;;;;;\n' +
      'Disclaimer:;;;;;;\n' +
      'Le contenu du document a été généré à partir des paramètres de filtrage.;;;;;;\n',
    account: { iban: CH },
    rows: [
      {
        amount: '-100',
        currency: 'CHF',
        booked: '2024-02-26',
        type: 'Enregistrement comptable',
        purpose: 'Loyer',
        counterpart: {},
        balance: '1400',
      },
      {
        amount: '1500',
        currency: 'CHF',
        booked: '2024-02-25',
        type: 'Enregistrement comptable',
        purpose: 'Salaire',
        counterpart: {},
        balance: '1500',
      },
    ],
  },
  {
    profile: 'PostFinance, Italian',
    text:
      `Conto:;="${CH}"\n\n` +
      'Data;Tipo di movimento;Testo di avviso;Accredito in CHF;Addebito in CHF;Saldo in CHF\n\n' +
      '30.08.2023;Registrazione;"Accredito cliente ";1300.86;;1500.86\n' +
      '29.08.2023;Registrazione;"Ordine ";;-41624.8;200\n',
    account: { iban: CH },
    rows: [
      {
        amount: '1300.86',
        currency: 'CHF',
        booked: '2023-08-30',
        type: 'Registrazione',
        purpose: 'Accredito cliente',
        counterpart: {},
        balance: '1500.86',
      },
      {
        amount: '-41624.8',
        currency: 'CHF',
        booked: '2023-08-29',
        type: 'Registrazione',
        purpose: 'Ordine',
        counterpart: {},
        balance: '200',
      },
    ],
  },
  {
    profile: 'PostFinance card',
    text:
      'Kartenkonto:;0000 1234 5467 7654\nKarte:;XXXX XXXX XXXX 1111 Visa Business Card\n' +
      'Datum;Buchungsdetails;Gutschrift in CHF;Lastschrift in CHF\n' +
      '2023-08-24;"Tankstelle Markt        Brugg";;-94.70\n' +
      '2023-08-10;"STORNO JAHRESPREIS";80.00;\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-94.7',
        currency: 'CHF',
        booked: '2023-08-24',
        purpose: 'Tankstelle Markt        Brugg',
        counterpart: {},
      },
      {
        amount: '80',
        currency: 'CHF',
        booked: '2023-08-10',
        purpose: 'STORNO JAHRESPREIS',
        counterpart: {},
      },
    ],
  },
]

const SWISS: readonly CsvSample[] = [
  {
    profile: 'Zürcher Kantonalbank',
    text:
      ' "Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";' +
      '"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF";"Zahlungszweck";"Details"\n' +
      ' "11.02.2024";"Einkauf";"";"";"L123450001";"";"3202.00";"";"10.02.2024";"23\'708.77";"";' +
      '"EUR 22.50 Kurs 0.9498"\n' +
      ' "10.02.2024";"Belastungen (2)";"";"";"QRA980001";"";"1000.00";"";"10.02.2024";' +
      '"26\'910.77";"";""\n' +
      ' "";"Nummer 1";"CHF";"400.00";"";"";"";"";"";"";"";""\n' +
      ' "10.02.2024";"Nummer 2";"CHF";"600.00";"";"";"";"";"10.02.2024";"";"Police 7";""\n' +
      ' "10.02.2024";"Gutschrift Anna";"";"";"L980002";"";"";"243.03";"10.02.2024";' +
      '"27\'910.77";"PAYOUT 9";"Herr Muster, Zürich"\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-3202',
        currency: 'CHF',
        booked: '2024-02-11',
        valued: '2024-02-10',
        purpose: 'Einkauf EUR 22.50 Kurs 0.9498',
        counterpart: { customerReference: 'L123450001' },
        balance: '23708.77',
      },
      {
        amount: '-1000',
        currency: 'CHF',
        booked: '2024-02-10',
        valued: '2024-02-10',
        purpose: 'Belastungen (2) Nummer 1 CHF 400.00 Nummer 2 CHF 600.00 Police 7',
        counterpart: { customerReference: 'QRA980001' },
        balance: '26910.77',
      },
      {
        amount: '243.03',
        currency: 'CHF',
        booked: '2024-02-10',
        valued: '2024-02-10',
        purpose: 'Gutschrift Anna PAYOUT 9 Herr Muster, Zürich',
        counterpart: { customerReference: 'L980002' },
        balance: '27910.77',
      },
    ],
  },
  {
    profile: 'Zürcher Kantonalbank',
    text:
      '"Datum";"Buchungstext";"Zahlungszweck";"Whg";"Betrag Detail";"ZKB-Referenz";' +
      '"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF";' +
      '"Zahlungszweck";"Details"\n' +
      '"02.06.2023";"Kontoführung";"";"";"";"X01KU8784PA3V3UX-5";"";"8.00";"";"31.05.2023";' +
      '"71744.19";"";""\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-8',
        currency: 'CHF',
        booked: '2023-06-02',
        valued: '2023-05-31',
        purpose: 'Kontoführung',
        counterpart: { customerReference: 'X01KU8784PA3V3UX-5' },
        balance: '71744.19',
      },
    ],
  },
  {
    profile: 'Zürcher Kantonalbank, search',
    text:
      '"Datum";"Buchungstext";"Konto";"Whg";"Belastung";"Gutschrift"\n' +
      '"13.02.2023";"Dauerauftrag Muster AG, Gasse 5";"CH93 0076 2011 6238 5295 7";' +
      '"CHF";"75.30";""\n' +
      '"06.02.2023";"Gutschrift Anna";"CH93 0076 2011 6238 5295 7";"CHF";"";"4520.00"\n',
    account: { iban: CH },
    rows: [
      {
        amount: '-75.3',
        currency: 'CHF',
        booked: '2023-02-13',
        purpose: 'Dauerauftrag Muster AG, Gasse 5',
        counterpart: {},
      },
      {
        amount: '4520',
        currency: 'CHF',
        booked: '2023-02-06',
        purpose: 'Gutschrift Anna',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'neon',
    text:
      '"Date";"Amount";"Original amount";"Original currency";"Exchange rate";"Description";' +
      '"Subject";"Category";"Tags";"Wise";"Spaces"\n' +
      '"2023-12-30";"-5.00";"";"";"";"App";;"shopping";"";"no";"no"\n' +
      '"2023-03-03";"2000.00";"";"";"";"Anna Muster";"Lohn März";"income";"";"no";"no"\n' +
      '"2023-02-26";"-538.28";"-579.33";"USD";"1.07626";"US Shop";;"shopping";"";"no";"no"\n',
    options: { account: CH },
    account: { iban: CH },
    rows: [
      { amount: '-5', currency: 'CHF', booked: '2023-12-30', counterpart: { name: 'App' } },
      {
        amount: '2000',
        currency: 'CHF',
        booked: '2023-03-03',
        purpose: 'Lohn März',
        counterpart: { name: 'Anna Muster' },
      },
      {
        amount: '-538.28',
        currency: 'CHF',
        booked: '2023-02-26',
        counterpart: { name: 'US Shop' },
        originalAmount: '-579.33',
        originalCurrency: 'USD',
      },
    ],
  },
]

test('every row of an Austrian table is read', (t) => checkSamples(t, AUSTRIAN))

test('every row of PostFinance is read, in its four languages', (t) => checkSamples(t, POSTFINANCE))

test('the parts of a collective entry stay in its purpose and move nothing', (t) =>
  checkSamples(t, SWISS))
