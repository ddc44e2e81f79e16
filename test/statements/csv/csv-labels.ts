import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { fillFromPurpose, readLabels } from '../../../src/statements/csv/csv-labels.js'
import type { StatementTransaction } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { IBAN_DE } from '../../fixtures/csv-samples.js'

const CREDITOR = 'DE98ZZZ09999999999'

test('the labels of Commerzbank are cut like those of its MT940', (t) => {
  const debit =
    '1x1 Post GmbH WEB.DE / KD-Nr. K1/ R G-Nr. 12 End-to-End-Ref.: 009876584321 Mandatsref: ' +
    `M 7/8 Gläubiger-ID: ${CREDITOR} SEPA-BASISLASTSCHRIFT wiederholend`
  t.strictSame(readLabels(debit, true), {
    fields: {
      endToEndReference: '009876584321',
      mandateReference: 'M 7/8',
      creditorId: CREDITOR,
      purpose: '1x1 Post GmbH WEB.DE / KD-Nr. K1/ R G-Nr. 12 SEPA-BASISLASTSCHRIFT wiederholend',
    },
  })
  const order =
    `ANNA MUSTER GENODEF1M04 ${IBAN_DE} MONATLICH MIETE 1500EUR NEB ENKOSTEN ` +
    'End-to-End-Ref.: NOTPROVIDED Dauerauftrag'
  t.strictSame(readLabels(order, true), {
    fields: {
      name: 'ANNA MUSTER',
      bic: 'GENODEF1M04',
      iban: IBAN_DE,
      purpose: 'MONATLICH MIETE 1500EUR NEB ENKOSTEN Dauerauftrag',
    },
  })
  const plain = 'Kontoführung Konto  123456700 EUR BLZ   500 400 00 Grundpreis  9,90- EUR'
  t.equal(readLabels(plain, true).fields.purpose, plain.replace(/ +/gu, ' '))
  t.end()
})

test('the labels of comdirect are cut, whichever of the two parties is the owner', (t) => {
  t.strictSame(readLabels('Auftraggeber: GREEN AG Buchungstext: Strom Mai Ref. 7Q2/33', true), {
    fields: { name: 'GREEN AG', purpose: 'Strom Mai Ref. 7Q2/33' },
  })
  const sent =
    `Empfänger: Anna MusterKto/IBAN: ${IBAN_DE} BLZ/BIC: BYLADEM1001  ` +
    'Buchungstext: Miete Ref. DE98/1'
  t.strictSame(readLabels(sent, true), {
    fields: {
      name: 'Anna Muster',
      iban: IBAN_DE,
      bic: 'BYLADEM1001',
      purpose: 'Miete Ref. DE98/1',
    },
  })
  const both =
    'Auftraggeber:Max Buchungstext: Rest 123Empfänger: AnnaKto/IBAN: 4711 BLZ/BIC: 20041155'
  t.strictSame(readLabels(both, true), {
    fields: { name: 'Anna', purpose: 'Auftraggeber: Max Rest 123 BLZ/BIC: 20041155' },
    accountNumber: '4711',
  })
  t.equal(readLabels(both, false).fields.name, 'Max')
  const none =
    `Empfänger: AmtKto/IBAN: ${IBAN_DE} BLZ/BIC: BYLADEM1001 Buchungstext: ` +
    'End-to-End-Ref.: nicht angegeben Ref. JF21/2'
  t.equal(readLabels(none, true).fields.purpose, 'Ref. JF21/2')
  t.end()
})

test('adjacent labels without a blank are separated', (t) => {
  const text =
    'EINZUG 400271 END-TO-END-REF.:4002713CORE / MANDATSREF.:118304' +
    `GLÄUBIGER-ID:${CREDITOR}Ref. 7A1B4`
  t.strictSame(readLabels(text, true), {
    fields: {
      endToEndReference: '4002713',
      mandateReference: '118304',
      creditorId: CREDITOR,
      purpose: 'EINZUG 400271 CORE / Ref. 7A1B4',
    },
  })
  t.end()
})

test('the kind of mandate stays in the purpose', (t) => {
  const text =
    'Auftraggeber: Stadtwerke Buchungstext: Abschlag End-to-End-Ref.: E2E-77 CORE / Mandatsref: ' +
    `M-55 Gläubiger-ID: ${CREDITOR} SEPA-BASISLASTSCHRIFT wiederholend`
  t.strictSame(readLabels(text, true).fields, {
    ...{ name: 'Stadtwerke', endToEndReference: 'E2E-77', mandateReference: 'M-55' },
    creditorId: CREDITOR,
    purpose: 'Abschlag CORE / SEPA-BASISLASTSCHRIFT wiederholend',
  })
  const long = `B2B / Mandatsref: ${'x'.repeat(36)}`
  t.equal(readLabels(`A End-to-End-Ref.: 1 ${long}`, true).fields.purpose, `A ${long}`)
  t.end()
})

