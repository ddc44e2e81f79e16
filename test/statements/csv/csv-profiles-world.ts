import { test } from 'tap'
import type { CsvSample } from '../../fixtures/csv-samples.js'
import { checkSamples, IBAN_DE, OWN, OWN_ACCOUNT } from '../../fixtures/csv-samples.js'

const REVOLUT: readonly CsvSample[] = [
  {
    profile: 'Revolut',
    text:
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n' +
      'TOPUP,Current,2024-01-01 8:11:42,2024-01-01 8:12:12,Top-Up by *1234,500.00,0.00,EUR,' +
      'COMPLETED,510.50\n' +
      'TRANSFER,Current,2024-01-02 12:16:54,2024-01-03 12:16:55,To Anna Muster,-250.00,1.50,EUR,' +
      'COMPLETED,259.00\n' +
      'CARD_PAYMENT,Current,2024-01-13 11:21:43,,Shop,-44.57,0.00,EUR,PENDING,\n' +
      'CARD_PAYMENT,Current,2024-01-14 11:21:43,,Bar,-4.50,0.00,EUR,REVERTED,\n' +
      'EXCHANGE,Current,2024-01-15 10:00:00,2024-01-15 10:00:00,Exchanged to EUR,100,0,USD,' +
      'COMPLETED,100\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '500',
        currency: 'EUR',
        booked: '2024-01-01',
        type: 'TOPUP',
        purpose: 'Top-Up by *1234',
        counterpart: {},
        balance: '510.5',
      },
      {
        amount: '-251.5',
        currency: 'EUR',
        booked: '2024-01-03',
        type: 'TRANSFER',
        purpose: 'To Anna Muster Charges 1.5 EUR',
        counterpart: {},
        balance: '259',
      },
      {
        amount: '100',
        currency: 'USD',
        booked: '2024-01-15',
        type: 'EXCHANGE',
        purpose: 'Exchanged to EUR',
        counterpart: {},
        balance: '100',
      },
    ],
    warnings: [/^not booked \(State: PENDING\)/u, /^not booked \(State: REVERTED\)/u],
  },
  {
    profile: 'Revolut, German',
    text:
      'Art,Produkt,Datum des Beginns,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,' +
      'Status,Kontostand\n' +
      'Einzahlung,Giro,2026-04-01 12:03:30,2026-04-01 12:03:31,Zahlung,1000.00,0.00,CHF,' +
      'ABGESCHLOSSEN,1000.00\n' +
      'Kartenbezahlung,Giro,2026-06-26 11:08:06,2026-06-27 03:02:29,Gasthof,-101.92,0.00,CHF,' +
      'ABGESCHLOSSEN,898.08\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '1000',
        currency: 'CHF',
        booked: '2026-04-01',
        type: 'Einzahlung',
        purpose: 'Zahlung',
        counterpart: {},
        balance: '1000',
      },
      {
        amount: '-101.92',
        currency: 'CHF',
        booked: '2026-06-27',
        type: 'Kartenbezahlung',
        purpose: 'Gasthof',
        counterpart: {},
        balance: '898.08',
      },
    ],
  },
  {
    profile: 'Revolut, French',
    text:
      'Type,Produit,Date de début,Date de fin,Description,Montant,Frais,Devise,État,Solde\n' +
      'Ajout de fonds,Valeur actuelle,2025-06-19 15:51:42,2025-06-19 15:52:30,Recharge,330.00,' +
      '0.00,EUR,TERMINÉ,330.00\n' +
      'Paiement,Valeur actuelle,2025-06-20 10:00:00,,Restaurant,-25.00,0.00,EUR,EN ATTENTE,\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '330',
        currency: 'EUR',
        booked: '2025-06-19',
        type: 'Ajout de fonds',
        purpose: 'Recharge',
        counterpart: {},
        balance: '330',
      },
    ],
    warnings: [/^not booked \(État: EN ATTENTE\)/u],
  },
  {
    profile: 'Revolut, Dutch',
    text:
      'Type,Product,Startdatum,Datum voltooid,Beschrijving,Bedrag,Kosten,Valuta,Status,Saldo\n' +
      'Kaartbetaling,Betaalrekening,2026-03-10 10:00:00,2026-03-11 10:00:00,Markt,-30.00,0.50,' +
      'EUR,VOLTOOID,0.50\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-30.5',
        currency: 'EUR',
        booked: '2026-03-11',
        type: 'Kaartbetaling',
        purpose: 'Markt Charges 0.5 EUR',
        counterpart: {},
        balance: '0.5',
      },
    ],
  },
  {
    profile: 'Revolut, Spanish',
    text:
      'Tipo,Producto,Fecha de inicio,Fecha de finalización,Descripción,Importe,Comisión,Divisa,' +
      'State,Saldo\n' +
      'Pago con tarjeta,Actual,2025-01-15 10:23:11,2025-01-16 09:00:00,Mercado,-45.20,0.00,EUR,' +
      'COMPLETADO,54.80\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-45.2',
        currency: 'EUR',
        booked: '2025-01-16',
        type: 'Pago con tarjeta',
        purpose: 'Mercado',
        counterpart: {},
        balance: '54.8',
      },
    ],
  },
]

