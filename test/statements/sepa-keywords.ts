import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  fillFromKeywords,
  joinParts,
  readSepaKeywords,
  splitReference,
} from '../../src/statements/sepa-keywords.js'
import type { StatementTransaction } from '../../src/statements/statement.js'
import {
  cleanReference,
  cleanText,
  joinTexts,
  overlongField,
} from '../../src/statements/text-field.js'
import { assertProperty } from '../fixtures/assert-property.js'

const german = (...parts: string[]): object => readSepaKeywords(parts, 27)
const oneText = (text: string): object => readSepaKeywords([text], 140)

test('a full part continues in the next one, a shorter one ends with a blank', async (t) => {
  t.equal(
    joinParts(['SVWZ+KD-Nr. K511159080/ RG-', 'Nr. 150555947887'], 27).text.slice(5),
    'KD-Nr. K511159080/ RG-Nr. 150555947887',
  )
  t.equal(joinParts(['one', 'two', ''], 27).text, 'one two ')
  t.equal(joinParts([], 27).text, '')
})

test('keywords at the start of a sub-field fill their fields', async (t) => {
  t.same(german('EREF+EndToEndIdTFNR20001000', '01', 'SVWZ+Miete', 'November'), {
    endToEndReference: 'EndToEndIdTFNR2000100001',
    purpose: 'Miete November',
  })
  t.same(german('KREF+2025112686347345587700', '000000001754'), {
    customerReference: '2025112686347345587700000000001754',
  })
  t.same(german('EREF+NOTPROVIDED', 'MREF+M 1', 'CRED+DE98 ZZZ09999999999', 'SVWZ+x'), {
    mandateReference: 'M 1',
    creditorId: 'DE98ZZZ09999999999',
    purpose: 'x',
  })
  t.same(german('PURP+RINP Dauerauftrag/Rate', 'SVWZ+Spende'), {
    purposeCode: 'RINP',
    purpose: 'Dauerauftrag/Rate Spende',
  })
  t.same(german('IBAN+DE89370400440532013000', 'BIC+COBADEFFXXX', 'DEBT+DE98ZZZ09999999999'), {
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    creditorId: 'DE98ZZZ09999999999',
  })
})

test('the text after a code is part of the purpose', async (t) => {
  t.same(german('PURP+SALA', 'Gehalt Januar 2024'), {
    ...{ purposeCode: 'SALA', purpose: 'Gehalt Januar 2024' },
  })
  t.same(german('SVWZ+x', 'IBAN+DE89370400440532013000', 'Zusatztext hier'), {
    ...{ iban: 'DE89370400440532013000', purpose: 'x Zusatztext hier' },
  })
  t.same(german('IBAN+DE00370400440532013000', 'ZUSATZ'), {
    // A full sub-field continues in the next one.
    purpose: 'IBAN+DE00370400440532013000ZUSATZ',
  })
  t.same(german('IBAN+NL00RABO0154810691', 'ZUSATZ'), {
    ...{ iban: 'NL00RABO0154810691', purpose: 'ZUSATZ' },
  })
  t.same(german('BIC+COBADEFFXXX', 'Zusatztext'), { bic: 'COBADEFFXXX', purpose: 'Zusatztext' })
  t.same(german('BIC+no code', 'IBAN+4711'), { purpose: 'BIC+no code IBAN+4711' })
  t.same(german('PURP+SALA', 'PURP+RINP', 'BIC+COBADEFFXXX', 'BIC+DEUTDEFF'), {
    ...{ purposeCode: 'SALA', bic: 'COBADEFFXXX', purpose: 'PURP+RINP BIC+DEUTDEFF' },
  })
})

test('adjacent keywords are separated until the text begins', async (t) => {
  t.same(
    oneText(
      'EREF+RECHNR. 100532580591MREF+KD0200CRED+DE98ZZZ09999999999SVWZ+02/2018 K-NR. 7 EREF+no',
    ),
    {
      endToEndReference: 'RECHNR. 100532580591',
      mandateReference: 'KD0200',
      creditorId: 'DE98ZZZ09999999999',
      purpose: '02/2018 K-NR. 7 EREF+no',
    },
  )
  t.same(
    german(
      'EREF+A1.200080779.400143254',
      '.4961336 KREF+SEPA-DA202006',
      '01221740-34972000-P1 MREF+2',
      '0852HW2723821 CRED+DE41EON0',
      '0000129793 OAMT+11,85 SVWZ+',
      'SONSTIGE GRUENDE',
    ),
    {
      endToEndReference: 'A1.200080779.400143254.4961336',
      customerReference: 'SEPA-DA20200601221740-34972000-P1',
      mandateReference: '20852HW2723821',
      creditorId: 'DE41EON00000129793',
      originalAmount: { unscaled: 1185, scale: 2 },
      purpose: 'SONSTIGE GRUENDE',
    },
  )
})

