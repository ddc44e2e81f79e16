import { test } from 'tap'
import {
  linesBelowAccount,
  readAbnColumns,
  readAbnText,
  takeTriodosParts,
  withoutIngCounterpart,
  withoutKnabLine,
} from '../../../src/statements/mt940/dutch-details.js'
import type {
  StatementCounterpart,
  StatementTransaction,
} from '../../../src/statements/statement.js'

test('ABN AMRO: columns with labels, and numbers that continue in the next column', async (t) => {
  t.same(
    readAbnColumns([
      'SEPA IDEAL                       IBAN: NL28RABO0154810691',
      'BIC: RABONL2U                    NAAM: VOORBEELD REIZEN BV',
      'OMSCHRIJVING: 4851430999 0030000 735822999 E-TICKET(S)',
      'KENMERK: 26-01-2014 18:14 003000 0735822999',
    ]),
    {
      ...{ type: 'SEPA IDEAL', iban: 'NL28RABO0154810691', bic: 'RABONL2U' },
      ...{ name: 'VOORBEELD REIZEN BV', purpose: '4851430999 0030000735822999 E-TICKET(S)' },
      endToEndReference: '26-01-2014 18:14 0030000735822999',
    },
  )
  t.same(
    readAbnColumns([
      'SEPA INCASSO ALGEMEEN DOORLOPEND INCASSANT: NL98ZZZ999999990000',
      'NAAM: STROOM BV                  MACHTIGING: M-1',
      'IBAN: 123                        BETALINGSKENM.: 1234567890098999',
      'KENMERK: NOTPROVIDED',
    ]),
    {
      ...{ type: 'SEPA INCASSO ALGEMEEN DOORLOPEND', creditorId: 'NL98ZZZ999999990000' },
      ...{ name: 'STROOM BV', mandateReference: 'M-1' },
      purpose: 'IBAN: 123 BETALINGSKENM.: 1234567890098999',
    },
  )
  t.equal(readAbnColumns(['SEPA heeft geen kolommen']), undefined)
  t.equal(readAbnColumns(['BEA   NR:1                       IBAN: x']), undefined)
  t.equal(readAbnColumns([]), undefined)
})

test('ASN and SNS: the first line repeats account and name', async (t) => {
  const references = { customerReference: 'NL28RABO0154810691', text: 'j voorbeeld' }
  const first = 'NL28RABO0154810691 j voorbeeld'
  t.same(linesBelowAccount([first, ' '.repeat(65), 'Salaris', ''], references), ['Salaris', ''])
  t.same(linesBelowAccount([first], references), [])
  t.same(linesBelowAccount([first, '', ''], references), [])
  for (const [lines, its] of [
    [[first, 'Salaris'], references],
    [[`${first} x`, '', 'Salaris'], references],
    [['a b', '', 'Salaris'], { customerReference: 'a', text: 'b' }],
    [[first], { customerReference: 'NL28RABO0154810691' }],
    [[], references],
  ] as const) {
    t.equal(linesBelowAccount(lines, its), undefined, String(lines))
  }
})

test('Knab: the counterpart in the last line', async (t) => {
  const taken = (...lines: string[]): unknown => {
    const counterpart: StatementCounterpart = {}
    return [withoutKnabLine(counterpart, lines), counterpart]
  }
  t.same(taken('FACTUUR 1', 'REK: NL28RABO0154810691/NAAM: VOORBEELD'), [
    ['FACTUUR 1'],
    { iban: 'NL28RABO0154810691', name: 'VOORBEELD' },
  ])
  t.same(taken('REK: 0245124599/NAAM: VOORBEELD'), [
    [],
    { accountNumber: '0245124599', name: 'VOORBEELD' },
  ])
  t.same(taken('TUINDORP PAS: 2222', 'NAAM: BLOEMIST ', ''), [
    ['TUINDORP PAS: 2222'],
    { name: 'BLOEMIST' },
  ])
  for (const lines of [['NAAM: '], ['UW NAAM: X'], ['NAAM: X', 'y'], []]) {
    t.same(taken(...lines), [lines, {}])
  }
})

