// The real MT940 files of KONTOR_STATEMENTS; other means count their content.
import { test } from 'tap'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import {
  balanceGaps,
  messagesOf,
  readFile,
  realFileReading,
  realFiles,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

/** Unreadable files, and the message for each. */
const UNREADABLE: Readonly<Record<string, RegExp>> = {
  'betterplace__empty_line.txt': /^line 2, :25:: the message ends without naming its account/,
  'wolph__invalid_statement.sta': /^line 10: contains no MT940 statement/,
}

/** Files with refused entries, wrong on purpose or made unreadable by their authors. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'betterplace__sepa_snippet_broken.txt': /^entry 1 \(line 5\), :25:: is inside an entry/,
  'cmxl__mt940-headers.txt': /^entry 1 \(line 8\), :61: value date: "362268" is not a date YYMMDD/,
  'wolph__multiline.sta': /^entry 2 \(line 38\), :25:: the entry is not in a statement/,
}

/** Files whose balances and entries disagree, because they are invented or changed. */
const UNBALANCED: Readonly<Record<string, string>> = {
  'betterplace__sepa_snippet_broken.txt': '-358593.91 EUR',
  'jejik__abnamro.txt': '2038 EUR, 1002.6 EUR',
  'jejik__deutschebank.txt': '-12.35 EUR',
  'jejik__ing-dos.txt': '-49.06 EUR',
  'jejik__knab.txt': '-4500 EUR',
  'jejik__postfinance.txt': '-0.2 CHF',
  'mt940rs__bugs-issue-51.sta': '-100 EUR',
  'wolph__mBank-with_newline_in_tnr.sta': '-770.71 PLN',
  'wolph__malformed_details.sta': '-234.01 EUR',
}

const { outcomeOf, check } = realFileReading('mt940', readMt940)

test('every entry of the real files is read', async (t) => {
  for (const { name, bytes } of realFiles(t, 'mt940')) {
    const outcome = await readFile(readMt940, bytes)
    if (UNREADABLE[name] !== undefined) {
      t.match(outcome.error?.message, UNREADABLE[name], name)
      t.comment(`${name}: refused, ${outcome.error?.message}`)
      continue
    }
    t.equal(outcome.error, undefined, name)
    const expected = bytes.toString('latin1').match(/^:61:/gm)?.length ?? 0
    const found = transactionsOf(outcome).length
    const refusals = outcome.events.filter(({ kind }) => kind === 'refused')
    const accounts = outcome.events.filter(({ kind }) => kind === 'account').length
    const gaps = balanceGaps(outcome)
    t.equal(found + refusals.length, expected, `${name}: entries`)
    if (REFUSED[name] === undefined) t.same(refusals, [], `${name}: nothing refused`)
    else t.match(messagesOf({ events: refusals }), [REFUSED[name]], name)
    const open = gaps.filter((gap) => !gap.startsWith('0 '))
    t.equal(open.join(', '), UNBALANCED[name] ?? '', `${name}: gaps`)
    t.comment(
      `${name}: ${accounts} statements, ${found} entries of ${expected}, ${refusals.length} ` +
        `refused, balances of ${gaps.length - open.length} of ${gaps.length} agree ${open}`,
    )
  }
})

test('fields of the German files', async (t) => {
  const name = 'Richter Renate 70 Zeichen Beginn Fuellzeichen xxxxxxxx'
  await check(t, 'betterplace__sepa_mt9401.txt', {
    0: {
      ...{ amount: '300', type: 'RETOURE', primanota: '0399', booked: '2007-09-04' },
      ...{ endToEndReference: 'TFNR 40005 00005' },
      purpose: 'Grund nicht spezifiziert Reject aus SEPA-Ueberweisungsauftrag',
      counterpart: { customerReference: 'TFNr 40005 MSGID' },
      bankReference: '0724710345313905 2007-09-04 300 EUR',
    },
    5: { amount: '-204.88', type: 'SAMMLER/STORNO', bankReference: undefined },
    9: {
      ...{ amount: '50.05', endToEndReference: 'EndToEndIdTFNR5200100001' },
      purpose:
        'Keine Buchung zu: TO13 TF52001 MINT Dora Damm 70 Zeichen Beginn Fuellzeichen ' +
        'xxxxxxxxxxxxx',
      counterpart: { bic: 'PBNKDEFF100', iban: 'DE42100100100043921105', name },
    },
    19: {
      ...{ amount: '-50990.05', endToEndReference: 'TFNR 21005 EndToEndId 00001' },
      purpose: 'Verwend CTSc-01 eBB TFNr 21005',
      counterpart: {
        ...{ bic: 'DRESDEFF508', iban: 'DE76508800500194780101' },
        ...{ name: 'Empfaenger Florian Frech UK 01' },
        customerReference: 'TFNR 21005 Instruction Id 00001',
      },
    },
    24: {
      endToEndReference: undefined,
      purpose:
        'Unstrukturierter Verwendungszweck mit 140 Stellen fu/r SEPA COR Buchungsschema ' +
        '/A-CT-DTE-S01 und A-CT-NUD-/S01 CTSc-01 EBB TFNr 01011/ 0001',
    },
  })
  await check(t, 'jejik__deutschebank.txt', {
    0: {
      ...{ amount: '-12.35', original: '-11.85', originalCurrency: 'EUR', primanota: '9075/629' },
      ...{ endToEndReference: 'A1.200080779.400143254.4961336' },
      counterpart: {
        ...{ bic: 'CSDBDE71XXX', iban: 'DE50712345600200691329', name: 'TESTER EL' },
        ...{ mandateReference: '20852HW2723821', creditorId: 'DE41EON00000129793' },
        customerReference: 'SEPA-DA20200601221740-34972000-P1',
      },
    },
  })
  await check(t, 'jejik__volksbankenraiffeisenbanken.txt', {
    3: {
      ...{ endToEndReference: 'ZV0100284190949300000002', purpose: 'Musical Sonja Schulz CD' },
      counterpart: { bic: 'SAKSDE55', iban: 'DE88500105178285756556', name: 'Thomas Schulz' },
    },
    9: { type: 'DA-GUTSCHRIFT', sepaPurposeCode: 'RINP', purpose: 'Dauerauftrag/Rate Spende' },
  })
  await check(t, 'jejik__sparkasse.txt', {
    0: {
      ...{ amount: '-20', type: 'KARTENZAHLUNG' },
      purpose:
        '2019-02-15T20.10 Debitk.4 2019-12 ' +
        'ABWA+Aral Tankstelle Chemnitz Leipziger Straße 257//Chemnitz/DE',
    },
  })
  await check(t, 'cmxl__mt940-with-colon-after-line-break.txt', {
    0: {
      ...{ endToEndReference: '000000000193592204', type: 'Kartenzahlung' },
      purpose:
        'STARTER//8449273399/US 22-04-2019T03:46:08 Kartennr. 5355999999999975 Original ' +
        '49,00 USD 1 EUR/1,12385 USD Entgelt 0,44 EUR',
    },
  })
  await check(t, 'cmxl__mt940-iso8859-1.txt', {
    1: { type: 'ÜBERWEISUNG', counterpart: { accountNumber: '0847564700', name: 'MÜLLER' } },
  })
  await check(t, 'wolph__february_30.sta', {
    0: { booked: '2016-03-01', valued: '2016-02-29', type: 'ENTGELTABSCHLUSS' },
  })
  await check(t, 'wolph__raphaelm.sta', {
    0: {
      ...{ amount: '5000', currency: 'DEM', booked: '2002-03-20', valued: '2002-03-17' },
      ...{ purpose: 'Verwendungszweck 1 Verwendungszweck 2 1000 4711', type: 'Buchungstext' },
      counterpart: { name: 'Empfänger', customerReference: '68790452' },
    },
  })
})

test('fields of the Dutch, Swiss and Polish files', async (t) => {
  await check(t, 'jejik__rabobank-iban.txt', {
    0: {
      ...{ amount: '-25', endToEndReference: '01-01-2013 12:00 0030000987654321' },
      counterpart: { name: 'CONTRA ACCOUNT HOLDER', iban: 'NL70ABNA0987654321' },
    },
    1: {
      purpose: 'Reference 201301234',
      counterpart: { name: 'JOHN DOE', accountNumber: 'P001234567' },
    },
  })
  await check(t, 'webschik__base-2.mta', {
    0: {
      ...{ amount: '-0.7', type: 'BETAALAUTOMAAT BUITENLAND' },
      purpose: 'KIEFERSFELDEN 25-02-2017 16:57 PAS: 8XX9',
      bankReference: 'B7B27AG0MQ000001 2017-02-27 -0.7 EUR',
    },
  })
  await check(t, 'afas__test1.mt940', {
    1: { original: '-10', counterpart: { iban: 'NL65INGB0123456789', name: 'PICQER' } },
  })
  await check(t, 'wolph__ASNB-mt940.txt', {
    1: { counterpart: { iban: 'NL56ASNB9999999999', name: 'paulissen g j l m' } },
  })
  await check(t, 'jejik__abnamro.txt', {
    1: { booked: '2011-05-23', valued: '2011-05-21', type: undefined },
  })
  await check(t, 'jejik__postfinance.txt', {
    0: {
      counterpart: { customerReference: '01916' },
      bankReference: '20131209007602198765432000000012 2013-12-09 79.7 CHF',
    },
  })
  await check(t, 'wolph__mBank-mt940.sta', {
    0: { type: '911-TRANSAKCJA IPH', bankReference: 'MB170119012058 2017-01-19 0.01 PLN' },
  })
  await check(t, 'cmxl__mt940-deutsche_bank.txt', {
    0: { original: '-47.11', originalCurrency: 'CAD', primanota: '5477', type: 'Cheque' },
    13: {
      type: 'Wyplata-(dysp/przel)',
      counterpart: {
        ...{ iban: 'PL08106000760000777777777777', accountNumber: '0000777777777777' },
        name: 'HUTA SZKLA TOPIC ULPRZEMY SLOWA 67 32-669 WROCLAW',
      },
    },
  })
})

test('malformed details are accepted with a warning', async (t) => {
  const outcome = await outcomeOf(t, 'wolph__malformed_details.sta')
  if (outcome === undefined) return
  t.match(messagesOf(outcome), [
    /^entry 1 \(line 5\): the details end in a "\?" without a sub-field/,
  ])
  const [found] = transactionsOf(outcome)
  t.equal(found?.endToEndReference, '123/123/12345-----L1101234567890123')
  t.match(found?.purpose, /IBAN\+DE00700500000000012345/, 'the other IBAN is kept')
})
