import fc from 'fast-check'
import { test } from 'tap'
import { MATCH_FIELDS, type MatchFields } from '../../src/match/fields.js'
import { parseReference } from '../../src/match/reference.js'
import { scoreMatch } from '../../src/match/score.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'

const THRESHOLD = 6_000
/** Score that a lower threshold has to find. */
const FINDABLE = 4_000

function score(query: string, purpose: string): number {
  return scoreMatch(parseReference(query), fieldsWith({ purpose })).score
}

/** Class, query, purpose, lowest and highest score. */
const ROWS: readonly (readonly [string, string, string, number, number])[] = [
  ['exact', 'RE-2024-0815', 'Zahlung RE-2024-0815 danke', 9_500, 10_000],
  ['exact', 'INV-000815', 'INV-000815', 9_500, 10_000],
  ['exact', 'GTOS4BN19D124XV', 'GTOS4BN19D124XV', 9_500, 10_000],
  ['exact', 'A-14225', 'Auftrag A-14225 Rest', 9_500, 10_000],
  ['exact', '4400031501', 'Rechnung 4400031501 vom 24.05.2018 Kunde 662488', 9_500, 10_000],
  ['lower', 're-2024-0815', 'Zahlung RE-2024-0815', 9_500, 10_000],
  ['multi', 'RE-2024-0815', 'RE-2024-0811 u. RE-2024-0815', 9_500, 10_000],
  ['compact', 'RE20240815', 'RE-2024-0815', 9_000, 9_700],
  ['compact', 'K46X0815', 'K46X-0815', 9_000, 9_700],
  ['doc_compact', 'RE-2024-0815', 'ZAHLUNG RE20240815', 9_000, 9_700],
  ['spaced', 'RE 2024 0815', 'RE-2024-0815', 9_000, 9_900],
  ['spaced', 'MUE 2024 0815', 'MUE-2024-0815', 9_000, 9_900],
  ['spaced', 'RE - 2024 - 0815', 'RE-2024-0815', 9_000, 9_900],
  ['repunct', 'RE.2024/0815', 'RE-2024-0815', 9_000, 10_000],
  ['repunct', 'K46X/0815', 'K46X-0815', 9_000, 10_000],
  ['prefix_variant', 'Facture 2024-0815', 'RE-2024-0815', 8_500, 9_900],
  ['prefix_variant', 'Rg.-Nr. 2024-0815', 'RE-2024-0815', 8_500, 9_900],
  ['prefix_variant', 'Invoice No. 2024-0815', 'RNr. 2024-0815', 8_500, 9_900],
  ['prefix_variant', 'factuur 20170582', 'FACT 20170582', 8_500, 9_900],
  ['prefix_variant', 'Fattura n. 2024/0815', 'FT 2024/0815', 8_500, 9_900],
  ['prefix_variant', 'Factura 2024-0815', 'FRA. 2024-0815', 8_500, 9_900],
  ['number_only', '2024-0815', 'RE-2024-0815', 8_500, 9_900],
  ['leading_zero', 'INV-815', 'INV-000815', 8_000, 9_000],
  ['leading_zero', 'INV-000815', 'INV-815', 8_000, 10_000],
  ['leading_zero', 'RE-2024-815', 'RE-2024-0815', 8_000, 9_700],
  ['leading_zero', '2024815', 'RE-2024-0815', 8_000, 8_500],
  ['linebreak', 'RE-2024-0815', 'RE-20 24-0815', 9_000, 9_700],
  ['linebreak', 'RE-2024-0815', 'RE-2024-08\n15', 9_000, 9_700],
  ['ocr', 'RE-2024-0815', 'RE-2O24-0815', 8_000, 9_500],
  ['ocr', 'RE-2024-0815', 'RE-2024-081S', 8_000, 9_500],
  ['ocr', 'RE-2O24-O815', 'RE-2024-0815', 8_000, 9_500],
  ['typo_letter', 'RX-2024-0815', 'RE-2024-0815', 7_500, 9_300],
  ['typo_letter', 'RE-2024-0815', 'RX-2024-0815', 7_500, 9_300],
  ['typo_letter', 'K46Y-0815', 'K46X-0815', 7_500, 9_300],
  ['typo_word', 'Rechnugn 2024-0815', 'RE-2024-0815', 7_500, 9_900],
  ['typo_word', 'Rechnunq 2024-0815', 'RE-2024-0815', 7_500, 9_900],
  ['doc_truncated', 'RE-2024-0815', 'RE-2024-08', 5_600, 5_999],
  ['doc_truncated', 'RE-2024-0815', 'Zahlung RE-2024-081', 5_600, 5_999],
  ['extra_words', 'Bitte Zahlung zu Rechnung 2024-0815 pruefen', 'RE-2024-0815', 8_000, 10_000],
  [
    'long_query',
    'Bitte Zahlung zu Rechnung RE-2024-0815 vom 03.05.2024 pruefen',
    'RE-2024-0815',
    8_000,
    10_000,
  ],
  ['long_query', 'RE-2024-0815 Kunde 10972', 'Re 2024-0815', 8_000, 10_000],
  ['typo_digit', 'RE-2024-0816', 'RE-2024-0815', 4_001, 5_999],
  ['typo_digit', 'RE-2024-0851', 'RE-2024-0815', 4_001, 5_999],
  ['typo_digit', 'RE-2042-0815', 'RE-2024-0815', 4_001, 5_999],
  ['typo_digit', 'RE 4711', 'Rechnung 4171', 4_001, 5_999],
  ['typo_digit', '47110', '47120', 4_001, 5_999],
  ['digit_more', 'RE-2024-0815', 'RE-2024-08155', 0, 5_999],
  ['digit_less', 'RE-2024-08155', 'RE-2024-0815 vom', 0, 5_999],
  ['absent_substring', '0815', '10815', 0, 5_999],
  ['absent_substring', '0815', '08155', 0, 5_999],
  ['absent_substring', '14', '1814', 0, 5_999],
  ['absent_substring', '815', 'Steuernr. 21/815/04711', 0, 5_999],
  ['absent_substring', 'RE-81131', 'DAUERAUFTRAG A-473.811.31 TAN 266085', 4_001, 5_999],
  ['own grouping', 'RE-811.31', 'DAUERAUFTRAG A-473.811.31 TAN 266085', 8_000, 9_999],
  ['amount', 'RE-41585', 'Kartenzahlung 16.37 UHR 41.580,85 EUR', 0, 5_999],
  ['amount', '3474', 'RF78 6453 9510 222 / 05.01.2026 / 3.458,74 EUR', 0, 5_999],
  ['absent_substring', '7406', 'IBAN DE58 7406 1813 0100 0336 26', 0, 5_999],
  ['absent_far', 'RE-2024-2357', 'DATUM 06.04.2024, 23.57 UHR', 0, 0],
  ['absent_far', '006770', '677,44 EUR', 0, 0],
  ['absent_far', 'RE-2024-0815', 'RE-1999-4711', 0, 0],
  ['absent_far', '2011', 'ZOLL Hamburg', 0, 5_999],
  ['absent_far', '5818', 'SBIB', 0, 5_999],
  ['cut off', '437-5009001-8014878', 'Zahlung Ihrer Rechnung 437-5009001-8014', 5_501, 5_999],
  ['cut off', '437-5009001-8014878', 'Zahlung Ihrer Rechnung 437-5009001-801487', 5_501, 5_999],
  ['not cut off', 'RE-000788825', 'INV-000788 | ZA24-001175', 0, 5_999],
  ['not cut off', 'INV-00080971', 'Kd. 874084, INV-000809', 0, 5_999],
  ['no list', 'RE 37', 'Rechnung RE-2020-03 37 vom 21.02.2024', 0, 7_500],
  ['ocr', '2145B1Z', '2145812', 8_000, 9_500],
  ['trailing zero', 'AB-2019-6681', 'AB-2019-66810', 0, 5_999],
  ['trailing zero', 'RE 6300', 'INV-000630', 0, 5_999],
  ['trailing zero', 'RE 4660', 'RE/2020/466', 0, 5_999],
  ['identifier', 'RE 3149', 'MREF+MREF-J78X3-149K SVWZ+Beitrag', 0, 5_999],
  ['identifier', 'RE 4037', 'GS ID: PT1MTM97OM4OND37 x', 0, 5_999],
  ['identifier', 'V28Y802015', 'Y28Y802015', 7_500, 9_300],
  ['identifier', 'M459632', 'K459632', 3_000, 5_999],
  ['identifier', 'M459632', 'K-NR. 459632 / 12.2016', 8_000, 9_500],
  ['identifier', 'MUE-1002', 'MUE-1001, 1002', 6_500, 8_500],
  ['not cut off', 'Rechnung 623071', 'Saldo RE-2020-62307 del 02/03/2024', 0, 5_999],
  ['ocr', 'FA000929494', 'FA00O929494', 8_000, 9_500],
  ['ocr', 'RE00063735', 'RE00O6373S', 8_000, 9_500],
  ['creditor reference', 'RF94 6506 5241 8055', 'RF94650652418055 vom 18.05.2021', 9_000, 9_900],
  ['a keyword between', 'RE-2024-48133', 'RE 2024-0777, Kunde 48133', 0, 5_999],
  ['head left out', 'CNW-ZZ0625', '0,0625 % p.a. Habenzinsen', 0, 5_999],
  ['year alone', '2024', 'RE-2024-0815', 0, 5_999],
  ['foreign prefix', 'RE-2018-17836', 'WEB-2018-17836', 6_000, 7_500],
  ['foreign prefix', 'WEB-2018-17836', 'RE-2018-17836', 6_000, 7_500],
  ['foreign prefix', 'RS 2025 09284', 'RG-2025-09284', 6_000, 9_000],
  ['foreign prefix', 'GR202500650', 'RG202500650', 6_000, 9_000],
  ['foreign prefix', 'RE-2018-17836', 'WEBR-2018-17836', 4_001, 5_999],
  ['foreign prefix', 'RE-178361', 'WEB-178361', 4_001, 5_999],
  ['leading_zero', 'INV 2153', 'INV 002153', 9_000, 9_700],
  ['whole field', 'Viite 1245', '00000000000000001245', 9_000, 9_500],
  ['zeros', '7777444422220000', '7777 4444 2222 0000', 8_500, 9_900],
  ['zeros', 'VR-2023-01-0529', 'VR2023010529', 9_000, 9_700],
  ['zeros', '2025/06/08278', '20250608278', 9_000, 9_700],
  ['zeros', '20250608278', '2025/06/08278', 9_000, 9_700],
  ['zeros', 'AR2409-00560', 'AR240900560', 9_000, 9_800],
  ['zeros', 'AR2409-00560', 'AR2409\n00560', 9_000, 9_900],
  ['zeros', 'AR-2020-00560', 'AR202 000560', 9_000, 9_700],
  ['zero moved', '2020/0010', 'FV 2020 10 00325', 0, 7_000],
  ['zero moved', 'VR-2025-10-0148', 'VR-2025-01-0148', 4_001, 5_999],
  ['zero moved', 'RG-2021/10/00011', 'RG2021.01.00011', 4_001, 5_999],
  ['zero moved', 'FV10.0668.2022', 'FV0106682022', 4_001, 5_999],
  ['short list', '37085', 'Rg. 37082, -83, -84, -85', 8_000, 9_000],
  ['short list', 'INV-83129', 'Invoices 83127, -28, -29 und -30', 7_500, 9_000],
  ['short list', 'INV-280869', 'INV-280867/68/69', 8_000, 9_000],
  ['short list', 'RE 2024-1605', 'RE 2024-1603, -04, -05', 8_000, 9_000],
  ['list', '201407-322', '201407-323/201407-322/201406-309', 9_500, 10_000],
  ['list', '201406-309', '201407-323/201407-3 22/201406-309', 9_500, 10_000],
  ['list', '201407-321', '201407-323/201407-322/201406-309', 0, 5_999],
  ['month of a number', 'Factuur 201407', '201407-323', 0, 5_999],
  ['range', '24/82997', 'R-24/82991 - 82997', 8_000, 9_000],
  ['range', '24/82993', 'R-24/82991 - 82997', 6_000, 7_500],
  ['range', '24/82998', 'R-24/82991 - 82997', 0, 5_999],
  ['amount', '435310', "CHF 4'353.10", 0, 5_999],
  ['amount', '173338', "1'733.38", 0, 5_999],
  ['amount', "4'353.10", "CHF 4'353.10", 9_000, 10_000],
  ['date', '2023-0907', 'VR-2023-09-07 68', 4_001, 5_999],
  ['date', 'VR-2023-09-07 68', 'VR-2023-09-07 68', 9_500, 10_000],
  ['date', 'Factuur 20170601', 'DAT. 20170601 AANT. 11', 0, 5_999],
  ['date', '20170601', 'DAT. 20170601 AANT. 11', 9_500, 10_000],
  ['date', 'Rechnung 27122013', 'EtE27122013-11', 0, 5_999],
  ['date', 'RE 2019-12', 'Debitk.4 2019-12', 0, 5_999],
  ['date', 'RE 2019-12', 'RE 2019-12', 9_500, 10_000],
  ['date', 'juni 2012', 'Contributie juli 2012', 0, 5_999],
  ['date', 'juli 2012', 'Contributie juli 2012', 9_500, 10_000],
  ['year beside a number', 'BTW 3e kwartaal 2013', 'BTW 2e kwartaal 2013', 0, 5_999],
  ['year beside a number', 'BTW 2e kwartaal 2013', 'BTW 2e kwartaal 2013', 6_000, 10_000],
  ['telephone', '4821337', 'Tel. 0421 482 1337', 0, 5_999],
  ['telephone', '421 4821337', '+49 (0)421 4821337', 0, 5_999],
  ['look-alikes', 'RE 41200', 'Mandat 4120.D', 0, 5_999],
  ['look-alikes', 'INV001130', 'L130', 0, 5_999],
  ['groups', '305 3674858 7310755', '305-3674858-7310755', 9_500, 9_999],
  ['groups', '305 3674858 7310755', '3053 674858 7310755', 9_000, 9_600],
  ['groups', '305 3674858 7310756', '305-3674858-7310755', 4_001, 5_999],
  ['groups', 'ARN 7460 9055 1234 5678', '7460905512345678 Visa', 8_500, 9_900],
  ['running number', 'INV-00007', 'Filiale 7', 0, 5_999],
  ['running number', 'INV-00007', 'TFNR 01041 00007', 0, 5_999],
  ['running number', 'INV-00007', 'Invoice 7', 6_000, 9_000],
  ['running number', 'INV-00007', 'INV-00007 danke', 9_500, 10_000],
  ['running number', 'INVOICE 39', '102 39 EUR', 0, 5_999],
  ['context', 'Factuur 307999 d.d. 04-04-2013 EUR 585,60', 'factuur 307999', 9_000, 10_000],
  ['context', '0014165999 07/19', '0014165999 Juli', 9_000, 10_000],
  ['sibling', 'A-2020-07-22-11:02-2', 'A-2020-07-22-11:02-1', 4_001, 5_999],
  ['sibling', 'A-2020-07-22-11:02-2', 'A-2020-07-22-11:02-2', 9_500, 10_000],
  ['group of a number', '6010', 'QRR 7867 0660 8038 6344 6010 609', 0, 5_999],
  ['group of a number', '1003', 'RE 1001 1002 1003 1004', 9_000, 10_000],
  ['ocr', 'YUV99O6S4', 'YUV990654', 8_000, 9_500],
  ['blocks', 'A3K5 CN2M4 33P', 'faktura A3K5CN2M433P OCR 88419609', 8_500, 10_000],
  ['blocks', 'EJ46 GREENP 100610 T1456', 'EJ46GREENP100610T1456 CLIEOP', 9_000, 10_000],
  ['blocks', 'EJ46 GREENP 100610 T1456', 'EJ46GREENP100610T1457 CLIEOP', 0, 5_999],
  ['inside an identifier', 'K46X', 'K46X0815', 0, 5_999],
  ['glued', 'factuur 231732', '231732INCASSO', 8_000, 9_500],
  ['glued', 'faktura 1234', 'Faktura 1234', 9_500, 10_000],
  ['date', '17 October 2013', '17 x 2013', 0, 5_999],
  ['two numbers', 'RE-2024-0815', '2024, 0815', 0, 5_999],
  ['umlaut', 'Müller 2024-0815', 'MUELLER 2024-0815', 9_500, 10_000],
  ['umlaut', 'MÜ-2024-0815', 'MUE-2024-0815', 9_500, 10_000],
  ['umlaut', 'MÜ-2024-0815', 'MU-2024-0815', 9_000, 9_900],
  ['umlaut', 'Straße 4711', 'STRASSE 4711', 9_000, 10_000],
  ['umlaut', 'Müller', 'Miete M?LLER', 6_000, 7_500],
  ['umlaut', 'Müller', 'Miete MULLER', 6_000, 7_500],
  ['umlaut', 'Mueller', 'Miete MLLER', 6_000, 7_500],
  ['range', '1001-1005', 'RE 1001-1005', 9_000, 10_000],
  ['range', 'RE 1001', 'RE 1001-1005', 8_000, 10_000],
  ['range', 'RE 1005', 'RE 1001-1005', 8_000, 10_000],
  ['list', 'RE 1001', 'RE 1001, 1002 u. 1003', 9_500, 10_000],
  ['list', 'RE 1002', 'RE 1001, 1002 u. 1003', 9_500, 10_000],
  ['list', 'RE 1003', 'RE 1001, 1002 u. 1003', 9_500, 10_000],
  ['list asked', 'RE 1001, 1002 u. 1003', 'RE 1002', 8_500, 10_000],
  ['shared prefix', '2024-0815', 'RE 2024-0815/16/17', 8_000, 10_000],
  ['shared prefix', 'GS-2022-2083', 'DAUERAUFTRAG GS-2022-2083/2084/2085 TAN 961600', 8_000, 9_999],
  ['year of a number', 'RE-2024', 'RE-2024-2025', 0, 5_999],
  ['year of a number', 'RE-12-2024', 'RE-12-2024-0815', 0, 5_999],
  ['shared prefix', 'RE-2024-0816', 'RE 2024-0815/16/17', 8_000, 10_000],
  ['shared prefix', 'RE-2024-0817', 'RE-2024-0815, 0816 u. 0817', 8_000, 10_000],
  ['shared prefix', 'RE-2024-0818', 'RE-2024-0815, 0816 u. 0817', 0, 5_999],
  ['year of number', '0824', 'RE 0815/24', 0, 5_999],
  ['two digits', 'RE 14', 'RE 14', 8_000, 9_500],
  ['two digits', '14', 'Filiale 14 Kiel', 6_000, 6_500],
  ['three digits', '815', 'Rechnung 815', 6_500, 7_500],
  ['four digits', '4711', 'PO 4711', 9_000, 10_000],
  ['four digits', 'RE 4711', 'Rechnung 4711', 9_500, 10_000],
  ['one digit', 'Filiale 1', 'Filiale 1', 4_000, 9_500],
  ['one digit', 'loonperiode 8', 'loonperiode 8 (aug)', 6_000, 6_500],
  ['no keyword', 'Rechnung 2100', 'SPAR DANKT 4105 KORNEUBURG 2100', 0, 5_999],
  ['no keyword', 'Rechnung 81234', 'Haus 81234', 6_000, 9_000],
  ['no keyword', 'Rechnung 0081234', 'Haus 81234', 0, 5_999],
  ['no keyword', 'Rechnung 3198939', 'CLOUDFLARE 650-3198939', 0, 5_999],
  ['no keyword', 'RE 1005', '1001-1005', 0, 5_999],
  ['no keyword', 'RE 10005', '10001-10005', 6_000, 9_000],
  ['no keyword', 'Polis AAAA1234567', '0001234567 VAN Zkl', 0, 5_999],
  ['account', 'Factuur 4715589', 'BETREFT REKENING 4715589', 0, 5_999],
  ['account', 'Rekening 4715589', 'BETREFT REKENING 4715589', 9_500, 10_000],
  ['other letters', 'Rechnung 12345', 'MUELL/FINP/RA12345', 0, 5_999],
  ['customer for invoice', 'Kunde 57331', 'Rechnung 57331', 6_000, 8_000],
  ['full width', 'ＲＥ－２０２４－０８１５', 'RE-2024-0815', 9_500, 10_000],
  ['Arabic digits', 'RE-٢٠٢٤-٠٨١٥', 'RE-2024-0815', 9_500, 10_000],
  ['Cyrillic look-alikes', 'РО 4711', 'PO 4711', 9_500, 10_000],
  ['Cyrillic word', 'Счёт 4711', 'PO 4711', 9_000, 9_500],
  ['combining marks', 'R\u0301E\u0308-2\u03360\u033624-0815', 'RE-2024-0815', 9_000, 10_000],
  ['bidi controls', '\u202eRE-2024-\u20660815\u2069', 'RE-2024-0815', 9_500, 10_000],
  ['soft hyphen', 'RE-20\u00ad24-0815', 'RE-2024-0815', 9_500, 10_000],
  ['date asked', '03.05.2024', 'Miete vom 03.05.2024', 9_500, 10_000],
  ['words', 'Bergbahn Ticket', 'BERGBAHN TICKET CHUR CH 667103', 7_500, 7_500],
  ['words', 'Bergbahn Ticket', 'BERGBAHN CHUR', 3_000, 4_500],
  ['words', 'Salaris december', 'Salaris december 2019', 7_500, 7_500],
  ['words', 'Salaris november', 'Salaris december 2019', 0, 5_999],
  ['words', 'Aangifte loonheffingen mei', 'AANGIFTE LOONHEFFINGEN APRIL', 0, 5_999],
  ['words', 'Kilometervergoeding', 'kilometervergoed ing kwartaal', 7_500, 7_500],
  ['words', 'Dauerauftrag', 'DAUERAUFTR.NR.', 6_000, 7_000],
  ['words', 'Dauerauftrag', 'DAUER', 0, 0],
  ['words', 'invest', 'INV 4711', 0, 0],
  ['words', 'Rechnung', 'Rechnungswesen', 5_000, 5_999],
  ['words', 'Wiener Staedt. Versicherung', 'WIENER STAEDTISCHE VERSICHERUNG', 6_500, 7_400],
  ['words', 'Musical Emil', 'Musical Emilio', 0, 5_999],
  ['words', 'loyer avr.', 'Loyer Avril', 7_500, 7_500],
  ['words', 'Hutchison 3 Austria', 'Hutchison Drei Austria', 3_500, 4_125],
  ['word of a letter', 'GSWDEZOJDG', 'GSWDEZOJDF', 0, 5_999],
  ['month', 'huur febr. 2010', 'HUUR - FEBRUARI 2010', 9_500, 10_000],
  ['month', 'huur maart 2010', 'HUUR - FEB 2010', 0, 5_999],
  ['month', 'faktura 112020', 'provizija za 11.2020', 0, 5_999],
  ['date', 'kosten 1-1-2013 t/m 31-3-2013', 'kosten 01-01-2013 / 31-03-2013', 9_000, 10_000],
  ['date', 'taxi 20-08-2014', '20-08-2014 Diner', 0, 5_999],
  ['year', 'Beitrag 4711; 2014', 'BEITRAG 4711 2013', 0, 5_999],
  ['year', 'Beitrag 4711; 2014', 'BEITRAG 4711 2013 2014', 9_000, 10_000],
  ['cut in query', '1d0b5eff-8cc8-4394-92', '1d0b5eff-8cc8-4394-9284d67fcb', 8_000, 9_000],
  ['cut in query', 'BEN12340999999999', 'BEN1234099999999912345', 8_000, 9_000],
  ['cut in query', 'BEN12340999999999', 'BEN12340999999999123', 0, 5_999],
  ['identifier', 'GSKWTHM25VCGF5', 'GSKWTHM25VCGE5', 3_000, 5_999],
  ['identifier', 'USD-E2E-002', 'EUR-E2E-002', 0, 5_999],
  ['code', 'Rg.-Nr. 002', 'Return R02', 0, 5_999],
  ['telephone', 'Rechnung 08007263333', 'STARBUCKS DE 08007263333  DE', 0, 5_999],
  ['telephone', 'RE-6503198939', 'CLOUDFLARE 650-3198939, US 9.95', 0, 5_999],
  ['date', 'Rechnung 21-05-2011', 'BEA 21.05.11/12.54 KATWIJK', 0, 5_999],
  ['date', 'factuur 161120', 'TRANSACTIE 16-11-20 19:02 x', 0, 5_999],
  ['date', 'Factuur 21-05-2011', 'FACTUUR 21-05-2011', 9_500, 10_000],
  ['date', '112020', 'provizija za 11.2020', 0, 5_999],
  ['date', '10062010', '10\u00ad06\u00ad2010 15:32', 0, 5_999],
  ['date', 'taxi 16-08-14', '16-08-14 11:26 taxi', 9_500, 10_000],
  ['date', 'REWE 01.03.2018', 'REWE 2018-03-01T11:33:59', 9_000, 10_000],
  ['date', 'REWE 2018-03-01', 'REWE 01.03.2018', 9_000, 10_000],
  ['date', 'rente 01-01-2013 - 31-03-2013', 'rente 01-01-2013 t/m 31-03-2013', 9_000, 10_000],
  ['a keyword between', 'AA1002', 'Rechnung 1002', 0, 5_999],
  ['begun identifier', '131209', '131209CH98765432', 0, 5_999],
  ['identifier', '0F6LBKDOHYVGZL', 'TBT OF6LBKDOHYVGZL', 8_500, 9_500],
  ['identifier', '5AL2224WXTE2C', 'Machtiging: 5AL2224WXTEZC-1', 8_500, 9_500],
  ['identifier', '127881', 'UstrdRemiInf127881INGB9', 0, 5_999],
  ['identifier', 'CT409640', 'BEA NR:CF409640', 7_500, 8_000],
  ['blocks', 'order 44442222', '7777 4444 2222 0000', 0, 5_999],
  ['blocks', 'order 7777444422220000', '7777 4444 2222 0000', 8_500, 10_000],
  ['groups after', 'order 123123', 'STEUERNR 123/123/12345', 0, 5_999],
  ['groups after', 'RE20240815', 'RE-2024-0815/16', 8_000, 9_000],
  ['parted', 'RE 68/1232', 'STRAATWEG 68 1232 AA', 0, 5_999],
  ['parted', 'RE 68/1232', 'RE 68 1232', 9_000, 10_000],
  ['beside words', 'block 12', 'block 1 of 12', 0, 5_999],
  ['beside words', 'Filiale 12', 'FIL. NR 12 block 1', 0, 5_999],
  ['beside words', 'reservering 12', 'block 1 RES.NR 12', 0, 5_999],
  ['list asked', '201403110/113', 'FACTUUR 201403110, 201403113', 5_000, 5_999],
  ['beside words', 'loonperiode 8', 'Loonper. 008 block 1', 5_000, 6_500],
  ['words of five digits', 'KORNEUBURG 21007', 'TFNr 21007', 6_000, 8_500],
  ['words alone', 'Rente Miete; 4711', '4712; Rente Miete', 4_125, 5_999],
  ['words', 'kosten periode', 'KostenPeriode 1', 7_500, 7_500],
  ['words', 'Musical Emil', 'Musicals', 0, 4_000],
]

