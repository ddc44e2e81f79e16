import { test } from 'tap'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, IBAN_DE, IBAN_NL, OWN } from '../../fixtures/csv-samples.js'

const INGB = 'NL20INGB0001234567'
const RABO = 'NL44RABO0123456789'
const KNAB = 'NL36KNAB0999999999'

const ING_HEADER =
  '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";' +
  '"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"\n'

const RABOBANK_HEADER =
  '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn",' +
  '"Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij",' +
  '"Naam initiërende partij","BIC tegenpartij","Code","Batch ID","Transactiereferentie",' +
  '"Machtigingskenmerk","Incassant ID","Betalingskenmerk","Omschrijving-1","Omschrijving-2",' +
  '"Omschrijving-3","Reden retour","Oorspr bedrag","Oorspr munt","Koers"\n'

const SAMPLES: readonly CsvSample[] = [
  {
    profile: 'ING Netherlands',
    text:
      ING_HEADER +
      `"20240213";"Kosten betaalpakket";"${INGB}";"";"DV";"Af";"1,25";"Diversen";` +
      '"1 jan t/m 31 jan 2024 ING BANK N.V. Valutadatum: 13-02-2024";"66,15";""\n' +
      `"20240212";"J. Jansen";"${INGB}";"${IBAN_NL}";"OV";"Bij";"2.605,80";"Overschrijving";` +
      '"Naam: J. Jansen Omschrijving: Huur";"67,40";""\n' +
      `"20240212";"Kwijtschelding";"${INGB}";"";"VZ";"Bij";"0,00";"Verzamelbetaling";` +
      '"Valutadatum: 12-02-2024";"-2538,40";""\n',
    account: { iban: INGB },
    rows: [
      {
        amount: '-1.25',
        currency: 'EUR',
        booked: '2024-02-13',
        type: 'Diversen',
        purpose: '1 jan t/m 31 jan 2024 ING BANK N.V. Valutadatum: 13-02-2024',
        counterpart: { name: 'Kosten betaalpakket' },
        balance: '66.15',
      },
      {
        amount: '2605.8',
        currency: 'EUR',
        booked: '2024-02-12',
        type: 'Overschrijving',
        purpose: 'Naam: J. Jansen Omschrijving: Huur',
        counterpart: { name: 'J. Jansen', iban: IBAN_NL },
        balance: '67.4',
      },
      {
        amount: '0',
        currency: 'EUR',
        booked: '2024-02-12',
        type: 'Verzamelbetaling',
        purpose: 'Valutadatum: 12-02-2024',
        counterpart: { name: 'Kwijtschelding' },
        balance: '-2538.4',
      },
    ],
  },
  {
    profile: 'ING Netherlands',
    text:
      '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)",' +
      '"MutatieSoort","Mededelingen"\n' +
      `"20200213","Bakker","${INGB}","","BA","Af","3,10","Betaalautomaat","Brood"\n`,
    account: { iban: INGB },
    rows: [
      {
        amount: '-3.1',
        currency: 'EUR',
        booked: '2020-02-13',
        type: 'Betaalautomaat',
        purpose: 'Brood',
        counterpart: { name: 'Bakker' },
      },
    ],
  },
  {
    profile: 'Rabobank',
    text:
      RABOBANK_HEADER +
      `"${RABO}","EUR","RABONL2U","000000000000000101","2026-01-19","2026-01-20","-4,99",` +
      `"+936,35","${IBAN_NL}","Webwinkel BV","Boekhandel Vos","","ABNANL2A","ei","",` +
      '"1047000000001","5W5J22XYZ","NL98ZZZ999999990000","","1047000000001/WEB","boek"," ",' +
      '"","","",""\n' +
      `"${RABO}","EUR","RABONL2U","000000000000000102","2026-01-20","2026-01-20","+2500,00",` +
      `"+3436,35","${IBAN_DE}","Werkgever BV","","","","cb","","","","","","Salaris","januari",` +
      '"2026","","","",""\n' +
      `"${RABO}","EUR","RABONL2U","000000000000000103","2026-02-05","2026-02-05","-1,09",` +
      '"+3435,26","","Tolweg","","","","bc","","","","","","Bavois, 1372, CHE, 04-02-2026 ' +
      '10:25"," ","","","1,00","CHF","0,93457"\n',
    account: { iban: RABO, bic: 'RABONL2U' },
    rows: [
      {
        amount: '-4.99',
        currency: 'EUR',
        booked: '2026-01-19',
        valued: '2026-01-20',
        type: 'ei',
        purpose: '1047000000001/WEB boek Boekhandel Vos',
        endToEndReference: '1047000000001',
        counterpart: {
          name: 'Webwinkel BV',
          iban: IBAN_NL,
          bic: 'ABNANL2A',
          mandateReference: '5W5J22XYZ',
          creditorId: 'NL98ZZZ999999990000',
        },
        balance: '936.35',
      },
      {
        amount: '2500',
        currency: 'EUR',
        booked: '2026-01-20',
        valued: '2026-01-20',
        type: 'cb',
        purpose: 'Salaris januari 2026',
        counterpart: { name: 'Werkgever BV', iban: IBAN_DE },
        balance: '3436.35',
      },
      {
        amount: '-1.09',
        currency: 'EUR',
        booked: '2026-02-05',
        valued: '2026-02-05',
        type: 'bc',
        purpose: 'Bavois, 1372, CHE, 04-02-2026 10:25',
        counterpart: { name: 'Tolweg' },
        originalAmount: '-1',
        originalCurrency: 'CHF',
        balance: '3435.26',
      },
    ],
  },
  {
    profile: 'Knab',
    text:
      'KNAB EXPORT;;;;;;;;;;;;;;;;\n' +
      'Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;' +
      'Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving;Type betaling;' +
      'Machtigingsnummer;Incassant ID;Adres;Referentie;Boekdatum;\n' +
      `"${KNAB}";"21-06-2024";"EUR";"D";"827,75";"${IBAN_NL}";"G. Vos";"22-06-2024";` +
      '"Overboeking";"Schatkist";"";"";"";"";"B9F21PGYA068V2AA";"23-06-2024";\n' +
      `"${KNAB}";"21-06-2024";"EUR";"C";"2500";"99999999";"Anna Vos";"21-06-2024";` +
      '"Ontvangen betaling";"";"";"";"";"";"B9F21PGUJE88SFAA";"21-06-2024";\n' +
      `"${KNAB}";"20-06-2024";"EUR";"D";"0,01";"${IBAN_NL}";"Energie BV";"20-06-2024";` +
      '"Incasso";"Termijn";"Doorlopend";"M-77";"NL98ZZZ999999990000";"Dorp";"B9F";"20-06-2024";\n',
    account: { iban: KNAB },
    rows: [
      {
        amount: '-827.75',
        currency: 'EUR',
        booked: '2024-06-23',
        valued: '2024-06-22',
        type: 'Overboeking',
        purpose: 'Schatkist',
        counterpart: { name: 'G. Vos', iban: IBAN_NL, customerReference: 'B9F21PGYA068V2AA' },
      },
      {
        amount: '2500',
        currency: 'EUR',
        booked: '2024-06-21',
        valued: '2024-06-21',
        type: 'Ontvangen betaling',
        counterpart: {
          accountNumber: '99999999',
          name: 'Anna Vos',
          customerReference: 'B9F21PGUJE88SFAA',
        },
      },
      {
        amount: '-0.01',
        currency: 'EUR',
        booked: '2024-06-20',
        valued: '2024-06-20',
        type: 'Incasso Doorlopend',
        purpose: 'Termijn Dorp',
        counterpart: {
          name: 'Energie BV',
          iban: IBAN_NL,
          mandateReference: 'M-77',
          creditorId: 'NL98ZZZ999999990000',
          customerReference: 'B9F',
        },
      },
    ],
  },
  {
    profile: 'ABN AMRO, English',
    text:
      'accountNumber,mutationcode,transactiondate,valuedate,startsaldo,endsaldo,amount,' +
      'description\n' +
      '123456789,EUR,20260807,20260808,197.15,190.60,-6.55,"BEA, Betaalpas Kiosk,PAS410  ' +
      'NR:BS011691, 07.08.26/12:17"\n' +
      '123456789,EUR,20260809,20260809,190.60,2690.60,2500,/TRTP/SEPA OVERBOEKING/REMI/Loon\n',
    account: { accountNumber: '123456789' },
    rows: [
      {
        amount: '-6.55',
        currency: 'EUR',
        booked: '2026-08-07',
        valued: '2026-08-08',
        purpose: 'BEA, Betaalpas Kiosk,PAS410  NR:BS011691, 07.08.26/12:17',
        counterpart: {},
        balance: '190.6',
      },
      {
        amount: '2500',
        currency: 'EUR',
        booked: '2026-08-09',
        valued: '2026-08-09',
        type: 'SEPA OVERBOEKING',
        purpose: 'Loon',
        counterpart: {},
        balance: '2690.6',
      },
    ],
  },
  {
    profile: 'ABN AMRO',
    text:
      'Rekeningnummer;Muntsoort;Transactiedatum;Rentedatum;Beginsaldo;Eindsaldo;' +
      'Transactiebedrag;Omschrijving\n' +
      '123456789;EUR;20240131;20240201;1000,00;914,50;-85,50;Huur januari\n',
    account: { accountNumber: '123456789' },
    rows: [
      {
        amount: '-85.5',
        currency: 'EUR',
        booked: '2024-01-31',
        valued: '2024-02-01',
        purpose: 'Huur januari',
        counterpart: {},
        balance: '914.5',
      },
    ],
  },
  {
    profile: 'bunq, Dutch',
    text:
      '"Datum","Bedrag","Rekening","Tegenrekening","Naam","Omschrijving"\n' +
      `"2024-03-01","-2,56","NL26BUNQ2025126409","${IBAN_NL}","bunq","factuur 4"\n` +
      `"2024-03-09","750,00","NL26BUNQ2025126409","${IBAN_DE}","A. Vos EO","Naar bunq"\n` +
      '"2024-03-10","-18,90","NL26BUNQ2025126409","","Noten","Noten (DORP, NL)"\n',
    options: OWN,
    account: { iban: 'NL26BUNQ2025126409' },
    rows: [
      {
        amount: '-2.56',
        currency: 'EUR',
        booked: '2024-03-01',
        purpose: 'factuur 4',
        counterpart: { name: 'bunq', iban: IBAN_NL },
      },
      {
        amount: '750',
        currency: 'EUR',
        booked: '2024-03-09',
        purpose: 'Naar bunq',
        counterpart: { name: 'A. Vos EO', iban: IBAN_DE },
      },
      {
        amount: '-18.9',
        currency: 'EUR',
        booked: '2024-03-10',
        purpose: 'Noten (DORP, NL)',
        counterpart: { name: 'Noten' },
      },
    ],
  },
  {
    profile: 'KBC Mastercard',
    text:
      'kredietkaart;kaarthouder;uitgavenstaat;datum verrichting;Datum verrekening;bedrag;credit;' +
      'debet;munt;koers;bedrag in EUR;Kosten op verrichting;Handelaar;locatie;land;toelichting\n' +
      '552100XXXXXX1234;A. PEETERS;                 ;21/12/2023;23/12/2023;5,490000000;' +
      '5,490000000;                        ;EUR;1,000000000;-5,49;0,00;APPS *SHOP;123123123;' +
      'Ierland;Ierland - 123123123;\n' +
      '552100XXXXXX1234;A. PEETERS;;22/12/2023;24/12/2023;10,000000000;10,000000000;;USD;' +
      '1,100000000;-9,09;0,00;NY DELI;New York;Verenigde Staten;Verenigde Staten - New York;\n' +
      '552100XXXXXX1234;A. PEETERS;;28/12/2023;28/12/2023;14,580000000;;14,580000000;EUR;' +
      '1,000000000;14,58;0,00;;;;Aanzuivering;\n',
    account: { accountNumber: '552100XXXXXX1234', holderName: 'A. PEETERS' },
    rows: [
      {
        amount: '-5.49',
        currency: 'EUR',
        booked: '2023-12-23',
        valued: '2023-12-21',
        purpose: 'Ierland - 123123123',
        counterpart: { name: 'APPS *SHOP' },
      },
      {
        amount: '-9.09',
        currency: 'EUR',
        booked: '2023-12-24',
        valued: '2023-12-22',
        purpose: 'Verenigde Staten - New York',
        counterpart: { name: 'NY DELI' },
        originalAmount: '-10',
        originalCurrency: 'USD',
      },
      {
        amount: '14.58',
        currency: 'EUR',
        booked: '2023-12-28',
        valued: '2023-12-28',
        purpose: 'Aanzuivering',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'KBC Mastercard, English',
    text:
      'credit card;card holder;Billing statement;date transaction;Settlement date;amount;credit;' +
      'debit;currency;price;amount in EUR;Transaction cost;Merchant;location;country;' +
      'explanation\n' +
      '552100XXXXXX1234;A. PEETERS;;21/12/2023;23/12/2023;5,490000000;5,490000000;;EUR;' +
      '1,000000000;-5,49;0,00;APPS *SHOP;123123123;Ireland;Ireland - 123123123;\n',
    account: { accountNumber: '552100XXXXXX1234', holderName: 'A. PEETERS' },
    rows: [
      {
        amount: '-5.49',
        currency: 'EUR',
        booked: '2023-12-23',
        valued: '2023-12-21',
        purpose: 'Ireland - 123123123',
        counterpart: { name: 'APPS *SHOP' },
      },
    ],
  },
]

test('every row of a Dutch or Belgian table is read, with the sign of its words', (t) =>
  checkSamples(t, SAMPLES))
