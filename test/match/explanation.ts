import fc from 'fast-check'
import { test } from 'tap'
import { explainMatch } from '../../src/match/explanation.js'
import { parseReference } from '../../src/match/reference.js'
import { scoreMatch } from '../../src/match/score.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'

test('an explanation names field, span, kind and reductions of the score', async (t) => {
  const rows: readonly (readonly [string, string, string, string, readonly string[]])[] = [
    ['RE-2024-0815', 'Zahlung RE-2024-0815 danke', '2024-0815', 'exact', []],
    ['RE20240815', 'RE-2024-0815', '2024-0815', 'normalized', ['other_separators']],
    ['Facture 2024-0815', 'RE-2024-0815', '2024-0815', 'normalized', ['other_keyword']],
    ['RE-2024-0815', '2024-0815', '2024-0815', 'normalized', ['no_keyword']],
    ['INV-815', 'INV-000815', '815', 'regrouped', ['leading_zeros', 'short_reference']],
    ['RE-2024-0815', 'RE-20 24-0815', '20 24-0815', 'regrouped', ['blank_inside']],
    ['RE-2024-0815', 'RE-2O24-0815', '2O24-0815', 'damaged', ['look_alikes']],
    ['RX-2024-0815', 'RE-2024-0815', 'RE-2024-0815', 'damaged', ['letters_differ']],
    ['RE-2024-0815', 'RE-2024-08', '2024-08', 'damaged', ['cut_off']],
    ['RE-2024-0816', 'RE-2024-0815', '2024-0815', 'conflict', ['digits_differ']],
    ['8140', 'Hof 18140', '8140', 'conflict', ['longer_number', 'short_reference']],
    [
      'RE 2024-0816',
      'RE 2024-0815/16',
      '2024-0815/16',
      'normalized',
      ['no_keyword', 'list_member'],
    ],
    ['Müller', 'Miete Mu\u0308ller ab', 'Mu\u0308ller', 'words', []],
    [
      '2024-0815 Kunde 10972',
      'KdNr 10972',
      '10972',
      'normalized',
      ['lesser_reference', 'other_keyword'],
    ],
  ]
  for (const [query, purpose, matched, kind, adjustments] of rows) {
    const found = explainMatch(parseReference(query), fieldsWith({ purpose }))
    t.same(found, { field: 'purpose', matched, kind, adjustments }, `${query} in ${purpose}`)
  }
})

test('the field with the best evidence is named', async (t) => {
  const fields = fieldsWith({ purpose: 'RE-2024-0815', endToEndReference: 'RE-2024-0815' })
  t.equal(explainMatch(parseReference('RE-2024-0815'), fields)?.field, 'endToEndReference')
  const found = explainMatch(parseReference('9330'), fieldsWith({ primanota: '9330' }))
  t.same(found, {
    field: 'primanota',
    matched: '9330',
    kind: 'normalized',
    adjustments: ['primanota'],
  })
})

test('every score has an explanation, with a span within the text', async (t) => {
  const part = fc.constantFrom(
    'RE',
    '2024',
    '0815',
    '-',
    '/',
    ' ',
    ', ',
    'Kunde',
    '16',
    'ü',
    '€',
    'l',
  )
  const text = fc.array(part, { minLength: 2, maxLength: 12 }).map((parts) => parts.join(''))
  assertProperty(
    fc.property(text, text, text, (query, purpose, endToEndReference) => {
      if (query.replace(/[^a-zA-Z0-9ü€]/g, '').length < 2) return
      const reference = parseReference(query)
      const fields = fieldsWith({ purpose, endToEndReference })
      const { score } = scoreMatch(reference, fields)
      const found = explainMatch(reference, fields)
      // Other missing parts may outweigh a weak place.
      if (score > 0 && found === undefined) throw new Error('not explained')
      if (found === undefined) return
      if (!(fields[found.field] ?? '').includes(found.matched)) throw new Error(found.matched)
      if (found.matched === '') throw new Error('empty')
    }),
    { numRuns: 2_500 },
  )
  t.pass()
})