test('every class of noise scores within its band', async (t) => {
  for (const [name, query, purpose, least, most] of ROWS) {
    const got = score(query, purpose)
    t.ok(got >= least && got <= most, `${name}: ${query} in ${purpose}: ${got}`)
  }
})

test('a reference is found in each field, a primanota only when equal', async (t) => {
  const reference = parseReference('4711-0815')
  for (const name of MATCH_FIELDS) {
    const { score } = scoreMatch(reference, fieldsWith({ [name]: '4711-0815' }))
    t.equal(score, name === 'primanota' ? 9_000 : 10_000, name)
  }
  t.equal(scoreMatch(parseReference('9330'), fieldsWith({ primanota: '9330' })).score, 9_000)
  t.equal(scoreMatch(parseReference('9330'), fieldsWith({ primanota: '9330-1' })).score, 0)
  const listed = '345/156/170'
  t.equal(scoreMatch(parseReference(listed), fieldsWith({ primanota: listed })).score, 9_000)
  t.equal(scoreMatch(reference, fieldsWith({})).score, 0)
})

test('better evidence has higher quality', async (t) => {
  const reference = parseReference('RE-2024-0815')
  const quality = (fields: Partial<MatchFields>): number =>
    scoreMatch(reference, fieldsWith(fields)).quality
  const exact = 'RE-2024-0815'
  t.ok(quality({ endToEndReference: exact }) > quality({ purpose: exact }))
  t.ok(
    quality({ purpose: exact, endToEndReference: exact }) > quality({ endToEndReference: exact }),
  )
  t.ok(quality({ purpose: exact }) > quality({ purpose: 'RE20240815' }))
  t.ok(quality({ purpose: 'RE20240815' }) > quality({ purpose: 'RE-2O24-0815' }))
  t.ok(quality({ purpose: 'RE-2O24-0815' }) > quality({ purpose: 'RE-2024-0816' }))
  t.equal(quality({ purpose: 'Miete' }), 0)
})