test('Triodos: the account in the first sub-fields', async (t) => {
  const taken = (account: string | undefined, parts: string[]): unknown => {
    const counterpart: StatementCounterpart = {}
    return [takeTriodosParts(counterpart, account, parts), counterpart]
  }
  t.same(taken('0987654321', ['Huur']), [['Huur'], { accountNumber: '0987654321' }])
  t.same(taken('0000000000', ['RABONL2U', 'NL28RABO0154810691', 'JAN']), [
    ['JAN'],
    { iban: 'NL28RABO0154810691', bic: 'RABONL2U' },
  ])
  t.same(taken('0000000000', ['BBBBAA2U', 'AA99BBBB0555555555', 'JAN']), [
    ['BBBBAA2U', 'JAN'],
    { accountNumber: 'AA99BBBB0555555555' },
  ])
  t.same(taken('0000000000', ['WINKEL', 'PAS 5']), [['WINKEL', 'PAS 5'], {}])
  t.same(taken(undefined, []), [[], {}])
})

test('the columns of ABN AMRO in one text are cut at their labels', async (t) => {
  t.strictSame(
    readAbnText(
      'SEPA Overboeking                 IBAN: NL91ABNA0417164300        BIC: ABNANL2A            ' +
        '        Naam: Piet Pardoes          Omschrijving: Trui              Naam: geel   ' +
        'Betalingskenm.: 12  Kenmerk: 5101',
    ),
    {
      type: 'SEPA Overboeking',
      iban: 'NL91ABNA0417164300',
      bic: 'ABNANL2A',
      name: 'Piet Pardoes',
      purpose: 'Trui BETALINGSKENM.: 12',
      endToEndReference: '5101',
    },
  )
  t.equal(readAbnText('SEPA Overboeking zonder kolommen'), undefined)
  t.equal(readAbnText('BEA   NR:1  IBAN: NL91ABNA0417164300'), undefined)
})

test('ING until 2014: IBAN, BIC and name before the text, without labels', async (t) => {
  const taken = (text: string, counterpart: StatementCounterpart = {}): unknown[] => {
    const transaction: StatementTransaction = {
      ...{ amount: { unscaled: -1, scale: 0 }, currency: 'EUR', position: 'entry 1' },
      counterpart,
    }
    const left = withoutIngCounterpart(transaction, text)
    return [left, counterpart, transaction.type]
  }
  const [iban, bic] = ['NL28RABO0154810691', 'RABONL2U']
  t.same(taken(`${iban} ${bic} J VOORBEELD / X B.V. NOTPROVIDED parkeren NOTPROVIDED 1`), [
    'parkeren NOTPROVIDED 1',
    { iban, bic, name: 'J VOORBEELD / X B.V.' },
    undefined,
  ])
  t.same(taken(`${iban} ${bic} J VOORBEELD NOTPROVIDED`), [
    '',
    { iban, bic, name: 'J VOORBEELD' },
    undefined,
  ])
  t.same(taken(`${iban} ${bic} J VOORBEELD 3e kwartaal`), [
    'J VOORBEELD 3e kwartaal',
    { iban, bic },
    undefined,
  ])
  t.same(taken(`0154810691 ${iban} ${bic} J VOORBEELD`)[0], 'J VOORBEELD')
  t.same(taken(`0154810692 ${iban} ${bic} J VOORBEELD`)[0], '0154810692 J VOORBEELD')
  const kind = 'Europese Incasso, doorlopend'
  const creditor = 'NL98ZZZ999999990000'
  t.same(taken(`${kind} ${iban} ${bic} STROOM BV ${creditor} MND-120123 MEI 2012`), [
    'MEI 2012',
    { iban, bic, creditorId: creditor, mandateReference: 'MND-120123', name: 'STROOM BV' },
    kind,
  ])
  t.same(taken(`${kind} ${iban} ${bic} STROOM BV ${creditor} SEPA M12 MEI`).slice(0, 2), [
    'SEPA M12 MEI',
    { iban, bic, creditorId: creditor, name: 'STROOM BV' },
  ])
  t.same(taken(`${kind} ${iban} ${bic} STROOM BV MEI 2012`).slice(0, 2), [
    'STROOM BV MEI 2012',
    { iban, bic },
  ])
  for (const text of [
    `${iban} BETALING AAN JAN`,
    `${iban}1 ${bic} JAN`,
    `van ${iban} ${bic} JAN`,
    '',
  ]) {
    t.same(taken(text), [text, {}, undefined])
  }
  const known = `${iban} ${bic} JAN NOTPROVIDED x`
  t.same(taken(known, { name: 'ANDERE' }), [known, { name: 'ANDERE' }, undefined])
})