test('ABWA and ABWE end the text, a keyword inside it does not', async (t) => {
  t.same(oneText('SVWZ+Danke MREF+ist kein Wort ABWA+Erika Muster ABWE+Max'), {
    purpose: 'Danke MREF+ist kein Wort',
    ultimateDebtor: 'Erika Muster',
    ultimateCreditor: 'Max',
  })
  t.same(german('EREF+1', 'MTLG:Grund nicht s', 'pezifiziert'), {
    endToEndReference: '1',
    purpose: 'Grund nicht s pezifiziert',
  })
  t.same(oneText('Rechnung 5 vom ABIC+ Team'), { purpose: 'Rechnung 5 vom ABIC+ Team' })
  t.same(oneText('Vorab EREF+77 SVWZ+Text'), { purpose: 'Vorab Text', endToEndReference: '77' })
})

test('colon forms after the text are removed from it', async (t) => {
  t.same(
    oneText(
      'Miete Mai EREF: E-1 MREF: M-2 CRED: DE98ZZZ09999999999 ' +
        'IBAN: DE89370400440532013000 BIC: COBADEFFXXX ABWE: Erika Muster',
    ),
    {
      purpose: 'Miete Mai',
      endToEndReference: 'E-1',
      mandateReference: 'M-2',
      creditorId: 'DE98ZZZ09999999999',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      ultimateCreditor: 'Erika Muster',
    },
  )
  t.same(german('SVWZ+Musical IBAN: DE893704', '00440532013000 BIC: COBA', 'DEFF '), {
    purpose: 'Musical',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFF',
  })
  t.same(oneText('IBAN: DE89 3704 0044 0532 0130 00 bitte neu BIC: COBADEFFXXX danke'), {
    purpose: 'bitte neu danke',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
  })
})

test('a value without the form of its keyword stays text', async (t) => {
  for (const text of [
    'Frage zur IBAN: welche gilt',
    'Danke BIC: unbekannt',
    'CRED: Kredit Nr. 5',
    `EREF: ${'sehr '.repeat(10)}lang`,
  ]) {
    t.same(oneText(text), { purpose: text })
  }
  t.same(oneText('EREF+1 SVWZ+Text EREF: 2'), { endToEndReference: '1', purpose: 'Text EREF: 2' })
})

test('amounts of returns, and references without a field of their own', async (t) => {
  t.same(oneText('OAMT+EUR 1.234,50 COAM+3,00 SVWZ+Retoure'), {
    originalAmount: { unscaled: 12345, scale: 1 },
    originalCurrency: 'EUR',
    purpose: 'Retoure COAM+3,00',
  })
  t.same(oneText('OAMT+viel BREF+4711 RREF+MS03 SVWZ+x'), {
    purpose: 'x OAMT+viel BREF+4711 RREF+MS03',
  })
})

test('a reference ends at 35 characters, and its text is kept', async (t) => {
  t.same(
    german(
      'EREF+123/456/78901-----L210',
      '000000054321 BIC: BYLADEMM ',
      'ABWA: Finanzamt Musterstadt ',
      'ABWA+Finanzamt Zweigstelle ',
    ),
    {
      endToEndReference: '123/456/78901-----L210',
      bic: 'BYLADEMM',
      ultimateDebtor: 'Finanzamt Zweigstelle',
      purpose: '000000054321 ABWA: Finanzamt Musterstadt',
    },
    'at the part before',
  )
  t.same(
    german('MREF+0815', 'CRED+DE98ZZZ09999999999', 'STARTER//12345/US', '/PL 12-09-2014T16:26'),
    {
      mandateReference: '0815',
      creditorId: 'DE98ZZZ09999999999',
      purpose: 'STARTER//12345/US /PL 12-09-2014T16:26',
    },
  )
  t.same(oneText(`EREF+RE 4711 ${'und mehr Text '.repeat(3)}`), {
    endToEndReference: 'RE 4711 und mehr Text und mehr Text',
    purpose: 'und mehr Text',
  })
  const word = 'x'.repeat(36)
  t.same(oneText(`EREF+${word} MREF+${word.slice(1)}`), {
    mandateReference: word.slice(1),
    purpose: `EREF+${word}`,
  })
  t.same(splitReference('', []), { reference: '', rest: '' })
})

test('a reference and the text after it are the whole, however it is split', async () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', '1', ' '), maxLength: 20 }))
  assertProperty(
    fc.property(words, (parts) => {
      const text = parts.join('')
      let end = 0
      const starts = parts.map((part) => (end += part.length)).filter((start) => start > 0)
      const found = splitReference(text, starts)
      if (found === undefined) {
        assert.match(text.trim(), /^\S{36}/)
        return
      }
      const { reference, rest } = found
      assert.equal(`${reference}${rest}`, text.trim())
      assert.ok((cleanText(reference) ?? '').length <= 35)
      const begin = text.length - text.trimStart().length
      const fitting = starts.filter(
        (start) =>
          start > begin && start - begin <= 36 && text.slice(begin, start).trim().length < 36,
      )
      const isCut = rest !== '' && fitting.length > 0
      if (isCut) assert.ok(starts.includes(begin + reference.length), 'at the start of a part')
    }),
  )
})