const BANKS: readonly CsvSample[] = [
  {
    profile: 'Wise',
    text:
      '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference",' +
      '"Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name",' +
      '"Payee Name","Payee Account Number",Merchant,"Card Last Four Digits",' +
      '"Card Holder Full Name",Attachment,Note,"Total fees","Exchange To Amount",' +
      '"Transaction Type","Transaction Details Type"\n' +
      'CARD-27001,01-08-2025,"01-08-2025 09:19:14.726",-15.05,GBP,"Card transaction of USD",,' +
      '984.89,GBP,USD,1.32925,,,,"Shop EXAMPLE.COM",1234,"Anna Muster",,,0.06,20.00,DEBIT,CARD\n' +
      'FEE-CARD-27001,01-08-2025,"01-08-2025 09:19:14.725",-0.06,GBP,"Wise Charges for: ' +
      'CARD-27001",,999.94,,,,,,,"Shop EXAMPLE.COM",1234,"Anna Muster",,,0,,DEBIT,CARD\n' +
      `TRANSFER-17,31-07-2025,"31-07-2025 09:00:00.001",-100.00,GBP,"Sent money to Max",Rent,` +
      `1000.00,,,,,"Max Muster","${IBAN_DE}",,,,,a note,0.50,,DEBIT,TRANSFER\n` +
      'TRANSFER-16,30-07-2025,"30-07-2025 06:54:31.022",1100.00,GBP,"Received money from ACME",' +
      '"2025-07 SALARY",1100.00,,,,"ACME LTD",,,,,,,,0.00,,CREDIT,DEPOSIT\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-15.05',
        currency: 'GBP',
        booked: '2025-08-01',
        type: 'CARD',
        purpose: 'Card transaction of USD',
        counterpart: { name: 'Shop EXAMPLE.COM', customerReference: 'CARD-27001' },
        originalAmount: '-20',
        originalCurrency: 'USD',
        balance: '984.89',
      },
      {
        amount: '-0.06',
        currency: 'GBP',
        booked: '2025-08-01',
        type: 'CARD',
        purpose: 'Wise Charges for: CARD-27001',
        counterpart: { name: 'Shop EXAMPLE.COM', customerReference: 'FEE-CARD-27001' },
        balance: '999.94',
      },
      {
        amount: '-100',
        currency: 'GBP',
        booked: '2025-07-31',
        type: 'TRANSFER',
        purpose: 'Sent money to Max Rent a note',
        counterpart: { name: 'Max Muster', iban: IBAN_DE, customerReference: 'TRANSFER-17' },
        balance: '1000',
      },
      {
        amount: '1100',
        currency: 'GBP',
        booked: '2025-07-30',
        type: 'DEPOSIT',
        purpose: 'Received money from ACME 2025-07 SALARY',
        counterpart: { name: 'ACME LTD', customerReference: 'TRANSFER-16' },
        balance: '1100',
      },
    ],
  },
  {
    profile: 'Monzo',
    text:
      'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,' +
      'Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,' +
      'Money In,Balance,Balance currency\n' +
      'mm_01,09/08/2026,07:05:03,Card payment,Ink Ltd,👕,Sales,-13.96,GBP,-13.96,GBP,,,,' +
      'INK LTD          BLACKBURN     GBR,,-13.96,,972.94,GBP\n' +
      'mm_02,12/08/2026,07:13:04,Faster payment,Payer Ltd,,Income,28.15,GBP,28.15,GBP,shop,,,' +
      'SHOPIFY,,,28.15,1001.09,GBP\n' +
      'mm_03,13/08/2026,10:28:00,Card payment,Names,🌐,Bills,-7.44,GBP,-9.98,USD,,"1 High St",,' +
      'NAMES PHOENIX,,-7.44,,993.65,GBP\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-13.96',
        currency: 'GBP',
        booked: '2026-08-09',
        type: 'Card payment',
        purpose: 'INK LTD          BLACKBURN     GBR',
        counterpart: { name: 'Ink Ltd', customerReference: 'mm_01' },
        balance: '972.94',
      },
      {
        amount: '28.15',
        currency: 'GBP',
        booked: '2026-08-12',
        type: 'Faster payment',
        purpose: 'SHOPIFY shop',
        counterpart: { name: 'Payer Ltd', customerReference: 'mm_02' },
        balance: '1001.09',
      },
      {
        amount: '-7.44',
        currency: 'GBP',
        booked: '2026-08-13',
        type: 'Card payment',
        purpose: 'NAMES PHOENIX 1 High St',
        counterpart: { name: 'Names', customerReference: 'mm_03' },
        originalAmount: '-9.98',
        originalCurrency: 'USD',
        balance: '993.65',
      },
    ],
  },
  {
    profile: 'Swedbank',
    text:
      '* Transaktioner Period 2026-05-01 – 2026-06-30 Skapad 2026-07-01 08:15 CEST\n' +
      'Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,' +
      'Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo\n' +
      '1,8327-9,1234567890,Privatkonto,SEK,2026-06-28,2026-06-27,2026-06-29,"Kortköp",' +
      '"HANDEL SÖDER",-482.50,12345.67\n' +
      '2,8327-9,1234567890,Privatkonto,SEK,2026-06-25,2026-06-25,2026-06-25,"Lön","Lön",' +
      '35200.00,12828.17\n',
    account: { accountNumber: '1234567890', name: 'Privatkonto' },
    rows: [
      {
        amount: '-482.5',
        currency: 'SEK',
        booked: '2026-06-28',
        valued: '2026-06-29',
        purpose: 'HANDEL SÖDER Kortköp',
        counterpart: {},
        balance: '12345.67',
      },
      {
        amount: '35200',
        currency: 'SEK',
        booked: '2026-06-25',
        valued: '2026-06-25',
        purpose: 'Lön',
        counterpart: {},
        balance: '12828.17',
      },
    ],
  },
  {
    profile: 'BoursoBank',
    text:
      'dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;' +
      'accountLabel;accountbalance\n' +
      '2024-01-15;2024-01-16;"CARTE 14/01/24 CB*1234";"Courses";"Quotidien";"epicerie";-12,50;' +
      'note;00040123456;Courant;987.50\n' +
      '2024-01-14;2024-01-14;"VIR SALAIRE";"Salaires";"Revenus";"";"1 000,00";;00040123456;' +
      'Courant;987.50\n',
    account: { accountNumber: '00040123456', name: 'Courant' },
    rows: [
      {
        amount: '-12.5',
        currency: 'EUR',
        booked: '2024-01-15',
        valued: '2024-01-16',
        purpose: 'CARTE 14/01/24 CB*1234 note',
        counterpart: { name: 'epicerie' },
      },
      {
        amount: '1000',
        currency: 'EUR',
        booked: '2024-01-14',
        valued: '2024-01-14',
        purpose: 'VIR SALAIRE',
        counterpart: {},
      },
    ],
  },
  {
    profile: 'OCBC',
    text:
      'Account details for:,FRANK Account 600-000000-001\nAvailable Balance,"6,006.66"\n' +
      'Ledger Balance,"6,006.66"\n\nTransaction History \n' +
      'Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)\n' +
      '18/04/2018,19/04/2018,DEBIT PURCHASE,6.66,\n' +
      ',,15/04/18  00-0001 RIDE HELP \n' +
      '17/04/2018,17/04/2018,SALARY,,"1,066.66"\n' +
      ',,EMPLOYER PTE LTD\n' +
      '16/04/2018,16/04/2018,CCY CONVERSION FEE,6.00,\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-6.66',
        currency: 'SGD',
        booked: '2018-04-18',
        valued: '2018-04-19',
        purpose: 'DEBIT PURCHASE 15/04/18 00-0001 RIDE HELP',
        counterpart: {},
      },
      {
        amount: '1066.66',
        currency: 'SGD',
        booked: '2018-04-17',
        valued: '2018-04-17',
        purpose: 'SALARY EMPLOYER PTE LTD',
        counterpart: {},
      },
      {
        amount: '-6',
        currency: 'SGD',
        booked: '2018-04-16',
        valued: '2018-04-16',
        purpose: 'CCY CONVERSION FEE',
        counterpart: {},
      },
    ],
  },
]