const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most })
    .map((list) => list.join(''))
    .filter((text) => !text.startsWith('0'))

const typed = fc.record({
  prefix: fc.constantFrom('RE-', 'RE', 'INV ', 'Rechnung ', 'K46X-', '', 'Kunde '),
  number: digits(4, 12),
  seed: fc.nat(),
  step: fc.integer({ min: 1, max: 9 }),
  isSwap: fc.boolean(),
})

/** One digit replaced, or swapped with its neighbour; unchanged when those are equal. */
function mistype(number: string, seed: number, step: number, isSwap: boolean): string {
  const i = seed % number.length
  const digit = number.charAt(i)
  const next = number.charAt(i + 1)
  if (isSwap && next !== '') return number.slice(0, i) + next + digit + number.slice(i + 2)
  return number.slice(0, i) + ((Number(digit) + step) % 10) + number.slice(i + 1)
}

test('one wrong or swapped digit never reaches the threshold, and can be found', async (t) => {
  let pairCount = 0
  assertProperty(
    fc.property(typed, ({ prefix, number, seed, step, isSwap }) => {
      const wrong = mistype(number, seed, step, isSwap)
      const isZero = wrong.replace(/^0+/, '') === number.replace(/^0+/, '')
      if (wrong === number || isZero) return
      pairCount += 1
      const got = score(prefix + wrong, prefix + number)
      if (got >= THRESHOLD) throw new Error(`${prefix}${wrong} in ${prefix}${number}: ${got}`)
      // A leading zero may be left out, which makes the number shorter.
      const isFindable = number.length > 4 && !wrong.startsWith('0')
      if (isFindable && got <= FINDABLE) throw new Error(`${prefix}${wrong}: ${got}`)
    }),
    // Some of the drawn values form no pair.
    { numRuns: 65_000 },
  )
  t.ok(pairCount >= 50_000, `${pairCount} pairs`)
})