test('a keyword that occurs twice keeps its second value in the purpose', async (t) => {
  t.same(oneText('EREF+1 EREF+1 SVWZ+x'), { endToEndReference: '1', purpose: 'x' })
  t.same(oneText('EREF+1 EREF+2 CRED+DE98ZZZ09999999999 DEBT+AT99 PURP+zu lang SVWZ+x'), {
    ...{ endToEndReference: '1', creditorId: 'DE98ZZZ09999999999' },
    purpose: 'x EREF+2 DEBT+AT99 PURP+zu lang',
  })
})

test('a redacted IBAN stays text', async (t) => {
  t.same(oneText('Miete IBAN: LU89xxxxxxxxxxxxxxxxxx BIC: COBADEFFXXX'), {
    purpose: 'Miete IBAN: LU89xxxxxxxxxxxxxxxxxx',
    bic: 'COBADEFFXXX',
  })
  t.same(oneText('IBAN: de89 3704 0044 0532 0130 00'), { iban: 'DE89370400440532013000' })
})

test('a text without keywords is read as one with the mark of a keyword', async (t) => {
  const part = fc.string({ unit: fc.constantFrom('A', 'e', '7', ' ', '\t', '-'), maxLength: 8 })
  assertProperty(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const { purpose, ...others } = readSepaKeywords(parts, 140)
      assert.deepEqual(others, {})
      const marked = readSepaKeywords([...parts, ':'], 140)
      assert.deepEqual(marked, { purpose: purpose === undefined ? ':' : `${purpose} :` })
    }),
  )
  t.same(oneText('Miete'), { purpose: 'Miete' })
  t.same(oneText(' '), {})
})

test('fields fill the empty fields of a transaction', async (t) => {
  const transaction: StatementTransaction = {
    ...{ amount: { unscaled: -1235, scale: 2 }, currency: 'EUR', position: 'entry 1' },
    counterpart: { iban: 'DE02120300000000202051', name: 'Erika Muster' },
  }
  fillFromKeywords(transaction, {
    ...{ iban: 'DE89370400440532013000', purpose: 'Miete', endToEndReference: 'E' },
    ...{ ultimateDebtor: 'Erika Muster', ultimateCreditor: 'Max' },
    originalAmount: { unscaled: 1185, scale: 2 },
  })
  t.equal(transaction.counterpart.iban, 'DE02120300000000202051')
  t.equal(transaction.purpose, 'Miete IBAN+DE89370400440532013000 ABWE+Max')
  t.equal(transaction.endToEndReference, 'E')
  t.same(transaction.originalAmount, { unscaled: -1185, scale: 2 }, 'with the sign of the amount')
  t.equal(transaction.originalCurrency, 'EUR')
})

test('a BIC that differs from the known one stays in the purpose', async (t) => {
  const purposeWith = (known: string | undefined, found: string): string | undefined => {
    const transaction: StatementTransaction = {
      ...{ amount: { unscaled: -1, scale: 0 }, currency: 'EUR', position: 'entry 1' },
      counterpart: known === undefined ? {} : { bic: known },
    }
    fillFromKeywords(transaction, oneText(`Miete BIC: ${found}`))
    t.equal(transaction.counterpart.bic, known ?? found)
    return transaction.purpose
  }
  t.equal(purposeWith('COBADEFF', 'MARKDEFF'), 'Miete BIC+MARKDEFF')
  t.equal(purposeWith('COBADEFF', 'COBADEFF380'), 'Miete BIC+COBADEFF380')
  for (const known of [undefined, 'COBADEFF', 'COBADEFFXXX']) {
    t.equal(purposeWith(known, 'COBADEFFXXX'), 'Miete')
  }
  t.equal(purposeWith('COBADEFF380', 'COBADEFF'), 'Miete', 'the known one says more')
})

test('texts are one line, and placeholders are dropped', async (t) => {
  t.equal(cleanText(' a\r\n\t b\u0001 '), 'a b')
  t.equal(cleanText(' \n'), undefined)
  t.equal(cleanReference(' NOTPROVIDED '), undefined)
  t.equal(cleanReference('NONREF7'), 'NONREF7')
  t.equal(joinTexts(['a b', undefined, 'b', ' c ']), 'a b c')
  const many = joinTexts(Array.from({ length: 1_003 }, () => 'a'))
  t.equal(many, 'a a a a', 'after a thousand texts, none is left out')
  const amount = { unscaled: 1, scale: 0 }
  const base = { amount, currency: 'EUR', position: 'entry 1', counterpart: {} }
  t.equal(overlongField({ ...base, purpose: 'x'.repeat(10_000) }), undefined)
  t.equal(overlongField({ ...base, purpose: '𝄞'.repeat(10_000) }), undefined)
  t.equal(overlongField({ ...base, counterpart: { name: 'x'.repeat(10_001) } }), 'name')
})