const STRIPE: readonly CsvSample[] = [
  {
    profile: 'Stripe balance',
    text:
      'id,Type,Source,Amount,Fee,Destination Platform Fee,Destination Platform Fee Currency,Net,' +
      'Currency,Created (UTC),Available On (UTC),Description,Customer Facing Amount,' +
      'Customer Facing Currency,Transfer,Transfer Date (UTC),Transfer Group\n' +
      'txn_1,charge,ch_1,30.00,1.17,,,28.83,usd,2024-04-23 21:56,2024-04-30 00:00,Invoice 7,' +
      '30.00,usd,,,\n' +
      'txn_2,refund,re_1,-249.00,-7.52,,,-241.48,usd,2024-04-24 15:34,2024-04-24 15:34,' +
      'REFUND FOR CHARGE,-249.00,usd,,,\n' +
      'txn_3,payout,po_1,-824.08,0.00,,,-824.08,usd,2024-04-28 01:13,2024-04-29 00:00,' +
      'STRIPE PAYOUT,,,,,\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '28.83',
        currency: 'USD',
        booked: '2024-04-23',
        valued: '2024-04-30',
        type: 'charge',
        purpose: 'Invoice 7 ch_1',
        counterpart: { customerReference: 'txn_1' },
        originalAmount: '30',
        originalCurrency: 'USD',
      },
      {
        amount: '-241.48',
        currency: 'USD',
        booked: '2024-04-24',
        valued: '2024-04-24',
        type: 'refund',
        purpose: 'REFUND FOR CHARGE re_1',
        counterpart: { customerReference: 'txn_2' },
        originalAmount: '-249',
        originalCurrency: 'USD',
      },
      {
        amount: '-824.08',
        currency: 'USD',
        booked: '2024-04-28',
        valued: '2024-04-29',
        type: 'payout',
        purpose: 'STRIPE PAYOUT po_1',
        counterpart: { customerReference: 'txn_3' },
      },
    ],
  },
  {
    profile: 'Stripe balance report',
    text:
      '"balance_transaction_id","created_utc","available_on_utc","currency","gross","fee","net",' +
      '"reporting_category","description"\n' +
      '"txn_1","2020-01-23 08:26:29","2020-01-27 00:00:00","usd","12.00","0.50","11.50",' +
      '"charge",\n' +
      '"txn_2","2020-01-24 08:26:31","2020-01-27 00:00:00","usd","-0.77","0.00","-0.77",' +
      '"refund","REFUND FOR PAYMENT"\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '11.5',
        currency: 'USD',
        booked: '2020-01-23',
        valued: '2020-01-27',
        type: 'charge',
        counterpart: { customerReference: 'txn_1' },
        originalAmount: '12',
        originalCurrency: 'USD',
      },
      {
        amount: '-0.77',
        currency: 'USD',
        booked: '2020-01-24',
        valued: '2020-01-27',
        type: 'refund',
        purpose: 'REFUND FOR PAYMENT',
        counterpart: { customerReference: 'txn_2' },
      },
    ],
  },
  {
    profile: 'Stripe payouts',
    text:
      'id,Amount,Created (UTC),Currency,Livemode,Arrival Date (UTC),Source Type,Destination,' +
      'Status,Type,Method,Description,Balance Transaction,Failure Balance Transaction,' +
      'Failure Message,Failure Code,Statement Descriptor,Trace ID,Trace ID Status,' +
      'Destination Name,Destination Country,Destination Last 4\n' +
      'po_a,3930.14,2026-07-10 00:18,usd,true,2026-07-11 00:00,card,ba_x,paid,bank_account,' +
      'standard,STRIPE PAYOUT,txn_a,,,,SHOP,091000010212946,supported,"BANK, NA",US,9680\n' +
      'po_b,3267.46,2026-07-12 00:23,usd,true,2026-07-13 00:00,card,ba_x,in_transit,' +
      'bank_account,standard,STRIPE PAYOUT,txn_b,,,,SHOP,,,"BANK, NA",US,9680\n',
    options: OWN,
    account: OWN_ACCOUNT,
    rows: [
      {
        amount: '-3930.14',
        currency: 'USD',
        booked: '2026-07-10',
        valued: '2026-07-11',
        type: 'bank_account',
        purpose: 'STRIPE PAYOUT SHOP BANK, NA 091000010212946',
        counterpart: { customerReference: 'po_a' },
      },
    ],
    warnings: [/^not booked \(Status: in_transit\)/u],
  },
]

test('a completed Revolut row moves the balance by its amount minus its fee', (t) =>
  checkSamples(t, REVOLUT))

test('every row of Wise, Monzo, Swedbank and OCBC is read', (t) => checkSamples(t, BANKS))

test('a Stripe row moves its amount after charges, and a payout leaves the account', (t) =>
  checkSamples(t, STRIPE))