test('a value without the form of its label stays in the purpose', (t) => {
  const long = 'x'.repeat(36)
  t.equal(
    readLabels(`A End-to-End-Ref.: ${long} Gläubiger-ID: none of it`, true).fields.purpose,
    `A End-to-End-Ref.: ${long} Gläubiger-ID: none of it`,
  )
  const free = 'Rechnung, Empfänger: Anna, Buchungstext: keiner'
  t.strictSame(readLabels(free, true), { fields: { purpose: free } }, 'no label begins the text')
  t.end()
})

function booking(): StatementTransaction {
  return {
    amount: { unscaled: -1, scale: 0 },
    currency: 'EUR',
    counterpart: { mandateReference: 'M-1', creditorId: CREDITOR },
    position: 'line 2',
  }
}

test('a reference that a column repeats is cut, and a different one is kept', (t) => {
  const same = booking()
  fillFromPurpose(same, `Miete EREF: E-1 MREF: M-1 CRED: ${CREDITOR}`, false)
  t.strictSame([same.purpose, same.endToEndReference], ['Miete', 'E-1'])
  t.strictSame(same.counterpart, booking().counterpart)
  const other = booking()
  fillFromPurpose(other, 'EREF+E-2MREF+M-2SVWZ+Strom', false)
  t.equal(other.purpose, 'Strom MREF+M-2')
  t.equal(other.counterpart.mandateReference, 'M-1')
  const plain = booking()
  fillFromPurpose(plain, 'IBAN: see above', false)
  t.equal(plain.purpose, 'IBAN: see above')
  t.end()
})

test('no word of a text with labels is lost', async (t) => {
  const piece = fc.oneof(
    fc.constantFrom(
      'Auftraggeber:',
      'Empfänger:',
      'Kto/IBAN:',
      'BLZ/BIC:',
      'Buchungstext:',
      'End-to-End-Ref.:',
      'Mandatsref:',
      'Gläubiger-ID:',
      'Ref. 7Q2/3',
      CREDITOR,
      IBAN_DE,
      'BYLADEM1001',
      'x'.repeat(40),
    ),
    fc.stringMatching(/^[a-z]{3,12}$/u),
  )
  const texts = fc.array(piece, { minLength: 1, maxLength: 16 }).map((words) => words.join(' '))
  await assertProperty(
    fc.property(texts, fc.boolean(), (text, isOutgoing) => {
      const { fields, accountNumber = '' } = readLabels(text, isOutgoing)
      const found = [...Object.values(fields), accountNumber].join(' ').toUpperCase()
      for (const word of text.toUpperCase().split(' ')) {
        if (word.endsWith(':')) continue
        assert(found.includes(word), `${word} of ${JSON.stringify(text)} is lost`)
      }
    }),
  )
  t.end()
})

test('the keywords of ABN AMRO are cut as in its MT940, and nothing known is overwritten', (t) => {
  const read = (known: Partial<StatementTransaction>, text: string): StatementTransaction => {
    const transaction: StatementTransaction = {
      ...{ amount: { unscaled: -5, scale: 0 }, currency: 'EUR', position: 'line 2' },
      ...{ counterpart: {}, ...known },
    }
    fillFromPurpose(transaction, text, false)
    return transaction
  }
  const slashed =
    '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J JANSEN/REMI/huur mei' +
    '/EREF/E-7'
  t.match(read({}, slashed), {
    ...{ type: 'SEPA OVERBOEKING', purpose: 'huur mei', endToEndReference: 'E-7' },
    counterpart: { name: 'J JANSEN', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
  })
  const known = read({ type: 'IC', counterpart: { name: 'P Pietersen' } }, slashed)
  t.equal(known.purpose, 'huur mei NAME+J JANSEN TRTP+SEPA OVERBOEKING')
  t.match(known, { type: 'IC', counterpart: { name: 'P Pietersen' } })
  const columns =
    'SEPA Incasso algemeen     Incassant: NL12ZZZ123456780000  Naam: Gas  Machtiging: M1'
  t.match(read({}, columns), {
    ...{ type: 'SEPA Incasso algemeen', purpose: undefined },
    counterpart: { name: 'Gas', mandateReference: 'M1', creditorId: 'NL12ZZZ123456780000' },
  })
  t.equal(read({}, 'BEA   NR:1234').purpose, 'BEA   NR:1234')
  t.end()
})