test('digits inside a longer number never reach the threshold', async (t) => {
  const within = fc.record({
    number: digits(2, 9),
    before: digits(1, 5),
    after: digits(1, 5),
    side: fc.integer({ min: 0, max: 2 }),
  })
  assertProperty(
    fc.property(within, ({ number, before, after, side }) => {
      const longer = (side === 1 ? '' : before) + number + (side === 0 ? '' : after)
      // It may contain the number a second time, at its end or beginning, still within it.
      const got = score(number, `Zahlung ${longer} danke`)
      if (got >= THRESHOLD) throw new Error(`${number} in ${longer}: ${got}`)
    }),
    { numRuns: 10_000 },
  )
  t.pass()
})

const text = fc.oneof(
  fc.string({ minLength: 2, maxLength: 40, unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom('RE', '2024', '0815', '-', '/', ' ', ', ', 'u.', 'Kunde', '17', 'ä', 'Nr.'),
      { minLength: 2, maxLength: 14 },
    )
    .map((parts) => parts.join('')),
)

function tryScore(query: string, purpose: string): number | undefined {
  try {
    return score(query, purpose)
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') return undefined
    throw error
  }
}

test('a score is a deterministic integer from 0 to 10,000', async (t) => {
  assertProperty(
    fc.property(text, text, (query, purpose) => {
      const got = tryScore(query, purpose)
      if (got === undefined) return
      if (!Number.isInteger(got) || got < 0 || got > 10_000) throw new Error(String(got))
      if (tryScore(query, purpose) !== got) throw new Error('not the same')
    }),
    { numRuns: 10_000 },
  )
  t.pass()
})

test('case and Unicode form make no difference', async (t) => {
  const latin = fc
    .array(fc.constantFrom('Rechnung', 'ä', 'Ö', 'é', 'ß', '2024', '-', ' ', '0815', 'Nr.'), {
      minLength: 2,
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  assertProperty(
    fc.property(latin, latin, (query, purpose) => {
      const got = tryScore(query, purpose)
      const forms = [
        tryScore(query.toLowerCase(), purpose.toUpperCase()),
        tryScore(query.toUpperCase(), purpose.toLowerCase()),
        tryScore(query.normalize('NFC'), purpose.normalize('NFD')),
        tryScore(query.normalize('NFD'), purpose.normalize('NFC')),
      ]
      if (forms.some((other) => other !== got)) throw new Error(`${got}: ${forms}`)
    }),
    { numRuns: 5_000 },
  )
  t.pass()
})

test('different separators keep a reference above 0.9', async (t) => {
  const parts = fc.record({
    groups: fc.array(digits(2, 5), { minLength: 2, maxLength: 4 }),
    wanted: fc.constantFrom('-', '/', '.', ' ', ''),
    written: fc.constantFrom('-', '/', '_', ' ', ''),
  })
  assertProperty(
    fc.property(parts, ({ groups, wanted, written }) => {
      // A whole date in a query or in a text is never a reference.
      const query = `RE${wanted}${groups.join(wanted)}`
      const got = score(query, `Zahlung RE${written}${groups.join(written)} danke`)
      const isLong = groups.join('').length >= 6
      // Two numbers close together are parsed as a list, which scores lower than one reference.
      const least = parseReference(query).primary.units.length > 1 ? 8_500 : 9_000
      if (isLong && got < least) throw new Error(`${query} by ${written}: ${got}`)
    }),
    { numRuns: 10_000 },
  )
  t.pass()
})

test('a reference of zeros alone is found where zeros are alone, in any number', async (t) => {
  for (const purpose of ['000', 'Beleg 000, Danke', 'RE-2024/00', '0', 'Nr. O0', '1.000 EUR']) {
    t.ok(score('000', purpose) > 0, purpose)
  }
  for (const purpose of ['2024', 'RE-100', '0815', 'A0', 'Bestellung 200 Stueck', 'X000Y']) {
    t.equal(score('000', purpose), 0, purpose)
    t.equal(score('0'.repeat(256), purpose), 0, purpose)
  }
  t.equal(score('0'.repeat(256), '0'.repeat(256)), 10_000)
})

test('the number of missing leading zeros is bounded by their cost', async (t) => {
  const scores = Array.from({ length: 90 }, (_, i) => score(`${'0'.repeat(i)}4711`, '4711'))
  for (const [i, made] of scores.entries()) {
    const before = scores[i - 1]
    // A number of four digits scores lower than a longer one.
    if (before !== undefined && i > 1) t.ok(made <= before, `${i} zeros`)
    t.equal(made > 0, i <= 66, `${i} zeros: ${made}`)
  }
  t.equal(score(`X${'0'.repeat(90)}4711`, 'X4711'), 0)
  t.ok(score(`X${'0'.repeat(90)}4711`, `X${'0'.repeat(85)}4711`) > 0)
  t.ok(score(`${'0'.repeat(250)}4711`, `${'0'.repeat(200)}4711`) > 0, 'those present')
})
